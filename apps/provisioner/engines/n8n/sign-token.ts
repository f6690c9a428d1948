/** Signs what the workspace's side of the engine will believe. */
import { randomUUID, sign, type KeyObject } from "node:crypto";
import type { Clock } from "#platform/clock.ts";
import { tokenLifetimeMs, type TokenAudience, type TokenClaims } from "./workspace-side/token-claims.mts";

export interface TokenSubject {
  audience: TokenAudience;
  workspaceId: string;
  landingPath?: string;
}

/** A token for one use within 60 s, in one workspace, for one purpose. `signingKey` is an Ed25519 private key. */
export function signToken(signingKey: KeyObject, clock: Clock, subject: TokenSubject): string {
  const issuedAtMs = clock.now().getTime();
  const claims: TokenClaims = { ...subject, id: randomUUID(), issuedAtMs, expiresAtMs: issuedAtMs + tokenLifetimeMs };
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  return `${payload}.${sign(null, Buffer.from(payload), signingKey).toString("base64url")}`;
}
