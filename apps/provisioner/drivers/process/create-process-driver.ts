/** Runs workspaces as processes of this host that outlive the control plane, and finds them again after its restart. */
import { readdir } from "node:fs/promises";
import { secondMs } from "#platform/clock.ts";
import { createSlots } from "#platform/loops/slots.ts";
import { within } from "#platform/loops/within.ts";
import { checkRunSpec, checkStorage, checkWorkspaceId } from "../check-run-spec.ts";
import type { Driver, RunObservation, RunSpec } from "../driver.ts";
import { createOneAtATime } from "../one-at-a-time.ts";
import type { Isolation } from "./host/describe-isolation.ts";
import { fail } from "../driver-trouble.ts";
import { killHolders } from "./running/end-processes.ts";
import { shortOf } from "./freezing/short-of.ts";
import { holdHost } from "./host/hold-host.ts";
import { measureUsage } from "./running/measure-usage.ts";
import { isThere, observeWorkspace } from "./observe-workspace.ts";
import { readNewOutput, readOutput } from "./running/output-log.ts";
import { prepareFolder } from "./storage/prepare-folder.ts";
import { listNumbers, listStored } from "./storage/remove-folder.ts";
import { openProcessHost, type ProcessDriverOptions, type ProcessHost } from "./host/process-host.ts";
import { isAlive, readRecord } from "./running/process-record.ts";
import { endWorkspace, removeWorkspace } from "./remove-workspace.ts";
import { reassignWorkspace } from "./reassign-workspace.ts";
import { runWorkspace, stopWorkspace } from "./run-workspace.ts";
import { hasRoomToReplace, readStorage, replaceStorage } from "./storage/workspace-storage.ts";

export type { ProcessDriverOptions } from "./host/process-host.ts";

export interface ProcessDriver extends Driver {
  /** Whether workspaces run in isolation, and if not, why. */
  readonly isolation: Isolation;
  /**
   * Stops every running workspace, removes what it had on the host, and keeps its data, for when a person ends the program. Tries all, then
   * throws the first failure.
   */
  stopAll(): Promise<void>;
}

/** Stopping is mostly waiting: 16 at a time stop 100 workspaces in seconds without waking them all together. */
const stopsAtOnce = 16;

/** A driver over `workspacesDir`; several may share it, in one process or in several. */
export function createProcessDriver(options: ProcessDriverOptions): ProcessDriver {
  const host = openProcessHost(options);
  const inTurn = createOneAtATime();
  void listRunning(host);
  const changeFrozen = async (workspaceId: string, work: () => Promise<RunObservation>): Promise<RunObservation> => {
    checkWorkspaceId(workspaceId);
    return inTurn(workspaceId, work).catch((error: unknown) => fail(error, "freeze_failed", "the workspace could not be frozen or thawed"));
  };
  return {
    name: "process",
    isolation: host.isolation,
    ensure: async (spec) => {
      checkRunSpec(spec);
      if (!spec.run) host.freezing.interrupt(spec.workspaceId);
      return inTurn(spec.workspaceId, () => ensureWorkspace(host, spec));
    },
    observe: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      return observeWorkspace(host, workspaceId);
    },
    listRunning: () => listRunning(host),
    listStored: () => listStored(host.workspacesDir),
    ...(host.owner(0) && { listNumbers: () => listNumbers(host.workspacesDir, host.owner(0)!) }),
    ...(host.freezing.missing === undefined
      ? {
          freeze: (workspaceId: string, until?: "frozen") =>
            changeFrozen(workspaceId, () => host.freezing.freeze(host, workspaceId, until)),
          pageOut: async (workspaceId: string) => void (await changeFrozen(workspaceId, () => host.freezing.pageOut(host, workspaceId))),
          freezesTo: host.freezing.to,
        }
      : { cannotFreeze: host.freezing.missing }),
    shortOf: () => shortOf(),
    thaw: (workspaceId) => {
      host.freezing.interrupt(workspaceId);
      return changeFrozen(workspaceId, () => host.freezing.thaw(host, workspaceId));
    },
    reassign: async (spec) => {
      checkRunSpec(spec);
      return inTurn(spec.workspaceId, () => reassignWorkspace(host, spec)).catch((error: unknown) =>
        fail(error, "start_failed", "the workspace could not be made one of another spec"),
      );
    },
    end: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      host.freezing.interrupt(workspaceId);
      await inTurn(workspaceId, () => endWorkspace(host, workspaceId)).catch((error: unknown) =>
        fail(error, "stop_failed", "the workspace could not be ended"),
      );
    },
    remove: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      host.freezing.interrupt(workspaceId);
      const remove = (): Promise<void> => removeWorkspace(host, workspaceId);
      await inTurn(workspaceId, remove).catch((error: unknown) => fail(error, "stop_failed", "the workspace could not be removed"));
    },
    readStorage: async (place, paths, unread) => {
      checkStorage(place, paths);
      return readStorage(host, place, paths, unread).catch((error: unknown) =>
        fail(error, "storage_failed", "the workspace's files could not be read"),
      );
    },
    replaceStorage: async (place, paths, archive, bytes) => {
      checkStorage(place, paths);
      const replace = (): Promise<void> => replaceStorage(host, place, paths, archive, bytes);
      await inTurn(place.workspaceId, replace).catch((error: unknown) =>
        fail(error, "storage_failed", "the workspace's files could not be replaced"),
      );
    },
    hasRoomToReplace: async (place, bytes) => {
      checkStorage(place, []);
      return hasRoomToReplace(host, place, bytes).catch((error: unknown) =>
        fail(error, "storage_failed", "the workspace's free space could not be read"),
      );
    },
    logs: async (workspaceId, maxBytes) => {
      checkWorkspaceId(workspaceId);
      // The disk with the logs is not mounted after a restart of the host.
      await host.sandbox?.prepareLogs(host.paths(workspaceId));
      return readOutput(host.paths(workspaceId), maxBytes);
    },
    newLogs: async (workspaceId, mark, maxBytes) => {
      checkWorkspaceId(workspaceId);
      // Mounting takes a program, so it is done once for each follower, not for each look.
      if (mark === null) await host.sandbox?.prepareLogs(host.paths(workspaceId));
      return readNewOutput(host.paths(workspaceId), mark, maxBytes);
    },
    usage: async (workspaceIds) => {
      workspaceIds.forEach((id) => checkWorkspaceId(id));
      return measureUsage(host, workspaceIds);
    },
    holdHost: async () => holdHost(host, await listWorkspaces(host)),
    readySignal: (workspaceId) => {
      checkWorkspaceId(workspaceId);
      return host.ready.of(workspaceId);
    },
    endStart: (workspaceId) => {
      host.ready.forget(workspaceId);
      host.shares?.endStart(workspaceId);
    },
    watch: (onExit) => host.exits.listen(onExit),
    stopAll: () => stopAll(host, (workspaceId, work) => inTurn(workspaceId, work)),
  };
}

