/**
 * Notices soon that a workspace ended. A parent is told by the system; of processes that an earlier control plane
 * started nobody is, so those are looked at once a second.
 */
import type { Log } from "#platform/log.ts";
import { createSlots } from "#platform/loops/slots.ts";
import { isAlive, type ProcessRecord } from "./process-record.ts";

/** One look at /proc, one at its processor time and one at the log per workspace: about 0.1 ms of CPU each on a busy machine, so 500 cost 5 % of a core. */
const lookEveryMs = 1_000;

export interface ExitWatch {
  /** Tells the watch that this process was seen running; nothing it has not been told of is watched. */
  noteRunning(workspaceId: string, record: ProcessRecord): void;
  forget(workspaceId: string): void;
  /** Tells the listeners now, once, if the workspace was known to run. */
  announce(workspaceId: string, pid: number): void;
  listen(onExit: (workspaceId: string) => void): () => void;
}

/** Reads of /proc and of logs are done in four threads. One that does not return, on a disk that hangs, holds up no other. */
const slotsOf = { most: 8, patienceMs: 1_000 } as const;

/**
 * `eachLook` is called for every workspace still running at each look, unless it is still at the look before; it holds up neither the others
 * nor the news of an end. The timer keeps no program alive.
 */
export function createExitWatch(log: Log, eachLook: (workspaceId: string, record: ProcessRecord) => Promise<void>): ExitWatch {
  const running = new Map<string, ProcessRecord>();
  const listeners = new Set<(workspaceId: string) => void>();
  const slots = createSlots(slotsOf);
  const lookedAt = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const announce = (workspaceId: string, pid: number): void => {
    if (running.get(workspaceId)?.pid !== pid) return;
    running.delete(workspaceId);
    for (const listener of listeners) tell(listener, workspaceId, log);
  };
  const lookAt = (workspaceId: string, record: ProcessRecord): void => {
    if (lookedAt.has(workspaceId)) return;
    lookedAt.add(workspaceId);
    void slots
      .run(() => eachLook(workspaceId, record))
      .catch((err: unknown) => log.warn({ err, workspaceId }, "a running workspace could not be looked at"))
      .finally(() => lookedAt.delete(workspaceId));
  };
  const look = async (): Promise<void> => {
    for (const [workspaceId, record] of running) {
      if (await isAlive(record)) lookAt(workspaceId, record);
      else announce(workspaceId, record.pid);
    }
    timer = running.size > 0 ? schedule() : undefined;
  };
  const schedule = (): NodeJS.Timeout => setTimeout(() => void look(), lookEveryMs).unref();

  return {
    announce,
    forget: (workspaceId) => void running.delete(workspaceId),
    noteRunning: (workspaceId, record) => {
      running.set(workspaceId, record);
      timer ??= schedule();
    },
    listen: (onExit) => {
      const listener = (workspaceId: string): void => onExit(workspaceId);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function tell(listener: (workspaceId: string) => void, workspaceId: string, log: Log): void {
  try {
    listener(workspaceId);
  } catch (err) {
    log.error({ err, workspaceId }, "a listener failed on hearing that a workspace ended");
  }
}
