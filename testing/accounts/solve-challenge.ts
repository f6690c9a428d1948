/** Solves the registration's challenge as a browser does: by trying. */
import { solveChallenge as solve } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { ChallengeOffer } from "#contract/accounts/challenge.ts";

/** The answer to a challenge; Turnstile's cannot be solved here. */
export async function solveChallenge(offer: ChallengeOffer): Promise<string> {
  if (offer.kind === "turnstile") throw new Error("Turnstile is not solved by programs.");
  if (offer.kind === "off") return "off";
  const { challenge } = offer;
  const solution = await solve({ challenge, deriveKey });
  if (!solution) throw new Error("The challenge was not solved in time.");
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}
