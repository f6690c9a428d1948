/** The link of the confirmation mail was opened. */
import { confirmUser } from "#domain/accounts/account-store.ts";
import { writeAuditOf } from "#domain/accounts/audit-store.ts";
import { lockLinkToken, markLinkUsed } from "#domain/accounts/link-token-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";

/**
 * Confirms the address the link was sent to. Opening a link again is answered as done, since mail scanners and
 * impatient people do; it signs nobody in. Refuses an unknown link, one for an old address, and an expired one.
 */
export async function confirmEmail({ db, clock }: Services, token: string, address: string): Promise<{ email: string; alreadyConfirmed: boolean }> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const link = await lockLinkToken(tx, token, "confirm-email");
    if (!link || link.email !== link.currentEmail) throw new AppError("link_invalid");
    if (link.confirmed) return { email: link.email, alreadyConfirmed: true };
    if (link.expiresAt <= now) throw new AppError("link_expired");
    await markLinkUsed(tx, token, now);
    await confirmUser(tx, link.userId, now);
    await writeAuditOf(tx, link.userId, { action: "email.confirmed", after: link.email, address }, now);
    return { email: link.email, alreadyConfirmed: false };
  });
}
