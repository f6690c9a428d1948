/** ALTCHA's challenge of a registration, for pages that only show its checkbox. */
import type { AltchaChallenge } from "#contract/accounts/challenge.ts";

export const unsolvedChallenge: AltchaChallenge = {
  parameters: {
    algorithm: "PBKDF2/SHA-256",
    nonce: "00",
    salt: "00",
    cost: 1,
    keyLength: 32,
    keyPrefix: "00",
    // The year 2100.
    data: { until: 4_102_444_800 },
  },
  signature: "00",
};
