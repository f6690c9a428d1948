/** The port of what a registration must bring solved: a proof of work of our own, another service's check, or nothing. */
import type { ChallengeOffer } from "#contract/accounts/challenge.ts";
import type { FieldCode } from "#contract/api/field-words.ts";

/** A solved challenge: `id` names it for good, so that it can be used once; after `expiresAt` it is refused anyway. */
export interface SolvedChallenge {
  id: string;
  expiresAt: Date;
}

export interface Challenge {
  /** What a browser needs to solve one. */
  offer(): Promise<ChallengeOffer>;
  /** Looks at an answer: solved, nothing to solve (null), or what to tell the visitor. Throws `unavailable` when nobody can tell. */
  check(answer: string, address: string): Promise<SolvedChallenge | FieldCode | null>;
}

/** For tests and closed networks: everybody passes. */
export const noChallenge: Challenge = {
  offer: () => Promise.resolve({ kind: "off" }),
  check: () => Promise.resolve(null),
};
