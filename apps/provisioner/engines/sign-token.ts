/** Signs what the workspace's side of the engine will believe. */
import { createPublicKey, KeyObject, randomUUID, sign } from "node:crypto";
import type { Clock } from "#platform/clock.ts";
import { tokenLifetimeMs, type TokenAudience, type TokenClaims } from "./workspace-side/token-claims.mts";

export interface TokenSubject {
  audience: TokenAudience;
  workspaceId: string;
  landingPath?: string;
}

/** An Ed25519 private key. Two while the first replaces the second: workspaces that were not started since believe the second only. */
export type SigningKey = KeyObject | readonly KeyObject[];

const keysOf = (signingKey: SigningKey): readonly KeyObject[] => (signingKey instanceof KeyObject ? [signingKey] : signingKey);

/** What a workspace is told at its start: the public half of the first key. SPKI, DER, base64. */
export const publicKeyOf = (signingKey: SigningKey): string =>
  createPublicKey(keysOf(signingKey)[0]!).export({ format: "der", type: "spki" }).toString("base64");

/** A token for one use within 60 s, in one workspace, for one purpose; with a signature by each key. */
export function signToken(signingKey: SigningKey, clock: Clock, subject: TokenSubject): string {
  const issuedAtMs = clock.now().getTime();
  const claims: TokenClaims = { ...subject, id: randomUUID(), issuedAtMs, expiresAtMs: issuedAtMs + tokenLifetimeMs };
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  return [payload, ...keysOf(signingKey).map((key) => sign(null, Buffer.from(payload), key).toString("base64url"))].join(".");
}
