/**
 * The workspace vouches for its owner with a code that opens the panel. Its key belongs to this workspace alone and vouches for no one
 * else; the panel decides what the code is worth.
 */
import { createPrivateKey, randomUUID, sign, type KeyObject } from "node:crypto";

/** The contents of a code. */
interface LoginCodeClaims {
  workspaceId: string;
  /** Single use. */
  id: string;
  issuedAtMs: number;
}

/** The prefix of every code; no other token begins this way. */
export const loginCodePrefix = "w1";

/** An Ed25519 private key is any 32 bytes behind its fixed PKCS #8 header (RFC 8410). */
export function loginKeyOf(seed: string): KeyObject {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(seed, "base64url")]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** A code for the panel, valid once and for as long as the panel accepts it. */
export function mintLoginCode(key: KeyObject, workspaceId: string, nowMs: number): string {
  const claims: LoginCodeClaims = { workspaceId, id: randomUUID(), issuedAtMs: nowMs };
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  const text = `${loginCodePrefix}.${payload}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString("base64url")}`;
}
