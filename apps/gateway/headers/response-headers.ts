/**
 * Which response headers of a workspace reach the visitor. Tenants share the panel's parent domain, so a response could
 * affect other hosts in three ways, which are closed here:
 * - Set-Cookie with a Domain covers the panel and every other tenant. The attribute is dropped and the cookie kept,
 *   so the workspace's own sign-in still works on its own host. (A page's script can still set such a cookie; hence
 *   `__Host-token` on https, and an operator can list the domain in the Public Suffix List.)
 * - Clear-Site-Data clears the cookies of the whole registrable domain, which would sign visitors out of the panel.
 * - Strict-Transport-Security and Alt-Svc describe the connection, which is ours and not the tenant's.
 */
import { namedByConnection } from "./request-headers.ts";

const dropped = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "clear-site-data",
  "strict-transport-security",
  "alt-svc",
  "public-key-pins",
]);

interface ResponseHead {
  headers: string[];
  /** In bytes; null if the body is streamed without a known length. */
  contentLength: number | null;
}

/** The headers for the visitor, flat as `[name, value, …]`, from a workspace's raw headers. */
export function responseHeaders(raw: readonly (Buffer | string)[], statusCode: number): ResponseHead {
  const headers: string[] = [];
  let named: Set<string> | null = null;
  let length: string | null = null;
  let isChunked = false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = latin1(raw[index]!);
    const key = name.toLowerCase();
    const value = latin1(raw[index + 1]!);
    if (key === "connection") named = mergeNames(named, namedByConnection(value));
    else if (key === "transfer-encoding") isChunked = true;
    else if (key === "content-length") length = value;
    else if (dropped.has(key) || key.startsWith("x-slipway-")) continue;
    else if (key === "set-cookie") headers.push(name, hostOnlyCookie(value));
    else headers.push(name, value);
  }
  // 204 has no body, and chunks exclude a length: neither may mislead the next hop.
  const contentLength = length === null || isChunked || statusCode === 204 ? null : Number(length);
  if (contentLength !== null) headers.push("content-length", length!);
  return { headers: named === null ? headers : withoutNamed(headers, named), contentLength };
}

/** The cookie without any Domain attribute, so that it stays with the workspace's own host. */
export function hostOnlyCookie(cookie: string): string {
  if (!/;\s*domain/i.test(cookie)) return cookie;
  const [pair, ...attributes] = cookie.split(";");
  const kept = attributes.filter((attribute) => attribute.split("=", 1)[0]!.trim().toLowerCase() !== "domain");
  return [pair, ...kept].join(";");
}

function latin1(text: Buffer | string): string {
  return typeof text === "string" ? text : text.toString("latin1");
}

function mergeNames(some: Set<string> | null, more: Set<string> | null): Set<string> | null {
  if (some === null || more === null) return some ?? more;
  return new Set([...some, ...more]);
}

function withoutNamed(headers: string[], named: Set<string>): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (!named.has(headers[index]!.toLowerCase())) kept.push(headers[index]!, headers[index + 1]!);
  }
  return kept;
}
