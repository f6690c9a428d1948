/** The owner resends or revokes an invitation. A worker does the rest (deliver-invitations.ts). */
import { lockAccount } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { mayMail } from "#domain/attempts/limit-mails.ts";
import { askAgain, lockInvitation, revoke, type InvitationRow } from "#domain/invitations/invitation-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { resendWaitSeconds } from "./invitation-view.ts";

/**
 * Sends the mail again. An invitation that is still waiting for the workspace stays as it is. Refuses within a minute, when the mailbox has
 * reached its limit, and after the person has joined.
 */
export function resendInvitation(services: Services, current: CurrentUser, id: string, address: string): Promise<void> {
  return change(services, current, id, async (tx, row, now) => {
    if (row.state === "waiting") return;
    const retryAfterSeconds = resendWaitSeconds(row, now);
    if (retryAfterSeconds > 0) throw new AppError("too_many_requests", { retryAfterSeconds });
    if (!(await mayMail(tx, row.email, now))) throw new AppError("too_many_requests");
    await askAgain(tx, row.id, now);
    await writeAudit(tx, { ...by(current, address), action: "invitation.resent", after: { email: row.email } }, now);
  });
}

/** Revokes the invitation. Refuses after the person has joined: members are managed in the workspace. */
export function revokeInvitation(services: Services, current: CurrentUser, id: string, address: string): Promise<void> {
  return change(services, current, id, async (tx, row, now) => {
    await revoke(tx, row.id, now, current.workspace ? now : null);
    await writeAudit(tx, { ...by(current, address), action: "invitation.revoked", before: { email: row.email } }, now);
  });
}

const by = ({ accountId, userId }: CurrentUser, address: string) => ({ accountId, userId, address });

/** 404 for another account's invitation, 409 after the person has joined, otherwise the change, which a worker picks up. */
async function change(
  { db, clock }: Services,
  current: CurrentUser,
  id: string,
  make: (tx: Connection, row: InvitationRow, now: Date) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    // The same locks in the same order as for inviting, from the panel and from the workspace.
    await lockAccount(tx, current.accountId);
    const row = await lockInvitation(tx, current.accountId, id);
    if (!row) throw new AppError("not_found");
    if (row.state === "accepted") throw new AppError("invitation_accepted");
    await make(tx, row, now);
    await makeAccountDue(tx, current.accountId, now);
  });
}
