/** Cloudflare Turnstile, an option for operators: the browser sends a token, and Cloudflare verifies it. */
import { z } from "zod";
import { AppError } from "#platform/app-error.ts";
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Challenge } from "./challenge.ts";

interface TurnstileSettings {
  siteKey: string;
  secretKey: string;
  /** URL of Cloudflare's siteverify call, or of a test's substitute. */
  verifyUrl: string;
}

/** Cloudflare's documented limits: a token is valid for 300 s and has at most 2048 characters. */
const tokenLifeMs = 5 * minuteMs;
const longestToken = 2048;
const answerWithinMs = 5 * secondMs;

const verdict = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).optional() });

/** Throws `unavailable` while Cloudflare cannot be reached; letting visitors pass then would invite abuse. */
export function turnstile({ siteKey, secretKey, verifyUrl }: TurnstileSettings, clock: Clock): Challenge {
  return {
    offer: () => Promise.resolve({ kind: "turnstile", siteKey }),
    async check(token, address) {
      if (token.length > longestToken) return "challenge.invalid";
      const { success, "error-codes": errors = [] } = await ask(verifyUrl, { secret: secretKey, response: token, remoteip: address });
      if (success) return { id: `turnstile:${token}`, expiresAt: after(clock.now(), tokenLifeMs) };
      const ours = errors.find((code) => code.endsWith("-input-secret") || code === "internal-error");
      if (ours) throw new AppError("unavailable", { internal: `Turnstile could not check: ${ours}` });
      return errors.includes("timeout-or-duplicate") ? "challenge.expired" : "challenge.invalid";
    },
  };
}

async function ask(url: string, form: Record<string, string>): Promise<z.infer<typeof verdict>> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(answerWithinMs),
      redirect: "error",
    });
    return verdict.parse(await answer.json());
  } catch (cause) {
    throw new AppError("unavailable", { internal: "Turnstile could not be asked", cause });
  }
}
