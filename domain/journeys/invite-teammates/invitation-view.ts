/** Shapes an invitation for its owner. */
import { inviteResendWaitSeconds, type Invitation } from "#contract/accounts/invitation.ts";
import { say } from "#contract/sentences/say.ts";
import type { InvitationRow, ListedInvitation } from "#domain/invitations/invitation-store.ts";
import { secondMs } from "#platform/clock.ts";

/** The Invitation of the contract. A mail that could not be delivered is a failure, unless the person joined anyway. */
export function invitationView(row: ListedInvitation, now: Date): Invitation {
  const undelivered = row.state === "sent" && row.undeliverable;
  const reason = undelivered ? say("mailUndelivered") : row.reason;
  return {
    id: row.id,
    email: row.email,
    state: undelivered ? "failed" : row.state,
    ...(reason ? { reason: row.dueAt ? say("triedAgain", { reason }) : reason } : {}),
    invitedAt: row.askedAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
    resendInSeconds: resendWaitSeconds(row, now),
  };
}

/** Seconds until another mail may be sent: a minute after the last was requested or sent. */
export function resendWaitSeconds({ askedAt, sentAt }: Pick<InvitationRow, "askedAt" | "sentAt">, now: Date): number {
  const lastMs = Math.max(askedAt.getTime(), sentAt?.getTime() ?? 0);
  return Math.max(0, Math.ceil((lastMs + inviteResendWaitSeconds * secondMs - now.getTime()) / secondMs));
}
