/** The owner sends an invitation again, or revokes it. A worker does the rest (deliver-invitations.ts). */
import { lockAccount } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { mayMail } from "#domain/attempts/limit-mails.ts";
import { askAgain, lockInvitation, revoke, type InvitationRow } from "#domain/invitations/invitation-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/observation-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { resendWaitSeconds } from "./invitation-view.ts";

/** Sends the mail again. What still waits for the workspace stays as it is. Refuses within a minute, where this mailbox has had many, and where the person has joined. */
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

/** Revokes the invitation. Refuses where the person has joined: that is for the workspace's own user management. */
export function revokeInvitation(services: Services, current: CurrentUser, id: string, address: string): Promise<void> {
  return change(services, current, id, async (tx, row, now) => {
    await revoke(tx, row.id, now, current.workspace ? now : null);
    await writeAudit(tx, { ...by(current, address), action: "invitation.revoked", before: { email: row.email } }, now);
  });
}

const by = ({ accountId, userId }: CurrentUser, address: string) => ({ accountId, userId, address });

/** 404 for another account's invitation, 409 for a person who has joined, and otherwise the change, which a worker notices. */
async function change(
  { db, clock }: Services,
  current: CurrentUser,
  id: string,
  make: (tx: Connection, row: InvitationRow, now: Date) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    // The same locks in the same order as for inviting, in the panel and in the tool.
    await lockAccount(tx, current.accountId);
    const row = await lockInvitation(tx, current.accountId, id);
    if (!row) throw new AppError("not_found");
    if (row.state === "accepted") throw new AppError("invitation_accepted");
    await make(tx, row, now);
    await makeAccountDue(tx, current.accountId, now);
  });
}
