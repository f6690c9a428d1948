/** Counts passwords before they are checked: a stranger's by login and address, those of a browser that has signed in before by itself. */
import { findByLogin } from "#domain/accounts/account-store.ts";
import { addressSubject, forgetAttempts, takeBackAttempt } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Database } from "#platform/database.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { countKnownBrowser } from "../signed-in/known-browser.ts";

interface Guess {
  /** It was none: the password could not be checked. */
  takeBack(): Promise<void>;
  /** It was right. */
  succeed(person: { email: string; accountName: string }): Promise<void>;
}

/**
 * Throws AppError `too_many_sign_ins` with the seconds to wait. Strangers who guess make no known browser wait, and its success gives
 * them no new attempts.
 */
export async function countGuess(db: Database, login: string, { address, browser }: Visitor, now: Date): Promise<Guess> {
  const known = await countKnownBrowser(db, "browser-login", browser, async (tx) => (await findByLogin(tx, login))?.userId, now);
  if (known) {
    const { id, counted } = known;
    if ("waitSeconds" in counted)
      throw new AppError("too_many_sign_ins", { retryAfterSeconds: counted.waitSeconds, internal: "browser-login rests" });
    return {
      takeBack: () => takeBackAttempt(db, counted),
      succeed: () => forgetAttempts(db, "browser-login", [id]),
    };
  }
  const fromAddress = await refuseTooManyAttempts(db, "sign-in-address", addressSubject(address), now);
  const forLogin = await refuseTooManyAttempts(db, "login", login, now);
  return {
    async takeBack() {
      await takeBackAttempt(db, fromAddress);
      await takeBackAttempt(db, forLogin);
    },
    async succeed({ email, accountName }) {
      await takeBackAttempt(db, fromAddress);
      await forgetAttempts(db, "login", [email, accountName]);
    },
  };
}
