/**
 * The owner invites people. They are only stored here; once the workspace is online, a worker adds and mails them
 * (deliver-invitations.ts).
 */
import type { FieldCode } from "#contract/api/field-words.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import type { FieldProblem } from "#contract/api/problem.ts";
import { lockAccount } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { markOnboardingStep } from "#domain/accounts/onboarding-store.ts";
import { mayMail } from "#domain/attempts/limit-mails.ts";
import {
  countAskedSince,
  forgetRevoked,
  listInvitations,
  listRevokedAmong,
  saveInvitations,
  type ListedInvitation,
} from "#domain/invitations/invitation-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { readUsersLimit } from "#domain/plans/users-limit.ts";

/** People per day and account: enough for a large team, too few to send spam. */
export const mostInvitedADay = 100;

/**
 * Keeps all of these addresses, valid and lowercase, or none. Refuses the owner's address, addresses already invited, more members
 * than the plan allows, more than 100 a day, and another mail to a person who was revoked and mailed often. Duplicates count once.
 */
export async function inviteMembers(
  { db, clock }: Services,
  current: CurrentUser,
  given: readonly string[],
  address: string,
): Promise<void> {
  const emails = [...new Set(given)];
  const limit = await readUsersLimit(db, current.planSpec);
  await db.transaction(async (tx) => {
    const now = clock.now();
    // Invitations outlive the session: a session ended by a reset must not invite anyone.
    await lockPerson(tx, current);
    await lockAccount(tx, current.accountId);
    const known = await listInvitations(tx, current.accountId);
    const errors = given.flatMap((email, index) => refusal(email, index, current.email, known));
    if (errors.length > 0) throw new AppError("validation_failed", { errors });

    const people = 1 + known.length + emails.length;
    if (limit >= 0 && people > limit) throw new AppError("user_quota_reached", { detail: quotaWords(limit, limit - 1 - known.length) });
    const today = await countAskedSince(tx, current.accountId, after(now, -dayMs));
    if (today + emails.length > mostInvitedADay) throw new AppError("too_many_invitations");
    // Revoking makes room for another person, but not for another mail to the same one.
    for (const email of await listRevokedAmong(tx, current.accountId, emails))
      if (!(await mayMail(tx, email, now))) throw new AppError("too_many_requests");

    await forgetRevoked(tx, current.accountId, after(now, -dayMs));
    await saveInvitations(tx, current.accountId, emails, now);
    await markOnboardingStep(tx, current.accountId, "invite", "done");
    await makeAccountDue(tx, current.accountId, now);
    await writeAudit(
      tx,
      { accountId: current.accountId, userId: current.userId, action: "invitation.created", after: { emails }, address },
      now,
    );
  });
}

function refusal(email: string, index: number, ownEmail: string, known: readonly ListedInvitation[]): FieldProblem[] {
  const code = refusalCode(email, ownEmail, known);
  return code ? [{ path: `emails.${index}`, code, message: fieldMessage(code) }] : [];
}

function refusalCode(email: string, ownEmail: string, known: readonly ListedInvitation[]): FieldCode | undefined {
  if (email === ownEmail) return "invite.own_address";
  const before = known.find((row) => row.email === email);
  if (!before) return undefined;
  return before.state === "accepted" ? "invite.already_accepted" : "invite.already_invited";
}

function quotaWords(limit: number, room: number): string {
  const left = room <= 0 ? "You can't invite anyone else." : `You can invite ${room} more.`;
  return `Your plan allows ${limit} people, including you. ${left}`;
}
