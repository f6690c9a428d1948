/** People invited inside the workspace: listed, mailed and limited like those whom the owner invites in the panel. */
import { lockAccount } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { mayMail } from "#domain/attempts/limit-mails.ts";
import { askAgain, countAskedSince, listInvitations, saveInvitations } from "#domain/invitations/invitation-store.ts";
import { readOwner } from "#domain/workspaces/observed/observation-store.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { resendWaitSeconds } from "./invitation-view.ts";
import { mostInvitedADay } from "./invite-members.ts";

type InvitedInWorkspace = "invited" | "sent-again" | "left";

/**
 * Keeps the invitation for delivery (deliver-invitations.ts), or resends one that is a minute old. Returns `left` for the owner's
 * address, a person who has joined or was mailed a moment ago, and when the plan's members or the day's invitations are used up. The
 * tenant controls the workspace, so its requests get no more trust than the owner's.
 *
 * @param usersLimit members of the plan, the owner included; -1 means unlimited
 */
export function inviteFromWorkspace(
  { db, clock }: { db: Database; clock: Clock },
  accountId: string,
  email: string,
  usersLimit: number,
): Promise<InvitedInWorkspace> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    await lockAccount(tx, accountId);
    const [known, owner] = [await listInvitations(tx, accountId), await readOwner(tx, accountId)];
    if (!owner || owner.email === email) return "left";
    const before = known.find((row) => row.email === email);
    if (before) {
      const isOnItsWay = before.state === "waiting" || before.state === "accepted" || resendWaitSeconds(before, now) > 0;
      if (isOnItsWay || !(await mayMail(tx, email, now))) return "left";
      await askAgain(tx, before.id, now);
      await writeAudit(tx, { accountId, userId: null, action: "invitation.resent", after: { email, askedIn: "workspace" } }, now);
      return "sent-again";
    }
    if (usersLimit >= 0 && 1 + known.length + 1 > usersLimit) return "left";
    if ((await countAskedSince(tx, accountId, after(now, -dayMs))) >= mostInvitedADay || !(await mayMail(tx, email, now))) return "left";
    await saveInvitations(tx, accountId, [email], now);
    await writeAudit(tx, { accountId, userId: null, action: "invitation.created", after: { emails: [email], askedIn: "workspace" } }, now);
    return "invited";
  });
}
