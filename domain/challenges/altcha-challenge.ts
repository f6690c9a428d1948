/**
 * ALTCHA, a proof of work: the visitor's browser searches for a number that we chose, so checking costs only a signature. A challenge is
 * not stored until it is used, and no third party is involved.
 */
import { randomInt } from "node:crypto";
import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { z } from "zod";
import { altchaChallenge } from "#contract/accounts/challenge.ts";
import { after, minuteMs, type Clock } from "#platform/clock.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Challenge } from "./challenge.ts";

/** Longer than a visitor needs to complete the form; when it expires, the panel solves another one. */
const challengeLifeMs = 10 * minuteMs;

/** PBKDF2 rounds per try: about 1 ms in a browser, so the number of tries is roughly the time in milliseconds. */
const cost = 2000;

const payload = z.object({
  challenge: altchaChallenge,
  solution: z.object({ counter: z.number().int().min(0).max(0xffffffff), derivedKey: z.string().max(128), time: z.number().optional() }),
});

/** A browser makes between half of `maxNumber` and `maxNumber` tries. */
export function altcha({ secrets, clock, maxNumber }: { secrets: Secrets; clock: Clock; maxNumber: number }): Challenge {
  const keys = {
    hmacSignatureSecret: secrets.derive("challenge").toString("base64url"),
    hmacKeySignatureSecret: secrets.derive("challenge key").toString("base64url"),
  };
  return {
    async offer() {
      const challenge = await createChallenge({
        ...keys,
        algorithm: "PBKDF2/SHA-256",
        cost,
        deriveKey,
        counter: randomInt(Math.ceil(maxNumber / 2), maxNumber + 1),
        // Not the library's expiry, which uses the machine's clock instead of the service's.
        data: { until: after(clock.now(), challengeLifeMs).getTime() },
      });
      return { kind: "altcha", challenge: altchaChallenge.parse(challenge) };
    },
    async check(answer) {
      const sent = read(answer);
      if (!sent) return "challenge.invalid";
      // Without this signature the library would derive the key again, at a cost chosen by the caller.
      if (!sent.challenge.parameters.keySignature) return "challenge.invalid";
      const { verified } = await verifySolution({ ...keys, challenge: sent.challenge, solution: sent.solution, deriveKey }).catch(() => ({
        verified: false,
      }));
      if (!verified) return "challenge.invalid";
      const { until } = sent.challenge.parameters.data;
      if (until <= clock.now().getTime()) return "challenge.expired";
      return { id: `altcha:${sent.challenge.parameters.nonce}:${sent.challenge.parameters.salt}`, expiresAt: new Date(until) };
    },
  };
}

function read(answer: string): z.infer<typeof payload> | null {
  try {
    return payload.parse(JSON.parse(Buffer.from(answer, "base64").toString("utf8")));
  } catch {
    return null;
  }
}
