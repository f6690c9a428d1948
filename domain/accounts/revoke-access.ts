/** What a new password ends: anyone who signed in with the old one is signed out and cannot return by a link. */
import { deleteLinks } from "#domain/accounts/credential-store.ts";
import { forgetBrowsers } from "#domain/accounts/sessions/known-browser-store.ts";
import { closeSessions } from "#domain/accounts/sessions/session-store.ts";
import type { Connection } from "#platform/database.ts";

/**
 * Ends the user's sessions (except `keptId`) and returns how many, their links to sign in or reset the password, and a pending change of
 * address. Browsers they have signed in with count as strangers'.
 */
export async function revokeAccess(db: Connection, userId: string, keptId?: string): Promise<number> {
  const closed = await closeSessions(db, userId, keptId);
  await forgetBrowsers(db, userId);
  await deleteLinks(db, userId, ["reset-password", "change-email", "magic-link", "operator-code"]);
  return closed;
}
