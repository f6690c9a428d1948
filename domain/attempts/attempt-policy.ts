/** How many tries each thing that can be guessed or flooded allows, and how long it then rests. */
import { dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";

export interface AttemptPolicy {
  /** Tries before the first pause. */
  free: number;
  /** The first pause; each further try doubles it. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Left alone for this long, a subject starts anew. */
  forgetMs: number;
}

/**
 * Per login: five typos are human. Afterwards a guesser gets some four tries an hour, and an owner who is being
 * guessed at waits a quarter of an hour at most, or comes in by a mailed link, which no guessing holds up.
 */
const login: AttemptPolicy = { free: 5, firstPauseMs: 30 * secondMs, longestPauseMs: 15 * minuteMs, forgetMs: hourMs };

export const attemptPolicies = {
  /** Passwords for one account name or e-mail address, there or not. */
  login,
  /** The current password of somebody signed in: a stolen session must not find it out. */
  "current-password": login,
  /** Passwords and codes from one address: an office behind one address mistypes more than one person does. */
  "sign-in-address": { free: 25, firstPauseMs: minuteMs, longestPauseMs: hourMs, forgetMs: hourMs },
  /** Mails asked for at one address, of whatever kind: a mailbox is not to be flooded through us. */
  "mail-recipient": { free: 3, firstPauseMs: 5 * minuteMs, longestPauseMs: hourMs, forgetMs: hourMs },
  /** Mails asked for from one address. */
  "mail-address": { free: 20, firstPauseMs: 5 * minuteMs, longestPauseMs: hourMs, forgetMs: hourMs },
  /** Links for forgotten passwords that one workspace asks us to mail. A team forgets a few a day; a program in the workspace would ask all day. */
  "workspace-mail": { free: 20, firstPauseMs: hourMs, longestPauseMs: dayMs, forgetMs: dayMs },
  /** Starts without community nodes that one workspace reports. An owner who tries nodes out makes a few; a program in the workspace would fill the journal. */
  "workspace-held-back": { free: 5, firstPauseMs: hourMs, longestPauseMs: dayMs, forgetMs: dayMs },
  /** Codes that one workspace says are its owner's. An owner clicks now and then; a program in the workspace would ask all day. */
  "workspace-code": { free: 10, firstPauseMs: 5 * minuteMs, longestPauseMs: hourMs, forgetMs: hourMs },
  /** Previews of plan changes, each a question to the payment provider. Sliders ask often; programs ask always. */
  "change-preview": { free: 120, firstPauseMs: 30 * secondMs, longestPauseMs: 15 * minuteMs, forgetMs: 10 * minuteMs },
  /** Tries of a card that was declined: banks take repeated tries for fraud. */
  "payment-retry": { free: 5, firstPauseMs: 5 * minuteMs, longestPauseMs: dayMs, forgetMs: dayMs },
} as const satisfies Record<string, AttemptPolicy>;

export type AttemptKind = keyof typeof attemptPolicies;
