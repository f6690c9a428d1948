/**
 * Which request headers reach a workspace. A workspace runs its tenant's code, so our secrets must not arrive
 * there; and it trusts the forwarded headers, so only the gateway may set them.
 */

/** Meaningful for one connection only (RFC 9110 §7.6.1), or already answered by us (`expect`). */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "expect",
]);

/** Replaced with values from the connection. */
const forwarded = new Set(["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-real-ip"]);

/** A client can name any header in Connection; these frame or route the message, so they stay. */
const neverDropped = new Set(["host", "content-length"]);

/** The panel's cookies that a workspace must not see: of the session, and of a browser that has signed in before. */
const panelCookies = new Set(["token", "__Host-token", "slipway-browser", "__Host-slipway-browser"]);

interface Forwarding {
  clientAddress: string;
  scheme: "http" | "https";
  /** The Host header as received. */
  host: string;
}

/**
 * The headers for the workspace, flat as `[name, value, …]`. Repeated headers stay repeated and Host is unchanged.
 * Hop-by-hop headers, those named by Connection, `x-forwarded-*`, `x-slipway-*` and the panel's cookies are removed.
 */
export function requestHeaders(raw: readonly string[], connection: string | undefined, forwarding: Forwarding): string[] {
  const named = namedByConnection(connection);
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!;
    const key = name.toLowerCase();
    if (isDropped(key) || (named !== null && named.has(key))) continue;
    const value = raw[index + 1]!;
    if (key !== "cookie") headers.push(name, value);
    else pushCookies(headers, name, value);
  }
  pushForwarded(headers, forwarding);
  return headers;
}

/** The header names that a Connection header declares hop-by-hop; null for the usual values that name none. */
export function namedByConnection(connection: string | undefined): Set<string> | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close" || connection === "Upgrade") return null;
  const names = connection
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  return new Set(names.filter((name) => !neverDropped.has(name)));
}

function isDropped(key: string): boolean {
  if (hopByHop.has(key)) return true;
  if (key.charCodeAt(0) === 120 /* x */) return key.startsWith("x-forwarded-") || key.startsWith("x-slipway-") || forwarded.has(key);
  return key === "forwarded";
}

function pushCookies(headers: string[], name: string, value: string): void {
  // Nearly every request lacks these cookies and skips the parsing.
  if (!value.includes("token") && !value.includes("slipway-browser")) {
    headers.push(name, value);
    return;
  }
  const kept = value.split(";").filter((pair) => !panelCookies.has(cookieName(pair)));
  const text = kept.join(";").trim();
  if (text !== "") headers.push(name, text);
}

function cookieName(pair: string): string {
  const equals = pair.indexOf("=");
  return (equals === -1 ? pair : pair.slice(0, equals)).trim();
}

function pushForwarded(headers: string[], { clientAddress, scheme, host }: Forwarding): void {
  const port = /:(\d+)$/.exec(host)?.[1] ?? (scheme === "https" ? "443" : "80");
  // RFC 7239 §6: an IPv6 address is in brackets and quotes.
  const node = clientAddress.includes(":") ? `"[${clientAddress}]"` : clientAddress;
  headers.push(
    "x-forwarded-for",
    clientAddress,
    "x-forwarded-proto",
    scheme,
    "x-forwarded-host",
    host,
    "x-forwarded-port",
    port,
    "x-real-ip",
    clientAddress,
    "forwarded",
    `for=${node};host="${host}";proto=${scheme}`,
  );
}
