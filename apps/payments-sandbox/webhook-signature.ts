/** Signs and checks webhooks: HMAC-SHA256 over time and body, both ways by the same secrets. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { SignatureInvalid } from "#domain/billing/payment-provider.ts";

export const signatureHeader = "sandbox-signature";
/** As long as Stripe's: enough for clocks that differ, too short to replay what was overheard yesterday. */
export const toleranceMs = 5 * 60_000;

const sign = (secret: Buffer, seconds: number, rawBody: Buffer): Buffer => createHmac("sha256", secret).update(`${seconds}.`).update(rawBody).digest();

/** The header's value. While a secret is being replaced there are two, and a signature by each. */
export function signWebhook(secrets: readonly Buffer[], rawBody: Buffer, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret, seconds, rawBody).toString("hex")}`)].join(",");
}

/** Throws SignatureInvalid unless one of the signatures is by one of the secrets, and its time near `now`, before or after. */
export function checkSignature(header: string | undefined, secrets: readonly Buffer[], rawBody: Buffer, now: Date): void {
  const parts = (header ?? "").split(",").map((part) => part.trim().split("=") as [string, string?]);
  const seconds = Number(parts.find(([name]) => name === "t")?.[1] ?? Number.NaN);
  const given = parts.filter(([name, value]) => name === "v1" && /^[0-9a-f]{64}$/.test(value ?? "")).map(([, value]) => Buffer.from(value!, "hex"));
  if (!Number.isSafeInteger(seconds) || given.length === 0) throw new SignatureInvalid("There is no signature of the known kind.");
  if (Math.abs(now.getTime() - seconds * 1000) > toleranceMs) throw new SignatureInvalid("The signature's time is too far from now.");
  // Every pair is compared, whatever the earlier ones gave.
  const matches = secrets.flatMap((secret) => given.map((signature) => timingSafeEqual(signature, sign(secret, seconds, rawBody))));
  if (!matches.includes(true)) throw new SignatureInvalid("The signature is by none of the secrets.");
}
