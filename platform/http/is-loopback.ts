/** Whether a host can only be this machine, so that traffic to it never leaves it. */
import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * Takes a name or address as in settings, IPv6 with or without brackets. Names other than `localhost` do not count: they could be any host.
 */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const family = isIP(bare);
  return family === 0 ? bare === "localhost" : loopback.check(bare, family === 6 ? "ipv6" : "ipv4");
}
