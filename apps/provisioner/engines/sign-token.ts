/** Signs tokens for the workspace's side of the engine. */
import { createPublicKey, KeyObject, randomUUID, sign } from "node:crypto";
import type { Clock } from "#platform/clock.ts";
import { tokenLifetimeMs, type TokenAudience, type TokenClaims } from "./workspace-side/token-claims.mts";

export interface TokenSubject {
  audience: TokenAudience;
  workspaceId: string;
  landingPath?: string;
}

/** An Ed25519 private key, or two during a replacement: workspaces not restarted since accept only the second. */
export type SigningKey = KeyObject | readonly KeyObject[];

const keysOf = (signingKey: SigningKey): readonly KeyObject[] => (signingKey instanceof KeyObject ? [signingKey] : signingKey);

/** What a workspace gets at its start: the public half of the first key. SPKI, DER, base64. */
export const publicKeyOf = (signingKey: SigningKey): string =>
  createPublicKey(keysOf(signingKey)[0]!).export({ format: "der", type: "spki" }).toString("base64");

/** A single-use token, valid for 60 s, for one workspace and one purpose; signed with each key. */
export function signToken(signingKey: SigningKey, clock: Clock, subject: TokenSubject): string {
  const issuedAtMs = clock.now().getTime();
  const claims: TokenClaims = { ...subject, id: randomUUID(), issuedAtMs, expiresAtMs: issuedAtMs + tokenLifetimeMs };
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  return [payload, ...keysOf(signingKey).map((key) => sign(null, Buffer.from(payload), key).toString("base64url"))].join(".");
}
