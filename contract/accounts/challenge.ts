/** The challenge that keeps bots from registering: a proof of work, or an external service's check. Also the check of an account name. */
import { z } from "zod";
import * as fields from "../api/fields.ts";
import { defineRoute } from "../api/route.ts";

/** ALTCHA's challenge in its solver's format; its parameters are signed, so that a client cannot make it easier. */
export const altchaChallenge = z.object({
  parameters: z.object({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number().int(),
    keyLength: z.number().int(),
    keyPrefix: z.string(),
    keySignature: z.string().optional(),
    /** `until`: when the challenge expires, by the service's own clock. */
    data: z.object({ until: z.number().int() }),
  }),
  signature: z.string(),
});
export type AltchaChallenge = z.infer<typeof altchaChallenge>;

/** `off`: the answer is ignored; send the word "off". */
export const challengeOffer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("altcha"), challenge: altchaChallenge }),
  z.object({ kind: z.literal("turnstile"), siteKey: z.string() }),
  z.object({ kind: z.literal("off") }),
]);
export type ChallengeOffer = z.infer<typeof challengeOffer>;

export const getChallenge = defineRoute({
  method: "GET",
  path: "/auth/challenge",
  tag: "Sign-up",
  summary: "The challenge to solve before registering, valid once; ALTCHA's answer is base64 of {challenge, solution}",
  auth: "none",
  success: { status: 200, body: challengeOffer },
  problems: [],
});

export const checkAccountName = defineRoute({
  method: "GET",
  path: "/auth/account-name/:name",
  tag: "Sign-up",
  summary: "Whether an account name is available now; only registering reserves it",
  auth: "none",
  params: z.object({ name: fields.accountName }),
  success: { status: 200, body: z.object({ available: z.boolean() }) },
  problems: [],
});
