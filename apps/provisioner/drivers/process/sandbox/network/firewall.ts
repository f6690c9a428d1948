/**
 * Where workspaces may connect to: only the internet. One table serves all installations of this host, since the interfaces of all
 * workspaces have the same prefix and the same rules. Replacing it is one transaction, so the rules are never absent. A refused connection
 * is answered, by a reset if possible: the kernel sends few of the other answers, and a workflow would wait for a time-out.
 */
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import path from "node:path";
import { openHostNotes } from "../../host/host-notes.ts";
import { interfacePrefix, workspaceNetwork } from "./network.ts";
import type { SandboxTools } from "../sandbox-tools.ts";
import { closedNetworks } from "../../../closed-networks.ts";

type FirewallTools = Pick<SandboxTools, "nft" | "flock">;

const table = "slipway";
/** Interfaces whose connections are counted; more than fit in a host's memory. */
const mostWorkspaces = 65_536;
const applyTimeoutMs = 15_000;

/** The public ports of the host's own panel and workspaces: a workflow may call its own address. */
const publicPorts = "80, 443";

/** Limits on outgoing connections of a workspace. All installations of a host share one set of rules: the newest start decides. */
export interface NetworkPolicy {
  /** TCP ports that are refused everywhere: mail between servers, unless an operator opens it. */
  closedPorts: readonly number[];
  /**
   * Connections of one workspace that the host tracks at a time. Its table has a fixed size, and a workspace that filled it would cut off
   * the others.
   */
  connections: number;
  /** New ones per second, after a burst of ten times as many. */
  connectionsPerSecond: number;
}

export const usualNetworkPolicy: NetworkPolicy = { closedPorts: [25], connections: 2_048, connectionsPerSecond: 100 };

const forwardingFile = "/proc/sys/net/ipv4/ip_forward";

/** What was wrong and has been repaired. */
type FirewallMend = "rules" | "forwarding";

/**
 * Where this host records, until its next boot, which rules are in force in the network namespace of this process: others have other rules.
 */
const notes = {
  folder: "/run/slipway",
  ofNetwork: () => path.join("/run/slipway", `network-${/\d+/.exec(readlinkSync("/proc/self/ns/net"))?.[0]}`),
};

const forwardingNote = (): string => `${notes.ofNetwork()}-forwarding`;

/*
 * Arguments: 1 nft, 2 the table, 3 the note. The note keeps the rules' listing from when they were put in force, by any installation: rules
 * changed or flushed by another program since then list differently. Without the contents of sets, which are the current connections.
 */
const listing = `list() { "$1" --stateless --terse list table inet "$2"; }`;
const applyScript = `${listing}; set -e; "$1" -f -; list "$1" "$2" > "$3.new"; mv -f -- "$3.new" "$3"`;
const compareScript = `${listing}; list "$1" "$2" 2>/dev/null | cmp -s - "$3"`;

/** Puts the rules in force if they are not, in one transaction, and switches forwarding on. Throws with nft's error. */
export function applyFirewall(tools: FirewallTools, nameServers: readonly string[], policy: NetworkPolicy): void {
  openHostNotes(notes.folder);
  const guards = mustGuard(tools);
  const rules = firewallRules(nameServers, policy, guards);
  if (!isWhole(tools) || !run(tools, ["-c", listing + '; list "$1" "$2"']).output.includes(markOf(rules))) {
    const { ok, output } = run(tools, ["-c", applyScript], rules);
    if (!ok) throw new Error(`nftables refused the rules for workspaces: ${output}`);
  }
  // Not sooner: on a host that refuses the rules, forwarding stays off, and if it is switched on there later, that is for another purpose.
  if (guards) writeFileSync(forwardingNote(), "switched on for workspaces\n");
  writeFileSync(forwardingFile, "1");
}

/**
 * Repairs what was changed or flushed since it was put in force. The newest start decides, so intact rules of another installation stay.
 */
export function holdFirewall(tools: FirewallTools, nameServers: readonly string[], policy: NetworkPolicy): FirewallMend[] {
  const mends: FirewallMend[] = [];
  if (!isWhole(tools)) mends.push("rules");
  if (!isForwarding()) mends.push("forwarding");
  if (mends.length > 0) applyFirewall(tools, nameServers, policy);
  return mends;
}

const isForwarding = (): boolean => readFileSync(forwardingFile, "utf8").trim() !== "0";
const isWhole = (tools: FirewallTools): boolean => run(tools, ["-c", compareScript]).ok;

/**
 * A host that did not forward must not become a router because workspaces need forwarding: other traffic stays refused. A note records who
 * switched forwarding on. It is written first, because flushed rules cannot tell.
 */
function mustGuard(tools: FirewallTools): boolean {
  const wasOurs = existsSync(forwardingNote()) || run(tools, ["-c", listing + '; list "$1" "$2"']).output.includes("chain guard");
  return wasOurs || !isForwarding();
}

/** The whole table in nft's syntax. */
export function firewallRules(
  nameServers: readonly string[],
  { closedPorts, connections, connectionsPerSecond }: NetworkPolicy,
  guard: boolean,
): string {
  const theirs = `"${interfacePrefix}*"`;
  const resolvers = nameServers.filter((address) => isIPv4(address));
  const lookUp = resolvers.length > 0 ? `    ip daddr { ${resolvers.join(", ")} } meta l4proto { tcp, udp } th dport 53 accept` : "";
  const closed = closedPorts.length > 0 ? `    tcp dport { ${closedPorts.join(", ")} } goto refuse` : "";
  // In the rules themselves instead of a named set, so that it appears in a listing and cannot be emptied unnoticed.
  const nearby = `{ ${closedNetworks.join(", ")} }`;
  // By interface, which a workspace cannot choose. Refused connections never enter the connection table.
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
    ip daddr ${nearby} goto refuse
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
    iifname ${theirs} ip daddr != ${nearby} tcp dport { ${publicPorts} } accept
    iifname ${theirs} goto refuse
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${workspaceNetwork.block} oifname != ${theirs} masquerade
  }
${guard ? `  chain guard {\n    type filter hook forward priority filter + 1; policy accept;\n    iifname != ${theirs} oifname != ${theirs} drop\n  }\n` : ""}`;
  const mark = createHash("sha256").update(body).digest("hex").slice(0, 16);
  // Declared first, so that deleting it does not fail if there is none.
  return `table inet ${table} {}\ndelete table inet ${table}\ntable inet ${table} {\n  chain mark_${mark} { }\n${body}}\n`;
}

const markOf = (rules: string): string => /chain (mark_[0-9a-f]+)/.exec(rules)![1]!;

/** Under a lock of the host: no installation may look between another one's rules and its note of them. */
function run({ flock, nft }: FirewallTools, script: readonly string[], input = ""): { ok: boolean; output: string } {
  const args = [path.join(notes.folder, "network.lock"), "/bin/sh", ...script, "sh", nft, table, notes.ofNetwork()];
  const { status, stdout, stderr } = spawnSync(flock, ["-w", "10", ...args], {
    input,
    timeout: applyTimeoutMs,
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
  });
  return { ok: status === 0, output: status === 0 ? stdout : (stderr ?? "").trim() };
}
