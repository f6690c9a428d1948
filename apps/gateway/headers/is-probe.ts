/**
 * Recognises requests of the service itself: health checks, which must reach a workspace before any visitor may, and requests that another
 * host's gateway passed on.
 */
import { createHash, timingSafeEqual } from "node:crypto";

export const probeHeader = "x-slipway-probe";
/** Set by a gateway that passes a request on to the gateway of the workspace's host. */
export const passHeader = "x-slipway-passed";

/** A constant-time test for the probe token. With an empty configured token, nothing passes. */
export function createProbeTest(probeToken: string): (given: string | string[] | undefined) => boolean {
  const expected = digest(probeToken);
  return (given) => typeof given === "string" && probeToken !== "" && timingSafeEqual(digest(given), expected);
}

/** Hashed, because timingSafeEqual needs equal lengths. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
