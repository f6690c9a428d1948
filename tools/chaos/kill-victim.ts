/** kill -9 of what a round's fault names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bearsMarkOf, listProcesses } from "#apps/provisioner/drivers/process/process-table.ts";
import type { Lane } from "./lane.ts";
import type { Victim } from "./plan-round.ts";
import type { Tenant } from "./tenant.ts";

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

/** Kills it as it is at this moment; false where there was nothing to kill. */
export async function killVictim({ slipway, rows }: Lane, victim: Victim, { customer }: Tenant): Promise<boolean> {
  if (victim === "control plane") return kill(slipway.pid());
  if (victim === "PostgreSQL") return kill(slipway.postmasterPid());
  const [workspace] = await rows.ask<{ id: string; number: number }>("select w.id, w.number::int from workspaces w join accounts a on a.id = w.account_id where a.name = $1", [customer.accountName]).catch(() => []);
  if (!workspace) return false;
  const pids = await processesOf(slipway.dataDir, workspace);
  return pids.map(kill).some(Boolean);
}

function kill(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
