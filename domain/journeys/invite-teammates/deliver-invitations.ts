/**
 * Adds invited people to an online workspace, mails them, removes revoked ones, and notes who joined. The reconciler calls it
 * again and again for the workspaces it holds: each action happens once, wherever a call was interrupted.
 *
 * The workspace is changed first and our record second. After a crash in between, the workspace is asked again: it finds the person by
 * address and only makes another link. The mail is written in the transaction of the record, so it goes out once.
 */
import type { Language } from "#contract/accounts/language.ts";
import { say } from "#contract/sentences/say.ts";
import { listOpenInvitations, recordOutcome, type InvitationRow } from "#domain/invitations/invitation-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { invitationMail } from "#domain/mail/templates/workspaces/invitation-mail.ts";
import { after, hourMs, minuteMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";

/** The user management of one running workspace. */
interface Members {
  /** `acceptPath` is null for a person who has already joined. */
  invite(email: string): Promise<{ memberId: string; acceptPath: string | null }>;
  /** False: the person has joined, and stays. */
  revoke(email: string): Promise<boolean>;
  list(): Promise<{ id: string; email: string; joined: boolean }[]>;
  /** The workspace's own reason for refusing; undefined if it could not be reached. */
  refusalOf(error: unknown): string | undefined;
}

interface InvitingWorkspace {
  accountId: string;
  accountName: string;
  ownerFullName: string;
  ownerLanguage: Language | null;
  /** The address customers use, without a trailing slash. */
  url: string;
}

interface Delivery {
  db: Database;
  clock: Clock;
  log: Log;
  workspace: InvitingWorkspace;
  members: Members;
}

/** A minute, two, four … at most an hour; ten attempts take about five hours, after which the owner decides. */
const mostAttempts = 10;
const backoffMs = (attempts: number): number => Math.min(2 ** (attempts - 1) * minuteMs, hourMs);

/**
 * Does what is due, and returns when the next is; null if none is open. Never throws for an error of the workspace: that is noted in the
 * invitation.
 */
export async function deliverInvitations(delivery: Delivery): Promise<Date | null> {
  const list = () => listOpenInvitations(delivery.db, delivery.workspace.accountId);
  const open = await list();
  if (open.length === 0) return null;
  await deliverDue(delivery, open);
  const dueAts = (await list()).flatMap(({ dueAt }) => (dueAt ? [dueAt.getTime()] : []));
  return dueAts.length > 0 ? new Date(Math.min(...dueAts)) : null;
}

async function deliverDue(delivery: Delivery, open: readonly InvitationRow[]): Promise<void> {
  const { clock } = delivery;
  for (const row of open.filter(({ dueAt }) => dueAt !== null && dueAt <= clock.now())) {
    const answered = await (row.revokedAt ? revoke(delivery, row) : invite(delivery, row));
    // The others would wait for the same timeout, one after the other.
    if (!answered) return;
  }
  if (open.some((row) => !row.revokedAt)) await observeMembers(delivery);
}

/** False when the workspace could not be reached. */
async function invite(delivery: Delivery, row: InvitationRow): Promise<boolean> {
  const { db, clock, workspace, members } = delivery;
  const invited = await members.invite(row.email).catch((error: unknown) => noteFailure(delivery, row, error));
  if (typeof invited === "boolean") return invited;
  const { memberId, acceptPath } = invited;
  if (acceptPath === null) {
    await recordOutcome(db, row, { state: "accepted", memberId, acceptedAt: clock.now(), dueAt: null, reason: null, attempts: 0 });
    return true;
  }
  const mail = await invitationMail({
    to: row.email,
    language: workspace.ownerLanguage,
    inviterName: workspace.ownerFullName,
    accountName: workspace.accountName,
    workspaceUrl: workspace.url,
    link: workspace.url + acceptPath,
  });
  await db.transaction(async (tx) => {
    const now = clock.now();
    // Revoked meanwhile, or another worker was first: no mail.
    if (!(await recordOutcome(tx, row, { state: "sent", memberId, sentAt: now, dueAt: null, reason: null, attempts: 0 }))) return;
    const mailId = await queueMail(tx, mail, now);
    await recordOutcome(tx, { ...row, state: "sent", dueAt: null }, { mailId });
  });
  return true;
}

async function revoke(delivery: Delivery, row: InvitationRow): Promise<boolean> {
  const { db, clock, members } = delivery;
  const gone = await members.revoke(row.email).catch((error: unknown) => ({ answered: error }));
  if (typeof gone === "object") return noteFailure(delivery, row, gone.answered);
  // They joined before the invitation went out.
  await recordOutcome(
    db,
    row,
    gone ? { dueAt: null } : { revokedAt: null, state: "accepted", acceptedAt: clock.now(), dueAt: null, reason: null },
  );
  return true;
}

/** Plans the next attempt; a revocation is retried without end. False when the workspace could not be reached. */
async function noteFailure({ db, clock, log, members }: Delivery, row: InvitationRow, error: unknown): Promise<boolean> {
  const refusal = members.refusalOf(error);
  const attempts = row.attempts + 1;
  const dueAt = attempts < mostAttempts || row.revokedAt ? after(clock.now(), backoffMs(attempts)) : null;
  const reason = refusal === undefined ? say("invitationNotTaken") : say("invitationRefused", { answer: refusal.replace(/\.$/, "") });
  await recordOutcome(db, row, { attempts, dueAt, reason, ...(row.revokedAt ? {} : { state: "failed" }) });
  log.warn({ err: error, invitation: row.id, attempts, dueAt }, "an invitation could not be passed on");
  return refusal !== undefined;
}

/** Who joined, and who was removed inside the workspace. If it does not answer, the next call asks again. */
async function observeMembers({ db, clock, log, members, workspace }: Delivery): Promise<void> {
  const present = await members.list().catch((error: unknown) => {
    log.debug({ err: error, accountId: workspace.accountId }, "a workspace did not say who belongs to it");
    return undefined;
  });
  if (!present) return;
  const byId = new Map(present.map((member) => [member.id, member]));
  const byEmail = new Map(present.map((member) => [member.email, member]));
  const asked = (await listOpenInvitations(db, workspace.accountId)).filter((row) => !row.dueAt && !row.revokedAt);
  for (const row of asked) {
    // By id first: a member may have changed their address since.
    const member = byId.get(row.memberId ?? "") ?? byEmail.get(row.email);
    if (!member) await recordOutcome(db, row, { state: "failed", reason: say("personRemoved") });
    else if (member.joined && row.state === "sent")
      await recordOutcome(db, row, { state: "accepted", acceptedAt: clock.now(), memberId: member.id });
  }
}
