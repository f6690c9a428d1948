/** Limits for everything that can be guessed or flooded: how many attempts are free, and how long the pauses are then. */
import { dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";

interface AttemptPolicy {
  /** Attempts before the first pause. */
  free: number;
  /** The first pause; each further attempt doubles it. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** After this long without an attempt, counting starts again. */
  forgetMs: number;
}

/**
 * Per login: five typos are human. After that, a guesser gets about four attempts an hour. The account's owner does not wait for
 * strangers: a browser that has signed in before is counted apart, and guessing does not block a mailed link.
 */
const login: AttemptPolicy = { free: 5, firstPauseMs: 30 * secondMs, longestPauseMs: 15 * minuteMs, forgetMs: hourMs };

/** Forgotten after twice the longest pause, or each longest one would be followed by three free mails. */
const recipient: AttemptPolicy = { free: 3, firstPauseMs: 5 * minuteMs, longestPauseMs: hourMs, forgetMs: 2 * hourMs };

export const attemptPolicies = {
  /** Passwords for one account name or email address, whether it exists or not. */
  login,
  /** Passwords from one browser that has signed in to this account before: neither strangers' nor its address's attempts count for it. */
  "browser-login": login,
  /** The current password, in one session of a user, or in all that their workspace opened: a stolen session must not be able to guess it. */
  "current-password": login,
  /** Passwords and codes from one IP address: an office behind one address makes more typos than one person. */
  "sign-in-address": { free: 25, firstPauseMs: minuteMs, longestPauseMs: hourMs, forgetMs: hourMs },
  /** Requested mails to one recipient, so that a mailbox cannot be flooded through us. */
  "mail-recipient": recipient,
  /** Confirmation mails to one address, requested by who registered with it: it may be a stranger's. */
  "confirmation-recipient": recipient,
  /** Links to sign in or to choose a new password, requested by strangers. In a pause, a link that was mailed before still works. */
  "link-recipient": recipient,
  /** The same, requested in one browser that has signed in to this account before. */
  "browser-link": recipient,
  /** Mails requested from one IP address. */
  "mail-address": { free: 20, firstPauseMs: 5 * minuteMs, longestPauseMs: hourMs, forgetMs: hourMs },
  /**
   * Password reset mails requested by one workspace. A team needs a few a day; a malicious program in the workspace
   * would request them constantly.
   */
  "workspace-mail": { free: 20, firstPauseMs: hourMs, longestPauseMs: dayMs, forgetMs: dayMs },
  /**
   * Starts without community nodes, reported by one workspace. An owner trying out nodes causes a few; a malicious
   * program would fill the journal.
   */
  "workspace-interrupted": { free: 10, firstPauseMs: hourMs, longestPauseMs: dayMs, forgetMs: dayMs },
  "workspace-held-back": { free: 5, firstPauseMs: hourMs, longestPauseMs: dayMs, forgetMs: dayMs },
  /** Sign-in codes of the owner, presented by one workspace. An owner clicks occasionally; a malicious program would try constantly. */
  "workspace-code": { free: 10, firstPauseMs: 5 * minuteMs, longestPauseMs: hourMs, forgetMs: hourMs },
  /** Previews of plan changes, each of which calls the payment provider. Sliders call often, programs constantly. */
  "change-preview": { free: 120, firstPauseMs: 30 * secondMs, longestPauseMs: 15 * minuteMs, forgetMs: 10 * minuteMs },
  /** Retries of a declined card: banks treat many retries as fraud. */
  "payment-retry": { free: 5, firstPauseMs: 5 * minuteMs, longestPauseMs: dayMs, forgetMs: dayMs },
} as const satisfies Record<string, AttemptPolicy>;

export type AttemptKind = keyof typeof attemptPolicies;