async function ensureWorkspace(host: ProcessHost, spec: RunSpec): Promise<RunObservation> {
  try {
    if (spec.run) return await runWorkspace(host, spec);
    // Regardless of its record: a frozen process cannot even be killed.
    const owner = host.owner(spec.workspaceNumber);
    if (owner) host.sandbox?.freezer?.thaw(owner);
    await stopWorkspace(host, spec.workspaceId, spec.stopTimeoutMs);
    await killHolders(host.paths(spec.workspaceId).lock);
    const paths = host.paths(spec.workspaceId);
    // Mounts, repairs and growth are the next start's: on a full host they fail, and must not fail a stop.
    if (!(await isThere(paths.data))) await prepareFolder(paths, owner, host.sandbox);
    return await observeWorkspace(host, spec.workspaceId);
  } catch (error) {
    return fail(error, spec.run ? "start_failed" : "stop_failed", `the workspace could not be ${spec.run ? "started" : "stopped"}`);
  }
}

/** Fast for thousands of workspaces: each is a small file and a line of the process table. */
const looks = { most: 16, limitMs: 5 * secondMs } as const;

/** Informs the watch of running ones: an earlier control plane may have left them, or another one started them. */
async function listRunning(host: ProcessHost): Promise<Set<string>> {
  const slots = createSlots({ most: looks.most });
  const isRunning = async (workspaceId: string): Promise<boolean> => {
    const record = await readRecord(host.paths(workspaceId));
    if (!record || !(await isAlive(record))) return false;
    host.exits.noteRunning(workspaceId, record);
    return true;
  };
  const look = (id: string) => slots.run(() => within(looks.limitMs, "a look at a workspace", isRunning(id)).catch(() => true));
  const all = await Promise.all((await listWorkspaces(host)).map(async (id) => ({ id, runs: await look(id) })));
  return new Set(all.filter(({ runs }) => runs).map(({ id }) => id));
}

async function stopAll(host: ProcessHost, inTurn: (workspaceId: string, work: () => Promise<void>) => Promise<void>): Promise<void> {
  const waiting = await listWorkspaces(host);
  const failures: unknown[] = [];
  const stopNext = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const workspaceId = id;
      host.freezing.interrupt(workspaceId);
      await inTurn(workspaceId, () => takeDown(host, workspaceId)).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: stopsAtOnce }, stopNext));
  if (failures.length > 0) fail(failures[0], "stop_failed", `${failures.length} workspaces could not be stopped`);
}

async function takeDown(host: ProcessHost, workspaceId: string): Promise<void> {
  await stopWorkspace(host, workspaceId);
  await host.sandbox?.dismantle(host.paths(workspaceId));
}

async function listWorkspaces(host: ProcessHost): Promise<string[]> {
  const names = await readdir(host.workspacesDir).catch(() => []);
  return names.filter((name) => !name.startsWith("."));
}
