/** Assigns ports to workspaces on this host. A workspace keeps its ports until it is removed, so that a restart changes no address. */
import { randomBytes, randomInt } from "node:crypto";
import { readdir, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { DriverFailure } from "../../driver.ts";
import { readIfPresent } from "../running/process-record.ts";
import { workspacePaths } from "../storage/workspace-paths.ts";

export interface PortRange {
  from: number;
  to: number;
}

/** Below the ephemeral ports of Linux (32768–60999), so that no outgoing connection takes one. */
export const defaultPortRange: PortRange = { from: 20_000, to: 29_999 };

/** Two installations on one host do not know about each other: random choices rarely collide, and each is tested before it is taken. */
const randomTries = 500;

type PortsByName = Record<string, number>;

export interface PortAllocator {
  /** The workspace's ports: the previous ones if still free. Throws DriverFailure `port_in_use` when none is left. */
  reserve(workspaceId: string, names: readonly string[]): Promise<PortsByName>;
  release(workspaceId: string): void;
}

/** Assigns ports in `range` that no workspace below `workspacesDir` has and no process on this host listens on. */
export function createPortAllocator(workspacesDir: string, range: PortRange): PortAllocator {
  const holders = new Map<number, string>();
  let loaded: Promise<void> | undefined;
  const reserve = async (workspaceId: string, names: readonly string[]): Promise<PortsByName> => {
    await (loaded ??= loadHolders(workspacesDir, holders));
    const file = workspacePaths(workspacesDir, workspaceId).ports;
    const before = await readPorts(file);
    const ports: PortsByName = {};
    for (const name of names) ports[name] = await take(holders, workspaceId, before[name], range);
    release(holders, workspaceId, new Set(Object.values(ports)));
    // Written even if nothing changed: better to discover a full disk here than in the process.
    const beside = `${file}.${randomBytes(4).toString("hex")}`;
    await writeFile(beside, JSON.stringify(ports), { mode: 0o600 });
    await rename(beside, file);
    return ports;
  };
  return { reserve, release: (workspaceId) => release(holders, workspaceId, new Set()) };
}

async function take(holders: Map<number, string>, workspaceId: string, preferred: number | undefined, range: PortRange): Promise<number> {
  if (preferred !== undefined && (await claim(holders, workspaceId, preferred))) return preferred;
  for (const port of candidates(range)) if (!holders.has(port) && (await claim(holders, workspaceId, port))) return port;
  throw new DriverFailure("port_in_use", `no port from ${range.from} to ${range.to} is free on this host`);
}

function* candidates({ from, to }: PortRange): Generator<number> {
  for (let tries = 0; tries < randomTries; tries += 1) yield randomInt(from, to + 1);
  for (let port = from; port <= to; port += 1) yield port;
}

/** Marks a port before testing it, so that two workspaces starting together do not find the same port free. */
async function claim(holders: Map<number, string>, workspaceId: string, port: number): Promise<boolean> {
  const holder = holders.get(port);
  if (holder !== undefined && holder !== workspaceId) return false;
  holders.set(port, workspaceId);
  if (await isFree(port)) return true;
  holders.delete(port);
  return false;
}

function release(holders: Map<number, string>, workspaceId: string, kept: ReadonlySet<number>): void {
  for (const [port, holder] of holders) if (holder === workspaceId && !kept.has(port)) holders.delete(port);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

async function loadHolders(workspacesDir: string, holders: Map<number, string>): Promise<void> {
  const names = await readdir(workspacesDir).catch(() => []);
  for (const name of names.filter((each) => !each.startsWith("."))) {
    for (const port of Object.values(await readPorts(workspacePaths(workspacesDir, name).ports))) holders.set(port, name);
  }
}

async function readPorts(file: string): Promise<PortsByName> {
  try {
    const ports: unknown = JSON.parse((await readIfPresent(file)) ?? "{}");
    const valid = Object.entries(ports ?? {}).filter((entry): entry is [string, number] => Number.isInteger(entry[1]));
    return Object.fromEntries(valid);
  } catch {
    return {};
  }
}
