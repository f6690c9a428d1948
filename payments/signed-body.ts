/** Signed webhook bodies, in the form all providers use: a time, and an HMAC-SHA256 by one of several secrets. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { z } from "zod";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { parseJson } from "#platform/http/parse-json.ts";
import { SignatureInvalid } from "./payment-provider.ts";

/** Same as Stripe's, in both directions: wide enough for differing clocks, too short to replay an intercepted event. */
const signatureToleranceMs = 5 * minuteMs;

interface SignedBody {
  header: string | undefined;
  /** The separator between the header's parts, the names of its time and signature parts, and the joint between time and body. */
  form: { separator: string; time: string; signature: string; joint: string };
  secrets: readonly (string | Buffer)[];
  rawBody: Buffer;
  now: Date;
}

/** Throws SignatureInvalid unless a signature was made with one of the secrets and its time is near `now`. */
export function checkHmac({ header, form, secrets, rawBody, now }: SignedBody): void {
  const parts = (header ?? "").split(form.separator).map((part) => part.trim().split("=", 2));
  const seconds = Number(parts.find(([name]) => name === form.time)?.[1] ?? Number.NaN);
  const given = parts
    .filter(([name, value]) => name === form.signature && /^[0-9a-f]{64}$/.test(value ?? ""))
    .map(([, value]) => Buffer.from(value!, "hex"));
  if (!Number.isSafeInteger(seconds) || given.length === 0) throw new SignatureInvalid("There is no signature in a known format.");
  if (Math.abs(now.getTime() - seconds * secondMs) > signatureToleranceMs)
    throw new SignatureInvalid("The signature's time is too far from now.");
  const wanted = secrets.map((secret) => createHmac("sha256", secret).update(`${seconds}${form.joint}`).update(rawBody).digest());
  // Compares every pair, even after a match, to keep the time constant.
  const matches = wanted.flatMap((hash) => given.map((signature) => timingSafeEqual(signature, hash)));
  if (!matches.includes(true)) throw new SignatureInvalid("The signature matches none of the secrets.");
}

/** The parsed body of a webhook with a valid signature; throws SignatureInvalid for a body that its provider would never send. */
export function readEventBody<Shape extends z.ZodType>(shape: Shape, rawBody: Buffer): z.output<Shape> {
  const read = shape.safeParse(parseJson(rawBody.toString("utf8")));
  if (!read.success) throw new SignatureInvalid("The body is not an event.");
  return read.data;
}
