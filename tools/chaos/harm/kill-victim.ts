/** What a round's fault does: kill -9 of what it names, a silence of all workspaces, or harm to what the program stands on. */
import { setTimeout as sleep } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bearsMarkOf, listProcesses } from "#apps/provisioner/drivers/process/running/process-table.ts";
import { harm } from "./harm.ts";
import type { Lane } from "../lane.ts";
import type { Victim } from "../round/plan-round.ts";
import type { Tenant } from "../tenant.ts";

/** Every living process of the workspace: by its own Unix user, and where workspaces have none, by the folder whose mark it bears. */
export async function processesOf(dataDir: string, workspace: { id: string; number: number }): Promise<number[]> {
  const uid = firstUid(dataDir);
  if (uid !== undefined) return (await listProcesses((_entry, uids) => uids.includes(uid + workspace.number), true)).map(({ pid }) => pid);
  const folder = join(dataDir, "workspaces", workspace.id);
  const marked: number[] = [];
  for (const { pid } of await listProcesses(({ pid }) => pid !== process.pid, false)) if (await bearsMarkOf(pid, folder)) marked.push(pid);
  return marked;
}

/** Where this installation's users begin; undefined on a host that cannot give workspaces users of their own. */
export function firstUid(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, "workspaces", ".first-uid"), "utf8"));
  } catch {
    return undefined;
  }
}

/** Longer than a look at a workspace may take, and shorter than one may be silent before it is started again. */
const silenceMs = 6_000;
const endsWithinMs = 60_000;

interface Placed {
  id: string;
  number: number;
  name: string;
}

/** Kills or harms it as it is at this moment; false where there was nothing, a sentence where the program did not notice. Resolves when it is over. */
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

/** It ends in order, which takes a moment, and is started again. */
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
