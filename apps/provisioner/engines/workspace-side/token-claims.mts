/** The contents of a signed token. Used on both sides: the control plane signs it, the workspace checks it. */

export type TokenAudience =
  | "login"
  | "owner"
  | "profile"
  | "variables"
  | "status"
  | "members"
  | "plan"
  | "usage"
  | "backup"
  | "export"
  | "claim";

export interface TokenClaims {
  audience: TokenAudience;
  workspaceId: string;
  /** Single use: a second token with this id is refused. */
  id: string;
  issuedAtMs: number;
  expiresAtMs: number;
  /** The target of a login: a path within the workspace. */
  landingPath?: string;
}

/** Long enough for a click and a slow redirect, short enough that a token in a log is worthless. */
export const tokenLifetimeMs = 60_000;

/** Whether a path stays on the host that answers it: neither `//host` nor a backslash, which browsers read as a slash. */
export function isLocalPath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- browsers drop these from an address, so "/\t/host" would leave
  return /^\/(?!\/)[^\\\u0000-\u001f]*$/.test(path) && path.length <= 2000;
}
