/**
 * A workspace's own network: a namespace with one interface, whose other end is on the host. It contains neither the host's loopback nor
 * its private ports nor other workspaces. Interfaces and namespaces are named after the workspace's user id, which is unique on a host.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { runProgram } from "../../host/run-program.ts";
import type { SandboxTools } from "../sandbox-tools.ts";

/** The prefix of all workspaces' interfaces; the rest of the name is the user id, in at most 15 characters (IFNAMSIZ). */
export const interfacePrefix = "slw";

/**
 * Where workspaces' addresses come from: RFC 2544's block for benchmarks, which no network routes and hardly any uses internally. The first
 * address is the host's, on its loopback.
 */
export const workspaceNetwork = { block: "198.18.0.0/15", host: "198.18.0.1", first: ip(198, 18, 0, 2), last: ip(198, 19, 255, 254) };

const randomTries = 200;
const commandTimeoutMs = 10_000;

function ip(a: number, b: number, c: number, d: number): number {
  return a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
}

export const networkName = (uid: number): string => `${interfacePrefix}${uid.toString(36)}`;

/** An address that no interface of this host leads to: the previous one if possible. */
export function chooseAddress(tools: Pick<SandboxTools, "ip">, name: string, before: string | undefined): string {
  const taken = takenAddresses(tools, name);
  if (before !== undefined && isOurs(before) && !taken.has(before)) return before;
  for (let tries = 0; tries < randomTries; tries += 1) {
    const address = format(randomInt(workspaceNetwork.first, workspaceNetwork.last + 1));
    if (!taken.has(address)) return address;
  }
  throw new Error(`no address of ${workspaceNetwork.block} is free on this host`);
}

function takenAddresses(tools: Pick<SandboxTools, "ip">, name: string): Set<string> {
  const { stdout } = spawnSync(tools.ip, ["-4", "-o", "route", "show", "root", workspaceNetwork.block], {
    encoding: "utf8",
    timeout: commandTimeoutMs,
    env: { LC_ALL: "C" },
  });
  const routes = stdout.split("\n").filter((line) => line !== "" && !line.includes(` dev ${name} `));
  return new Set(routes.map((line) => line.split(" ")[0]!));
}

const format = (number: number): string => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");

function isOurs(address: string): boolean {
  if (!isIPv4(address)) return false;
  const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number];
  return ip(a, b, c, d) >= workspaceNetwork.first && ip(a, b, c, d) <= workspaceNetwork.last;
}

/** Removes the workspace's network, if any. */
export async function removeNetwork(tools: Pick<SandboxTools, "ip">, name: string): Promise<void> {
  // The interface first: if it were removed with the namespace, it would stay a moment longer.
  for (const args of [
    ["link", "delete", name],
    ["netns", "delete", name],
  ])
    await runProgram({ program: tools.ip, args, timeoutMs: commandTimeoutMs }).catch(() => undefined);
}

/** The host's name servers, without those that only the host can reach. IPv4 only, since workspaces have no IPv6. */
export function findNameServers(): string[] {
  // systemd-resolved names its stub in the first file and the real ones in the second.
  for (const file of ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"]) {
    const servers = readNameServers(file).filter((address) => isIPv4(address) && !address.startsWith("127."));
    if (servers.length > 0) return servers;
  }
  return [];
}

function readNameServers(file: string): string[] {
  try {
    return [...readFileSync(file, "utf8").matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address]) => address!);
  } catch {
    return [];
  }
}
