/** Whether a host can only be this machine: what goes there never reaches a cable. */
import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Of a name or an address as settings have it, IPv6 with or without brackets. Names other than `localhost` could lead anywhere, so they are not. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const family = isIP(bare);
  return family === 0 ? bare === "localhost" : loopback.check(bare, family === 6 ? "ipv6" : "ipv4");
}
