/** The visitor's address: that of the connection, or the one reported by trusted proxies. */
import { isIP } from "node:net";
import { addressSubject } from "#domain/attempts/attempt-store.ts";

/**
 * The visitor's address. With `trustedProxyHops` 0, headers are ignored. With n, it is the n-th entry from the right of
 * X-Forwarded-For, since each trusted proxy adds one; entries further left can be forged.
 */
export function clientAddress(connectionAddress: string | undefined, forwardedFor: string | undefined, trustedProxyHops: number): string {
  const own = plainAddress(connectionAddress ?? "") ?? "0.0.0.0";
  if (trustedProxyHops === 0 || forwardedFor === undefined) return own;
  const chain = forwardedFor.split(",");
  // A chain that is too short means that the request bypassed a proxy; its leftmost entry is the best available.
  const entry = chain[Math.max(0, chain.length - trustedProxyHops)] ?? "";
  return plainAddress(entry.trim()) ?? own;
}

/** All addresses that one visitor may have: an IPv4 address, or an IPv6 /48, what one site gets. */
export function siteOf(address: string): string {
  const subject = addressSubject(address);
  return subject.includes(":") ? subject.split(":", 3).join(":") : subject;
}

/** Without the IPv4-in-IPv6 prefix, brackets and port that some proxies add; null if it is no address. */
function plainAddress(text: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withoutPort = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text);
  const plain = withoutPort.startsWith("::ffff:") && isIP(withoutPort.slice(7)) === 4 ? withoutPort.slice(7) : withoutPort;
  return isIP(plain) === 0 ? null : plain;
}
