/**
 * An account is closed by its owner or an operator: its workspace is deleted after a last backup, all others are signed out, and nothing
 * starts until its owner reopens it. After some days it can't be reopened (decision 0217), and is erased (./erasing).
 */
import { say } from "#contract/sentences/say.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import { lockClosing, writeClosing } from "#domain/accounts/closing-store.ts";
import { deleteAllLinks, findOwner } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { closeSessions } from "#domain/accounts/sessions/session-store.ts";
import { listPeople } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { revokeAll } from "#domain/invitations/invitation-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { closedMail } from "#domain/mail/templates/accounts/closing-mails.ts";
import { deleteHeldWorkspace } from "#domain/workspaces/desired/hold-workspace.ts";
import { announceWorkspace, findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { readBlockers, type Blocker } from "./closing-blockers.ts";

export interface ClosingParts {
  db: Database;
  clock: Clock;
  publicUrl: string;
  closedAccountDays: number;
}

/** Who closes it, from where. An operator's reason is shown to the owner. */
export type Closer =
  | { kind: "owner"; userId: string; sessionId: string; address: string }
  | { kind: "operator"; operator: string; reason: string };

/** Why it was not closed; an empty list: it was closed already. */
export interface NotClosed {
  blockers: Blocker[];
}

/**
 * Closes the account, unless something stands in the way: looked for in the transaction that closes it. Returns until when it can be reopened. An
 * operator can close a suspended account, which is not reopened before its suspension ended. Throws AppError `session_expired`.
 */
export async function closeAccount(
  { db, clock, publicUrl, closedAccountDays }: ClosingParts,
  accountId: string,
  closer: Closer,
): Promise<{ eraseAt: Date } | NotClosed> {
  const owner = await findOwner(db, accountId);
  const reason = closer.kind === "operator" ? closer.reason : null;
  const eraseAt = after(clock.now(), closedAccountDays * dayMs);
  // Rendering takes time, and happens outside of the transaction.
  const mail = owner && (await closedMail(owner, { eraseAt, reason, link: mailLinks(publicUrl).dashboard }));
  return db.transaction(async (tx) => {
    const now = clock.now();
    if (closer.kind === "owner") await lockPerson(tx, closer);
    // In the order of all changes of a subscription; a purchase waits for one of the two, or is found below.
    await lockSubscription(tx, accountId);
    const account = await lockClosing(tx, accountId);
    if (!account || account.closing) return { blockers: [] };
    const found = await readBlockers(tx, accountId, now);
    const blockers = closer.kind === "operator" ? found.filter(({ kind }) => kind !== "suspension") : found;
    if (blockers.length > 0) return { blockers };
    await writeClosing(tx, accountId, { since: now, eraseAt, by: closer.kind === "operator" ? closer.operator : null, reason });
    await deleteHeldWorkspace(tx, accountId, { event: "account-closed", message: say("accountClosed") }, now);
    await revokeAll(tx, accountId, now);
    await signOut(tx, accountId, closer.kind === "owner" ? closer.sessionId : undefined);
    const by = closer.kind === "owner" ? { userId: closer.userId, address: closer.address } : { userId: null };
    const said = closer.kind === "operator" ? { operator: closer.operator, reason: closer.reason } : {};
    await writeAudit(tx, { accountId, ...by, action: "account.closed", after: { ...said, eraseAt } }, now);
    if (mail) await queueMail(tx, mail, now);
    await announceAccount(tx, accountId, account.name);
    return { eraseAt };
  });
}

/** The owner confirms it by the account's name. Throws AppError `validation_failed`, or `account_not_closable` if something stands in the way. */
export async function closeOwnAccount(
  parts: ClosingParts,
  { accountId, accountName, userId, sessionId }: { accountId: string; accountName: string; userId: string; sessionId: string },
  typedName: string,
  address: string,
): Promise<void> {
  if (typedName !== accountName)
    throw new AppError("validation_failed", {
      errors: [{ path: "accountName", code: "account_name.confirmation", message: fieldMessage("account_name.confirmation") }],
    });
  const done = await closeAccount(parts, accountId, { kind: "owner", userId, sessionId, address });
  // Closed in another tab at this moment: that is what was asked for.
  if ("blockers" in done && done.blockers.length > 0) throw new AppError("account_not_closable");
}

/** Everyone's sessions except the one that is kept, and all mailed links: who may still sign in reads that the account is closed. */
export async function signOut(tx: Connection, accountId: string, keptId?: string): Promise<void> {
  for (const userId of await listPeople(tx, accountId)) {
    await closeSessions(tx, userId, keptId);
    await deleteAllLinks(tx, userId);
  }
}

/** Also where nothing had to stop: gateways and open panels show something else. */
export async function announceAccount(tx: Connection, accountId: string, accountName: string): Promise<void> {
  const workspace = await findWorkspace(tx, accountId);
  if (workspace) await announceWorkspace(tx, workspace.id, accountName);
}
