/** The port for a registration's challenge: our own proof of work, a third-party check, or nothing. */
import type { ChallengeOffer } from "#contract/accounts/challenge.ts";
import type { FieldCode } from "#contract/api/field-words.ts";

/** A solved challenge. `id` identifies it, so that it can be used only once; after `expiresAt` it is refused anyway. */
export interface SolvedChallenge {
  id: string;
  expiresAt: Date;
}

export interface Challenge {
  /** Creates what a browser needs to solve a challenge. */
  offer(): Promise<ChallengeOffer>;
  /**
   * Checks an answer: the solved challenge, null if challenges are off, or the visitor's error. Throws
   * `unavailable` if the check cannot be made.
   */
  check(answer: string, address: string): Promise<SolvedChallenge | FieldCode | null>;
}

/** Lets every visitor pass, for tests and closed networks. */
export const noChallenge: Challenge = {
  offer: () => Promise.resolve({ kind: "off" }),
  check: () => Promise.resolve(null),
};
