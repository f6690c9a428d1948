/**
 * Decides by the Host header alone whether a request is for the panel or a workspace. Strict, because
 * a name read differently here than in the panel's cookie or origin checks would be a vulnerability.
 */

type ResolvedHost = { kind: "panel" } | { kind: "workspace"; accountName: string } | { kind: "unknown" };

const panel: ResolvedHost = { kind: "panel" };
const unknown: ResolvedHost = { kind: "unknown" };

/** One label of a host name. Underscores occur in practice and lead to an unknown workspace, not to an error. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The panel for exactly its own host and the names in `otherHosts`, which its API has besides; a workspace for one label in front of it, unknown for everything else
 * (foreign hosts, several labels, malformed values). Case, one trailing dot and the port are ignored, because
 * the visitor's port may differ from ours behind a port mapping. The label need not be a valid account name;
 * the lookup then finds no workspace.
 */
export function resolveHost(hostHeader: string | undefined, panelHost: string, otherHosts: readonly string[] = []): ResolvedHost {
  if (hostHeader === undefined) return unknown;
  const name = hostName(hostHeader);
  const panelName = hostName(panelHost);
  if (name === null || panelName === null) return unknown;
  if (name === panelName || otherHosts.includes(name)) return panel;
  // An IP address has no subdomains: "acme.127.0.0.1" and "acme.[::1]" are invalid.
  if (!name.endsWith(panelName) || isAddress(panelName)) return unknown;
  const cut = name.length - panelName.length - 1;
  if (name[cut] !== ".") return unknown;
  const accountName = name.slice(0, cut);
  return label.test(accountName) ? { kind: "workspace", accountName } : unknown;
}

/** The lower-case host name of a `host[:port]` value, without port and trailing dot; null if malformed. */
function hostName(value: string): string | null {
  // 253 characters of name, a trailing dot and a port.
  if (value.length === 0 || value.length > 260) return null;
  const parts = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(?::(\d{1,5}))?$/.exec(value);
  if (parts === null) return null;
  if (parts[2] !== undefined && (Number(parts[2]) === 0 || Number(parts[2]) > 65_535)) return null;
  const name = parts[1]!.toLowerCase();
  const withoutDot = name.endsWith(".") ? name.slice(0, -1) : name;
  return withoutDot === "" || withoutDot.startsWith(".") || withoutDot.includes("..") || withoutDot.endsWith(".") ? null : withoutDot;
}

function isAddress(name: string): boolean {
  return name.startsWith("[") || /^[\d.]+$/.test(name);
}
