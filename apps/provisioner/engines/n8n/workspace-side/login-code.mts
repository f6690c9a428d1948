/**
 * The workspace vouches for its owner: a code that opens the panel. Its key is this workspace's alone and says nothing
 * about anybody else; the panel decides what such a code is worth.
 */
import { createPrivateKey, randomUUID, sign, type KeyObject } from "node:crypto";

/** What a code says. */
export interface LoginCodeClaims {
  workspaceId: string;
  /** One use. */
  id: string;
  issuedAtMs: number;
}

/** In front of every code: no other token begins so. */
export const loginCodePrefix = "w1";

/** An Ed25519 private key is any 32 bytes behind its fixed PKCS #8 header (RFC 8410). */
export function loginKeyOf(seed: string): KeyObject {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(seed, "base64url")]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** A code for the panel, good for one use and as long as the panel believes it. */
export function mintLoginCode(key: KeyObject, workspaceId: string, nowMs: number): string {
  const claims: LoginCodeClaims = { workspaceId, id: randomUUID(), issuedAtMs: nowMs };
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  const text = `${loginCodePrefix}.${payload}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString("base64url")}`;
}
