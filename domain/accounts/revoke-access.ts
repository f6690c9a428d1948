/** What a new password ends: anyone who got in with the old one is signed out and cannot come back by a link. */
import { deleteLinks } from "#domain/accounts/credential-store.ts";
import { closeSessions } from "#domain/accounts/session-store.ts";
import type { Connection } from "#platform/database.ts";

/** Ends the person's sessions (but that of `keptId`) and tells how many, their links to sign in or reset, and a change of address under way. */
export async function revokeAccess(db: Connection, userId: string, keptId?: string): Promise<number> {
  const closed = await closeSessions(db, userId, keptId);
  await deleteLinks(db, userId, ["reset-password", "change-email", "magic-link", "operator-code"]);
  return closed;
}
