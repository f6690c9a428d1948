/**
 * Freezes running workspaces and thaws them. Whether one is frozen is found by asking the kernel, so that any worker can, after any crash.
 */
import { DriverFailure, type RunObservation } from "../../driver.ts";
import { createOneAtATime, type OneAtATime } from "../../one-at-a-time.ts";
import { observeWorkspace } from "../observe-workspace.ts";
import type { ProcessHost } from "../host/process-host.ts";
import { isAlive, readRecord, type ProcessRecord } from "../running/process-record.ts";
import { setUpZram } from "./set-up-zram.ts";
import { lackOfSwap, listSwaps, type SwapFiles } from "./swap.ts";

export interface FreezingOptions {
  /** MB, before compression, of the compressed swap that is set up if this host has no swap; 0, the default, sets up none. */
  zramMb?: number;
  /** The operator accepts that workspaces' memory is written to a disk that is not known to be encrypted. False by default. */
  acceptsDisk?: boolean;
  /** Where the kernel lists its swap; replaced in tests. */
  swapFiles?: SwapFiles;
}

export interface Freezing {
  /** Why this host cannot freeze workspaces, as a sentence for the operator. */
  missing?: string;
  /** Where paged-out memory goes at the time of opening: zram, encrypted swap, or swap on disk. */
  to: string;
  /** With `until`, it resolves before the page-out, which a thaw or an interrupt still ends. */
  freeze(host: ProcessHost, workspaceId: string, until?: "frozen"): Promise<RunObservation>;
  thaw(host: ProcessHost, workspaceId: string): Promise<RunObservation>;
  /** Pages out a workspace that keeps running. */
  pageOut(host: ProcessHost, workspaceId: string): Promise<RunObservation>;
  /** Ends a freeze or page-out that is still paging out, so that the next operation need not wait for it. */
  interrupt(workspaceId: string): void;
}

/**
 * Finds out what this host can do. Whether its swap may be used is looked up again at each freeze: an operator can add some.
 * @param noFreezer why there is none.
 */
export function openFreezing({ zramMb = 0, acceptsDisk = false, swapFiles }: FreezingOptions, noFreezer: string | undefined): Freezing {
  const interrupts = new Map<string, Set<AbortController>>();
  // One after the other, because each keeps a processor busy.
  const inTurn = createOneAtATime();
  const notSetUp = noFreezer === undefined && zramMb > 0 ? setUpZram(zramMb) : undefined;
  const lack = (): string | undefined => lackOfSwap(listSwaps(swapFiles), acceptsDisk);
  const lackNow = noFreezer ?? lack();
  const missing = lackNow && notSetUp ? `${lackNow}; ${notSetUp}` : lackNow;
  const interruptible = async <Result>(workspaceId: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const interrupt = new AbortController();
    const others = interrupts.get(workspaceId) ?? new Set();
    interrupts.set(workspaceId, others.add(interrupt));
    try {
      return await work(interrupt.signal);
    } finally {
      others.delete(interrupt);
      if (others.size === 0) interrupts.delete(workspaceId);
    }
  };
  return {
    ...(missing !== undefined && { missing }),
    to: [...new Set(listSwaps(swapFiles).map(({ kind }) => placeOf[kind]))].join(" and "),
    freeze: async (host, workspaceId, until) => {
      const frozen = Promise.withResolvers<void>();
      const pagedOut = interruptible(workspaceId, async (signal) => {
        const record = await freezeWorkspace(host, workspaceId, { lack, signal });
        frozen.resolve();
        if (record) await pageOutFrozen(host, workspaceId, record, { inTurn, signal });
      });
      // A failure comes before the page-out, which never rejects.
      await (until === "frozen" ? Promise.race([frozen.promise, pagedOut]) : pagedOut);
      return observeWorkspace(host, workspaceId);
    },
    pageOut: (host, workspaceId) => interruptible(workspaceId, (signal) => pageOutRunning(host, workspaceId, { lack, inTurn, signal })),
    thaw: async (host, workspaceId) => {
      const record = await findRunning(host, workspaceId);
      if (record) host.sandbox?.freezer?.thaw(record);
      return observeWorkspace(host, workspaceId);
    },
    interrupt: (workspaceId) => interrupts.get(workspaceId)?.forEach((each) => each.abort()),
  };
}

const placeOf = { memory: "zram", encrypted: "encrypted swap", disk: "swap on disk" } as const;

type Sandboxed = ProcessRecord & { uid: number };

interface FreezingNow {
  lack(): string | undefined;
  inTurn: OneAtATime;
  signal: AbortSignal;
}

/** Returns the record of what is frozen now; undefined if it does not run, or was interrupted before. */
async function freezeWorkspace(
  host: ProcessHost,
  workspaceId: string,
  { lack, signal }: Omit<FreezingNow, "inTurn">,
): Promise<Sandboxed | undefined> {
  const record = await findRunning(host, workspaceId);
  if (!record || signal.aborted) return undefined;
  const freezer = host.sandbox?.freezer;
  const why = freezer ? lack() : "it runs outside a sandbox";
  if (!freezer || why !== undefined) throw new DriverFailure("freeze_failed", `the workspace cannot be frozen: ${why}`);
  if (!freezer.holds(record, record.pid))
    throw new DriverFailure("freeze_failed", "the workspace was started before this host could freeze: restart it");
  if (!(await freezer.freeze(record)))
    throw new DriverFailure("freeze_failed", "a process of the workspace could not be stopped in place: it waits for a disk");
  return record;
}

/** Never rejects: it is frozen, which is what matters, and its memory stays until the next freeze. Resolves when interrupted. */
async function pageOutFrozen(
  host: ProcessHost,
  workspaceId: string,
  record: Sandboxed,
  { inTurn, signal }: Omit<FreezingNow, "lack">,
): Promise<void> {
  const freezer = host.sandbox!.freezer!;
  const pagedOut = inTurn("page out", async () => {
    if (!signal.aborted && freezer.isFrozen(record)) await freezer.pageOut(record, signal);
  });
  const logged = pagedOut.catch((err: unknown) =>
    host.log.warn({ err, workspaceId }, "a frozen workspace's memory could not be paged out"),
  );
  await Promise.race([logged, endOf(signal)]);
}

const endOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve())));

/** A running one may touch its memory as fast as it is paged out: the kernel would never finish. 260 MB take half a second. */
const runningLimitMs = 5_000;

async function pageOutRunning(host: ProcessHost, workspaceId: string, { lack, inTurn, signal }: FreezingNow): Promise<RunObservation> {
  const record = await findRunning(host, workspaceId);
  const freezer = host.sandbox?.freezer;
  if (record && freezer && !signal.aborted) {
    const why = lack();
    if (why !== undefined) throw new DriverFailure("freeze_failed", `the workspace's memory cannot be paged out: ${why}`);
    const pagedOut = inTurn("page out", async () => {
      if (signal.aborted || freezer.isFrozen(record)) return;
      await freezer.pageOutRunning(record, AbortSignal.any([signal, AbortSignal.timeout(runningLimitMs)]));
    });
    // A stop does not wait until all others have been paged out.
    await Promise.race([pagedOut, endOf(signal)]);
  }
  return observeWorkspace(host, workspaceId);
}

/** The record of the workspace's process, if it runs here, with or without a sandbox. */
async function findRunning(host: ProcessHost, workspaceId: string): Promise<Sandboxed | undefined> {
  const record = await readRecord(host.paths(workspaceId));
  if (record?.uid === undefined || !record.sandboxed || !(await isAlive(record))) return undefined;
  return { ...record, uid: record.uid };
}
