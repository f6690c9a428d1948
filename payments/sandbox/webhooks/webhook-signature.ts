/** Signs and checks webhooks: HMAC-SHA256 over time and body, with the same secrets for both. */
import { createHmac } from "node:crypto";
import { checkHmac } from "../../signed-body.ts";

export const signatureHeader = "sandbox-signature";

const sign = (secret: Buffer, seconds: number, rawBody: Buffer): Buffer =>
  createHmac("sha256", secret).update(`${seconds}.`).update(rawBody).digest();

/** The header's value, with one signature per secret: two during a rotation. */
export function signWebhook(secrets: readonly Buffer[], rawBody: Buffer, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret, seconds, rawBody).toString("hex")}`)].join(",");
}

const form = { separator: ",", time: "t", signature: "v1", joint: "." };

/** Throws SignatureInvalid unless a signature was made with one of the secrets and its time is near `now`, before or after. */
export const checkSignature = (header: string | undefined, secrets: readonly Buffer[], rawBody: Buffer, now: Date): void =>
  checkHmac({ header, form, secrets, rawBody, now });
