/** Who is asking: the address of the connection, or what proxies that the operator trusts say about it. */
import { isIP } from "node:net";

/**
 * The visitor's address. With `trustedProxyHops` 0 nothing said in headers counts. With n, the n-th entry from
 * the right of X-Forwarded-For, each trusted proxy having added one; entries further left are anybody's words.
 */
export function clientAddress(connectionAddress: string | undefined, forwardedFor: string | undefined, trustedProxyHops: number): string {
  const own = plainAddress(connectionAddress ?? "") ?? "0.0.0.0";
  if (trustedProxyHops === 0 || forwardedFor === undefined) return own;
  const chain = forwardedFor.split(",");
  // A chain shorter than promised means that somebody came in around a proxy: its left end is the best known.
  const entry = chain[Math.max(0, chain.length - trustedProxyHops)] ?? "";
  return plainAddress(entry.trim()) ?? own;
}

/** Without the IPv4-in-IPv6 prefix, brackets and port that some proxies add; null if it is no address. */
function plainAddress(text: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withoutPort = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text);
  const plain = withoutPort.startsWith("::ffff:") && isIP(withoutPort.slice(7)) === 4 ? withoutPort.slice(7) : withoutPort;
  return isIP(plain) === 0 ? null : plain;
}
