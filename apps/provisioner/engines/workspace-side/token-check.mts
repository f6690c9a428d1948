/**
 * Checks that a token comes from the control plane, is for this workspace, is recent, and was not used before. The workspace holds the
 * public key only: taking over a workspace makes no forgery possible, here or elsewhere.
 */
import { createPublicKey, verify } from "node:crypto";
import { tokenLifetimeMs, type TokenAudience, type TokenClaims } from "./token-claims.mts";

export type TokenRefusal = "invalid" | "expired" | "used" | "other_workspace";
export type TokenVerdict = { claims: TokenClaims } | { refusal: TokenRefusal };

interface TokenCheckOptions {
  workspaceId: string;
  /** Ed25519 public key: SPKI, DER, base64. */
  publicKey: string;
  /** When this process began. Older tokens are refused: an earlier process may have accepted them. */
  startedAtMs: number;
  /** Time since then, by a clock that is never set. */
  ranMs: () => number;
  now: () => number;
}

/** The time of a check in a workspace's own process. */
export const thisProcess = {
  startedAtMs: performance.timeOrigin,
  ranMs: () => performance.now(),
  now: Date.now,
} as const satisfies Partial<TokenCheckOptions>;

/** The clocks of two machines may differ; on one machine this only covers rounding. */
const clockDifferenceMs = 5000;

/** A check that remembers used tokens. */
export function createTokenCheck(options: TokenCheckOptions): (token: unknown, audience: TokenAudience) => TokenVerdict {
  const key = createPublicKey({ key: Buffer.from(options.publicKey, "base64"), format: "der", type: "spki" });
  const usedUntilMs = new Map<string, number>();
  return (token, audience) => {
    const claims = typeof token === "string" && token.length < 4096 ? readSigned(token) : undefined;
    if (claims === undefined || claims.audience !== audience) return { refusal: "invalid" };
    if (claims.workspaceId !== options.workspaceId) return { refusal: "other_workspace" };
    const now = options.now();
    for (const [id, untilMs] of usedUntilMs) if (untilMs < now) usedUntilMs.delete(id);
    if (usedUntilMs.has(claims.id)) return { refusal: "used" };
    const isTimely = claims.expiresAtMs > now && claims.issuedAtMs <= now + clockDifferenceMs;
    const isShort = claims.expiresAtMs - claims.issuedAtMs <= tokenLifetimeMs;
    // After the clock was set back, this is the beginning by today's clock: otherwise no token would be accepted until the old time is
    // reached again.
    const beganAtMs = Math.min(options.startedAtMs, now - options.ranMs());
    if (!isTimely || !isShort || claims.issuedAtMs < beganAtMs) return { refusal: "expired" };
    usedUntilMs.set(claims.id, claims.expiresAtMs);
    return { claims };
  };

  function readSigned(token: string): TokenClaims | undefined {
    const [payload, ...signatures] = token.split(".");
    // Two while the control plane's key is being replaced: one of them was made with the key that this process knows.
    if (payload === undefined || signatures.length > 2) return undefined;
    if (!signatures.some((signature) => verify(null, Buffer.from(payload), key, Buffer.from(signature, "base64url")))) return undefined;
    return readClaims(token);
  }
}

/** The contents of a token, whether or not it was accepted. Only if its signature was valid: any verdict except `invalid`. */
export function readClaims(token: string): TokenClaims {
  return JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()) as TokenClaims;
}
