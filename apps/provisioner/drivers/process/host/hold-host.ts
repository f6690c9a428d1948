/** Checks what all workspaces of a host depend on, repairs what it can and reports the rest. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { availableMb } from "#platform/host/available-mb.ts";
import { DriverFailure, type HostTrouble } from "../../driver.ts";
import { hasCode } from "../../driver-trouble.ts";
import type { ProcessHost } from "./process-host.ts";
import { isAlive, readRecord } from "../running/process-record.ts";
import { listProcesses } from "../running/process-table.ts";
import { isReadOnly } from "../sandbox/read-only.ts";

/** All current problems of this host that could not be repaired. */
export async function holdHost(host: ProcessHost, running: readonly string[]): Promise<HostTrouble[]> {
  return [...holdNetwork(host), ...(await lookForRoom(host)), ...(await holdWorkspaces(host, running))];
}

function holdNetwork({ sandbox }: ProcessHost): HostTrouble[] {
  try {
    return (sandbox?.holdNetwork() ?? []).map((detail) => ({ kind: "name servers", detail }));
  } catch (error) {
    return [{ kind: "network", detail: (error as Error).message }];
  }
}

/** Workspaces' disks are sparse files, so the host's own disk must have room for what they may still store. */
async function lookForRoom(host: ProcessHost): Promise<HostTrouble[]> {
  const freeMb = await availableMb(host.workspacesDir);
  if (freeMb >= host.floorMb) return [];
  return [
    {
      kind: "room",
      detail: `${host.workspacesDir} has ${freeMb} MB left on its disk, below the floor of ${host.floorMb} MB: no workspace is launched, and what running ones store may be lost`,
    },
  ];
}

/** Refuses work that needs space on a host disk with hardly any left. Throws DriverFailure `no_room`. */
export async function refuseBelowFloor(host: ProcessHost, what: string): Promise<void> {
  const freeMb = await availableMb(host.workspacesDir);
  if (freeMb < host.floorMb)
    throw new DriverFailure(
      "no_room",
      `${what}: no space left on the host's disk, which has ${freeMb} MB of the ${host.floorMb} MB that are its floor`,
    );
}

/**
 * Checks that disks are writable and control groups are in place. Rearranging a host's groups can move workspaces out of theirs, and so out
 * of all limits.
 */
async function holdWorkspaces(host: ProcessHost, running: readonly string[]): Promise<HostTrouble[]> {
  const troubles: HostTrouble[] = [];
  for (const workspaceId of running) {
    const record = await readRecord(host.paths(workspaceId)).catch(() => undefined);
    if (record?.uid === undefined || !record.sandboxed || !host.sandbox || !(await isAlive(record))) continue;
    const { uid } = record;
    // Announced like an end of the process, so that it does not wait for the next look at this workspace.
    if (await isReadOnly(host.paths(workspaceId).data)) host.exits.announce(workspaceId, record.pid);
    const groups = host.sandbox.groups({ uid });
    const own = await readFile(`/proc/${record.pid}/cgroup`, "utf8").catch(() => undefined);
    if (own === undefined || (own.match(new RegExp(`/${path.basename(groups[0]!)}$`, "gm")) ?? []).length >= groups.length) continue;
    host.log.error({ workspaceId, groups: own }, "a workspace was outside its control groups and was moved back");
    const pids = (await listProcesses((_entry, uids) => uids.includes(uid), true)).map(({ pid }) => pid);
    for (const group of groups) for (const pid of pids) await enter(group, pid);
    if (!groups.every((group) => existsSync(group)))
      troubles.push({
        kind: "bounds",
        detail: `the workspace ${workspaceId} runs without limits because its control groups are gone: restart it`,
      });
  }
  return troubles;
}

async function enter(group: string, pid: number): Promise<void> {
  await writeFile(path.join(group, "cgroup.procs"), String(pid), { flag: "r+" }).catch((error: unknown) => {
    // It has ended, or its group is gone, which is reported.
    if (!hasCode(error, "ESRCH", "ENOENT")) throw error;
  });
}
