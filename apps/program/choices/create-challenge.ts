import { altcha } from "#domain/challenges/altcha-challenge.ts";
import { noChallenge, type Challenge } from "#domain/challenges/challenge.ts";
import { turnstile } from "#domain/challenges/turnstile-challenge.ts";
import type { Clock } from "#platform/clock.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { ChallengeSetting } from "../settings/outside-services.ts";

/** The challenge selected by the settings. */
export function createChallenge(setting: ChallengeSetting, secrets: Secrets, clock: Clock): Challenge {
  if (setting.kind === "off") return noChallenge;
  return setting.kind === "turnstile" ? turnstile(setting, clock) : altcha({ secrets, clock, maxNumber: setting.maxNumber });
}
