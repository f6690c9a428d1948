/** Shapes a session for the contract. */
import type { Session } from "#contract/accounts/session.ts";
import type { ListedSession } from "#domain/accounts/session-store.ts";

/** Never later than now, even if the clock has been set back since. */
export function sessionView({ id, openedBy, device, createdAt, lastSeenAt }: ListedSession, currentId: string, now: Date): Session {
  const until = (at: Date) => (at > now ? now : at).toISOString();
  return { id, openedBy, device, signedInAt: until(createdAt), lastSeenAt: until(lastSeenAt), isCurrent: id === currentId };
}
