/** Faults of what the program depends on: its database, its bucket, the host's disk and firewall. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses } from "#apps/provisioner/drivers/process/running/process-table.ts";
import type { Answer } from "#testing/ask.ts";
import type { Lane } from "../lane.ts";
import { breakDisk, fillDisk, flushFirewall, hasOwnHost } from "./own-host.ts";
import type { Victim } from "../round/plan-round.ts";
import type { Tenant } from "../tenant.ts";

type Harm = Exclude<Victim, "workspace" | "control plane" | "PostgreSQL" | "silence" | "SIGHUP">;

/** Longer than any part may wait for a database that does not answer. */
const hangsMs = 24_000;
/** The time within which /readyz must report it. */
const noticedMs = 20_000;
const fullMs = 6_000;
/** Longer than a silent bucket is tolerated. */
const bucketHangsMs = 35_000;

/** Causes the fault and undoes it; false if this lane has no such thing, a sentence if the program did not notice in time. */
export async function harm(lane: Lane, what: Harm, tenant: Tenant): Promise<boolean | string> {
  switch (what) {
    case "frozen PostgreSQL":
      return freezeDatabase(lane);
    case "dropped packets":
      return dropPackets(lane);
    case "hanging S3":
      return hangBucket(lane);
    case "full disk":
      return fill(lane);
    case "flushed firewall":
      return flush();
    case "read-only disk":
      return breakOne(lane, tenant);
  }
}

async function freezeDatabase({ slipway, far }: Lane): Promise<boolean | string> {
  const postmaster = far?.postmasterPid() ?? slipway.postmasterPid();
  if (postmaster === undefined) return false;
  const family = [postmaster, ...(await listProcesses(({ parent }) => parent === postmaster, false)).map(({ pid }) => pid)];
  send(family, "SIGSTOP");
  try {
    return await isNoticed(slipway, "a frozen PostgreSQL");
  } finally {
    send(family, "SIGCONT");
  }
}

/** Open connections go silent, and so do new ones for as long as a failover takes. */
async function dropPackets({ slipway, far }: Lane): Promise<boolean | string> {
  if (!far) return false;
  far.databaseLine.dropOpen();
  far.databaseLine.freeze();
  try {
    return await isNoticed(slipway, "a database whose packets are dropped");
  } finally {
    far.databaseLine.thaw();
  }
}

/** True once the fault has lasted its time and was reported by /readyz, or by a program that does not answer at all. */
async function isNoticed(slipway: Lane["slipway"], what: string): Promise<true | string> {
  const began = performance.now();
  let noticed = false;
  while (performance.now() - began < hangsMs) {
    noticed ||=
      performance.now() - began < noticedMs &&
      (await slipway.call("GET", "/readyz").then(
        // A gateway stays ready, and says that it has no database.
        (answer) => !isWell(answer),
        () => true,
      ));
    await sleep(200);
  }
  return noticed || `${what} was not noticed by /readyz within ${noticedMs / 1000} s`;
}

/** Whether /readyz names no problem; a gateway that serves from memory answers 200 although it has no database. */
export const isWell = (answer: Answer): boolean => answer.status === 200 && answer.json<{ status: string }>().status === "ready";

async function hangBucket({ far }: Lane): Promise<boolean> {
  if (!far) return false;
  far.bucketLine.freeze();
  await sleep(bucketHangsMs);
  far.bucketLine.thaw();
  return true;
}

async function fill({ slipway, hasOwnDisk }: Lane): Promise<boolean> {
  if (!hasOwnDisk) return false;
  // Data that was never synced may be lost when there is no room for it.
  execFileSync("sync", []);
  const makeRoom = fillDisk(slipway.dataDir);
  await sleep(fullMs);
  makeRoom();
  return true;
}

async function flush(): Promise<boolean> {
  if (hasOwnHost()) flushFirewall();
  return hasOwnHost();
}

async function breakOne({ slipway, rows, hasOwnDisk }: Lane, { customer }: Tenant): Promise<boolean> {
  if (!hasOwnDisk) return false;
  execFileSync("sync", []);
  const found = await rows
    .ask<{ id: string }>("select w.id from workspaces w join accounts a on a.id = w.account_id where a.name = $1", [customer.accountName])
    .catch(() => []);
  return found.map(({ id }) => breakDisk(join(slipway.dataDir, "workspaces", id, "disk.img"))).some(Boolean);
}

function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has already ended.
    }
  }
}
