/** Limits mailed links that let an owner in: strangers' together, those of a browser that has signed in before by itself. */
import { findPersonByEmail } from "#domain/accounts/credential-store.ts";
import type { LinkPause } from "#domain/accounts/links/mail-link.ts";
import { countAttempt } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyMails } from "#domain/attempts/limit-mails.ts";
import { after, secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Visitor } from "./caller.ts";
import { countKnownBrowser } from "./known-browser.ts";

/**
 * Throws AppError `too_many_requests` if strangers at this address request too many mails, which reveals no account. The returned function
 * counts the request for the mailbox, whether or not it belongs to an account; no other mail, nor a request that mails nothing, uses up
 * these counts.
 */
export async function limitLinks(db: Database, email: string, { address, browser }: Visitor, now: Date): Promise<() => Promise<LinkPause>> {
  const known = await countKnownBrowser(db, "browser-link", browser, async (tx) => (await findPersonByEmail(tx, email))?.userId, now);
  if (!known) await refuseTooManyMails(db, address, now);
  return async () => {
    const counted = known?.counted ?? (await countAttempt(db, "link-recipient", email, now));
    return "waitSeconds" in counted
      ? { isPaused: true, until: after(now, counted.waitSeconds * secondMs) }
      : { isPaused: false, until: counted.blockedUntil };
  };
}
