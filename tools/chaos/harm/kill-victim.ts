/** Carries out a round's fault: kill -9 of its victim, silence of all workspaces, or a fault of what the program depends on. */
import { setTimeout as sleep } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bearsMarkOf, listProcesses } from "#apps/provisioner/drivers/process/running/process-table.ts";
import { harm } from "./harm.ts";
import type { Lane } from "../lane.ts";
import type { Victim } from "../round/plan-round.ts";
import type { Tenant } from "../tenant.ts";

/** Every living process of the workspace: found by its Unix user or, on hosts without such users, by the folder in its environment. */
export async function processesOf(dataDir: string, workspace: { id: string; number: number }): Promise<number[]> {
  const uid = firstUid(dataDir);
  if (uid !== undefined) return (await listProcesses((_entry, uids) => uids.includes(uid + workspace.number), true)).map(({ pid }) => pid);
  const folder = join(dataDir, "workspaces", workspace.id);
  const marked: number[] = [];
  for (const { pid } of await listProcesses(({ pid }) => pid !== process.pid, false)) if (await bearsMarkOf(pid, folder)) marked.push(pid);
  return marked;
}

/** The first user number of this installation; undefined on a host that cannot give workspaces separate users. */
export function firstUid(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, "workspaces", ".first-uid"), "utf8"));
  } catch {
    return undefined;
  }
}

/** Longer than one check of a workspace may take, and shorter than the silence after which it is restarted. */
const silenceMs = 6_000;
const endsWithinMs = 60_000;

interface Placed {
  id: string;
  number: number;
  name: string;
}

/** Kills or harms the victim as it is now; false if there was none, a sentence if the program did not notice. Resolves when it is over. */
export async function killVictim(lane: Lane, victim: Victim, tenant: Tenant): Promise<boolean | string> {
  const { slipway } = lane;
  switch (victim) {
    case "control plane":
      return send(slipway.pid(), "SIGKILL");
    case "SIGHUP":
      return hangUp(lane);
    case "PostgreSQL":
      return send(slipway.postmasterPid(), "SIGKILL");
    case "workspace":
    case "silence":
      return meetWorkspaces(lane, victim, tenant);
    default:
      return harm(lane, victim, tenant);
  }
}

/** The program shuts down cleanly, which takes a moment, and is restarted. */
async function hangUp({ slipway, supervisor }: Lane): Promise<boolean> {
  const before = supervisor.restarts();
  if (!send(slipway.pid(), "SIGHUP")) return false;
  for (let waitedMs = 0; supervisor.restarts() === before && waitedMs < endsWithinMs; waitedMs += 100) await sleep(100);
  return true;
}

async function meetWorkspaces({ slipway, rows }: Lane, victim: Victim, { customer }: Tenant): Promise<boolean> {
  const all = await rows
    .ask<Placed>("select w.id, w.number::int, a.name from workspaces w join accounts a on a.id = w.account_id")
    .catch(() => []);
  const met = victim === "silence" ? all : all.filter(({ name }) => name === customer.accountName);
  const pids = (await Promise.all(met.map((workspace) => processesOf(slipway.dataDir, workspace)))).flat();
  if (victim === "workspace") return pids.map((pid) => send(pid, "SIGKILL")).some(Boolean);
  const silenced = pids.filter((pid) => send(pid, "SIGSTOP"));
  await sleep(silenceMs);
  for (const pid of silenced) send(pid, "SIGCONT");
  return silenced.length > 0;
}

function send(pid: number | undefined, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGHUP"): boolean {
  try {
    return pid !== undefined && process.kill(pid, signal);
  } catch {
    return false;
  }
}
