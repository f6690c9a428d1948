/**
 * Where workspaces may connect to: the internet, and nothing nearer. One table for all installations of this host, since all workspaces'
 * interfaces bear one prefix and all get the same rules; replacing it is one transaction, so there is no moment without it. What is
 * refused is answered, by a reset where it can be: the kernel sends few of the other answers, and a workflow would wait for a time-out.
 */
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { interfacePrefix, workspaceNetwork } from "./network.ts";
import type { SandboxTools } from "./sandbox-tools.ts";

const table = "slipway";
/** Interfaces whose connections are counted; more than a host has memory for. */
const mostWorkspaces = 65_536;
const applyTimeoutMs = 10_000;

/**
 * Every IPv4 address that is not the public internet, by IANA's special-purpose registry (RFC 6890 and its successors). Of the blocks
 * for documentation none is routed anywhere; they are left out, since an internet made for tests needs addresses too.
 */
const notPublic = [
  "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3",
];

/** Where a host's own panel and workspaces are met by everybody: a workflow may call its own address. */
const publicPorts = "80, 443";

/** What a workspace may do outwards. All installations of a host have one set of rules: the newest start decides. */
export interface NetworkPolicy {
  /** TCP ports that are refused everywhere: mail between servers, unless an operator opens it. */
  closedPorts: readonly number[];
  /** Connections of one workspace that the host keeps track of at once. Its table has one size for all, and whoever fills it cuts off the others. */
  connections: number;
  /** New ones a second, after ten times as many in a burst. */
  connectionsPerSecond: number;
}

export const usualNetworkPolicy: NetworkPolicy = { closedPorts: [25], connections: 2_048, connectionsPerSecond: 100 };

const forwardingFile = "/proc/sys/net/ipv4/ip_forward";

/** Puts the rules in force, if they are not. Throws with what nft said. */
export function applyFirewall({ nft }: Pick<SandboxTools, "nft">, nameServers: readonly string[], policy: NetworkPolicy): void {
  const before = run(nft, ["list", "table", "inet", table], "").output;
  // A host that forwarded nothing must not become a router because workspaces need it: what is not theirs stays refused.
  const guard = before.includes("chain guard") || readFileSync(forwardingFile, "utf8").trim() === "0";
  const rules = firewallRules(nameServers, policy, guard);
  if (!before.includes(markOf(rules))) {
    const { ok, output } = run(nft, ["-f", "-"], rules);
    if (!ok) throw new Error(`nftables refused the rules for workspaces: ${output}`);
  }
  writeFileSync(forwardingFile, "1");
}

/** The whole table, as nft reads it. */
export function firewallRules(nameServers: readonly string[], { closedPorts, connections, connectionsPerSecond }: NetworkPolicy, guard: boolean): string {
  const theirs = `"${interfacePrefix}*"`;
  const resolvers = nameServers.filter((address) => isIPv4(address));
  const lookUp = resolvers.length > 0 ? `    ip daddr { ${resolvers.join(", ")} } meta l4proto { tcp, udp } th dport 53 accept` : "";
  const closed = closedPorts.length > 0 ? `    tcp dport { ${closedPorts.join(", ")} } goto refuse` : "";
  // By interface, which a workspace cannot choose. What is refused was never entered in the table of connections.
  const body = `
  set open {
    type ifname
    size ${mostWorkspaces}
    flags dynamic
  }
  set fresh {
    type ifname
    size ${mostWorkspaces}
    flags dynamic,timeout
    timeout 1m
  }
  set not_public {
    type ipv4_addr
    flags interval
    elements = { ${notPublic.join(", ")} }
  }
  chain refuse {
    meta l4proto tcp reject with tcp reset
    reject with icmpx admin-prohibited
  }
  chain bound {
${closed}
    add @open { iifname ct count over ${connections} } goto refuse
    update @fresh { iifname limit rate over ${connectionsPerSecond}/second burst ${connectionsPerSecond * 10} packets } goto refuse
  }
  chain out {
    ct state new jump bound
${lookUp}
    ip daddr @not_public goto refuse
    meta nfproto ipv4 accept
    goto refuse
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname ${theirs} oifname ${theirs} goto refuse
    iifname ${theirs} jump out
    oifname ${theirs} ct state established,related accept
    oifname ${theirs} drop
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname ${theirs} ct state established,related accept
    iifname ${theirs} jump bound
    iifname ${theirs} ip daddr != @not_public tcp dport { ${publicPorts} } accept
    iifname ${theirs} goto refuse
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${workspaceNetwork.block} oifname != ${theirs} masquerade
  }
${guard ? `  chain guard {\n    type filter hook forward priority filter + 1; policy accept;\n    iifname != ${theirs} oifname != ${theirs} drop\n  }\n` : ""}`;
  const mark = createHash("sha256").update(body).digest("hex").slice(0, 16);
  // Named first, so that deleting it is no failure where there is none.
  return `table inet ${table} {}\ndelete table inet ${table}\ntable inet ${table} {\n  chain mark_${mark} { }\n${body}}\n`;
}

const markOf = (rules: string): string => /chain (mark_[0-9a-f]+)/.exec(rules)![1]!;

function run(nft: string, args: readonly string[], input: string): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(nft, args, { input, timeout: applyTimeoutMs, encoding: "utf8", env: { LC_ALL: "C" } });
  return { ok: status === 0, output: status === 0 ? stdout : (stderr ?? "").trim() };
}
