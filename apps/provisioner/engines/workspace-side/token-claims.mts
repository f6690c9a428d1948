/** What a signed token says. Read on both sides: the control plane signs it, the workspace checks it. */

export type TokenAudience = "login" | "owner" | "profile" | "status" | "members" | "plan" | "usage" | "backup" | "export";

export interface TokenClaims {
  audience: TokenAudience;
  workspaceId: string;
  /** One use: a token of this id is refused the second time. */
  id: string;
  issuedAtMs: number;
  expiresAtMs: number;
  /** Where a login lands: a path of the workspace itself. */
  landingPath?: string;
}

/** Long enough for a click and a slow redirect, short enough to be worthless in a log. */
export const tokenLifetimeMs = 60_000;

/** Whether a path stays on the host that answers it: neither `//host` nor a backslash, which browsers read as a slash. */
export function isLocalPath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- browsers drop these from an address, so "/\t/host" would leave
  return /^\/(?!\/)[^\\\u0000-\u001f]*$/.test(path) && path.length <= 2000;
}
