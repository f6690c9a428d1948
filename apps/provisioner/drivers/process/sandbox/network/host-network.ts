/**
 * What all workspaces' networks need from the host: rules, forwarding, the host's end of their addresses, name servers. Other programs on
 * the host can change these while workspaces run (`nft flush ruleset`, `sysctl --system`, a new DHCP lease), so they are checked
 * periodically.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import type { Log } from "#platform/log.ts";
import { applyFirewall, holdFirewall } from "./firewall.ts";
import { findNameServers, interfacePrefix, workspaceNetwork } from "./network.ts";
import { placeFollowedFile } from "../place-file.ts";
import type { SandboxTools } from "../sandbox-tools.ts";
import type { SandboxLimits } from "../sandbox.ts";

interface HostNetwork {
  /** Becomes the workspaces' /etc/resolv.conf. */
  resolverFile: string;
  /** Repairs and logs problems; returns those that cannot be repaired. Throws if the host refuses the rules. */
  hold(): string[];
}

const commandTimeoutMs = 10_000;
const noNameServers =
  "workspaces have no name server: those of this host answer on its loopback only, or there are none. WORKSPACE_NAME_SERVERS names others";

/** Puts the rules in force and the name servers in place. Throws if the host refuses. */
export function openHostNetwork(
  tools: Pick<SandboxTools, "nft" | "flock" | "ip">,
  folder: string,
  { network: policy, nameServers: chosen }: Pick<SandboxLimits, "network" | "nameServers">,
  log: Log,
): HostNetwork {
  let nameServers = chosen ?? findNameServers();
  const place = (): string => placeFollowedFile(folder, "resolv.conf", nameServers.map((address) => `nameserver ${address}\n`).join(""));
  applyFirewall(tools, nameServers, policy);
  const resolverFile = place();

  function updateNameServers(): void {
    const now = chosen ?? findNameServers();
    // An empty list means that the file is just being written, or that the previous servers are as good a guess as any.
    if (now.length === 0 || now.join() === nameServers.join()) return;
    log.info({ before: nameServers, now }, "the host's name servers changed: workspaces follow");
    nameServers = now;
    applyFirewall(tools, nameServers, policy);
    place();
  }
  return {
    resolverFile,
    hold() {
      updateNameServers();
      const mended: string[] = holdFirewall(tools, nameServers, policy);
      if (holdHostAddress(tools)) mended.push("address");
      if (mended.length > 0)
        log.error({ mended }, "the network rules that isolate workspaces were changed from outside and have been restored");
      return (chosen ?? findNameServers()).length === 0 ? [noNameServers] : [];
    },
  };
}

/** Restores the host's end of all workspaces' networks, if there are any; true if it was missing. */
function holdHostAddress({ ip }: Pick<SandboxTools, "ip">): boolean {
  const isThere = Object.values(os.networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === workspaceNetwork.host),
  );
  if (isThere || !new RegExp(`^ *${interfacePrefix}`, "m").test(readFileSync("/proc/self/net/dev", "utf8"))) return false;
  return (
    spawnSync(ip, ["address", "add", `${workspaceNetwork.host}/32`, "dev", "lo", "scope", "host"], { timeout: commandTimeoutMs }).status ===
    0
  );
}
