/** What a new password ends: whoever had got in by the old one must be out, and must not come back by a link. */
import { closeSessions, deleteLinks } from "#domain/accounts/credential-store.ts";
import type { Connection } from "#platform/database.ts";

/** Ends the person's sessions (but `keptToken`'s) and tells how many, their links to sign in or reset, and a change of address under way. */
export async function revokeAccess(db: Connection, userId: string, keptToken?: string): Promise<number> {
  const closed = await closeSessions(db, userId, keptToken);
  await deleteLinks(db, userId, ["reset-password", "change-email", "magic-link", "operator-code"]);
  return closed;
}
