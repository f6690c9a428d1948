/** Recognises our own health check, which must get through before anybody else is let in. */
import { createHash, timingSafeEqual } from "node:crypto";

export const probeHeader = "x-slipway-probe";

/** A test for a probe token, in constant time; an empty configured token lets nobody through. */
export function createProbeTest(probeToken: string): (given: string | string[] | undefined) => boolean {
  const expected = digest(probeToken);
  return (given) => typeof given === "string" && probeToken !== "" && timingSafeEqual(digest(given), expected);
}

/** Equal lengths for timingSafeEqual, whatever was sent. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
