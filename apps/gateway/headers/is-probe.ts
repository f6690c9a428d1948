/** Recognises our own health check, which must reach a workspace before any visitor may. */
import { createHash, timingSafeEqual } from "node:crypto";

export const probeHeader = "x-slipway-probe";

/** A constant-time test for the probe token. With an empty configured token, nothing passes. */
export function createProbeTest(probeToken: string): (given: string | string[] | undefined) => boolean {
  const expected = digest(probeToken);
  return (given) => typeof given === "string" && probeToken !== "" && timingSafeEqual(digest(given), expected);
}

/** Hashed, because timingSafeEqual needs equal lengths. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
