/** Signs and checks webhooks: HMAC-SHA256 over time and body, both ways by the same secrets. */
import { createHmac } from "node:crypto";
import { checkHmac } from "../../signed-body.ts";

export const signatureHeader = "sandbox-signature";

const sign = (secret: Buffer, seconds: number, rawBody: Buffer): Buffer =>
  createHmac("sha256", secret).update(`${seconds}.`).update(rawBody).digest();

/** The header's value. While a secret is being replaced there are two, and a signature by each. */
export function signWebhook(secrets: readonly Buffer[], rawBody: Buffer, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret, seconds, rawBody).toString("hex")}`)].join(",");
}

const form = { separator: ",", time: "t", signature: "v1", joint: "." };

/** Throws SignatureInvalid unless one of the signatures is by one of the secrets, and its time near `now`, before or after. */
export const checkSignature = (header: string | undefined, secrets: readonly Buffer[], rawBody: Buffer, now: Date): void =>
  checkHmac({ header, form, secrets, rawBody, now });
