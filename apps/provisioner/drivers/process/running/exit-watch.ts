/**
 * Notices soon that a workspace ended. The system tells a parent; processes started by an earlier control plane are checked once a second.
 */
import type { Log } from "#platform/log.ts";
import { createSlots } from "#platform/loops/slots.ts";
import { isAlive, type ProcessRecord } from "./process-record.ts";

/**
 * Each look reads /proc, the processor time and the log: about 0.1 ms of CPU per workspace on a busy machine, so 500 cost 5 % of a core.
 */
const lookEveryMs = 1_000;

export interface ExitWatch {
  /** Tells the watch that this process was seen running; it watches only processes that it was told about. */
  noteRunning(workspaceId: string, record: ProcessRecord): void;
  forget(workspaceId: string): void;
  /** Tells the listeners now, once, if the workspace was known to run. */
  announce(workspaceId: string, pid: number): void;
  listen(onExit: (workspaceId: string) => void): () => void;
}

/** /proc and logs are read in four threads. A read that hangs, on a dead disk, blocks no other. */
const slotsOf = { most: 8, patienceMs: 1_000 } as const;

/**
 * `eachLook` is called for every running workspace at each look, unless its last call has not returned; it delays neither the others nor
 * the announcement of an end. The timer does not keep the program alive.
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
      .catch((err: unknown) => log.warn({ err, workspaceId }, "a running workspace could not be checked"))
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
    log.error({ err, workspaceId }, "a listener failed when told that a workspace ended");
  }
}
