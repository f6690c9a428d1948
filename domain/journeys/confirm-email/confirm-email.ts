/** The link of the confirmation mail was opened. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findPerson } from "#domain/accounts/credential-store.ts";
import { findLink, markLinkUsed } from "#domain/accounts/links/link-token-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";
import { confirmOwner } from "../signed-in/claim-mailbox.ts";
import { proveRegistrant, type Shown } from "../signed-in/prove-registrant.ts";

/**
 * Confirms the address that the link was sent to. Opening a link again succeeds, since mail scanners and impatient users
 * do that; it does not sign in. Refuses an unknown link, one for an old address, an expired one, and a browser
 * that shows neither a session of the account nor its password.
 */
export async function confirmEmail(
  services: Services,
  token: string,
  shown: Shown,
  address: string,
): Promise<{ email: string; alreadyConfirmed: boolean }> {
  const { db, clock } = services;
  const link = await findLink(db, token, ["confirm-email"]);
  const before = link && (await findPerson(db, link.userId));
  if (!before || link.email !== before.email) throw new AppError("link_invalid");
  if (before.confirmedAt) return { email: link.email, alreadyConfirmed: true };
  if (link.expiresAt <= clock.now()) throw new AppError("link_expired");
  const hold = await proveRegistrant(services, before.userId, shown);
  return db.transaction(async (tx) => {
    const now = clock.now();
    const { userId, accountId, email, confirmedAt } = await hold(tx);
    const isStillGood = await findLink(tx, token, ["confirm-email"]);
    // The address has changed, or the mailbox's owner has claimed the account.
    if (!isStillGood || email !== link.email) throw new AppError("link_invalid");
    if (confirmedAt) return { email, alreadyConfirmed: true };
    await markLinkUsed(tx, token, now);
    await confirmOwner(tx, { userId, accountId }, now);
    await writeAudit(tx, { accountId, userId, action: "email.confirmed", after: email, address }, now);
    return { email, alreadyConfirmed: false };
  });
}
