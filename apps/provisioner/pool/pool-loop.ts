/**
 * Keeps the pool: blanks, which are workspaces that were started before they have an owner, and frozen where that is possible. A launch
 * takes one in the transaction that requests the workspace (domain/workspaces/blanks/blank-store.ts), and the reconciler makes it the
 * owner's (reconcile/steps/claim-blank.ts). One blank at a time, and never while a workspace waits.
 */
import { randomUUID } from "node:crypto";
import {
  addBlank,
  isSomebodyWaiting,
  keepBlank,
  listBlanks,
  releaseKept,
  renewKept,
  type BlankRow,
} from "#domain/workspaces/blanks/blank-store.ts";
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import { within } from "#platform/loops/within.ts";
import { hashRunSpec } from "../drivers/hash-run-spec.ts";
import { describeNextLaunch, type NextLaunch } from "./describe-blank.ts";
import { deleteBlank, makeBlank, PoolStopping } from "./make-blank.ts";
import type { Pool, PoolOptions } from "./pool.ts";
import { hasRoomForBlank, usualMost, wantedBlanks } from "./wanted-blanks.ts";

/** A launch leaves a gap, and the next one may follow soon. */
const lookEveryMs = 5 * secondMs;
/** Without a pool, there are only leftovers of an earlier one. */
const emptyLookMs = minuteMs;
/** Older ones are replaced: the memory of a process that is days old is not worth relying on. */
const oldestMs = 24 * hourMs;
/** A third of the lease. Making one takes longer than a lease, and the others must be maintained during that time. */
const renewMs = 5 * secondMs;
/** Blanks must not be created and deleted in turns while swap is nearly full: each takes some of it. */
const scarcePauseMs = 30 * minuteMs;
/** The same as for workspaces (reconcile/outside-slot.ts). */
const observeLimitMs = 10 * secondMs;
/** After a blank that could not be made: 1, 2, 4 … at most 32 minutes. */
const pauseMs = minuteMs;
const mostDoublings = 5;

/** Looks now and then periodically, until `stop`, which waits for the current look. */
export function startPool(options: PoolOptions, everyMs = lookEveryMs): { stop(): Promise<void> } {
  const { engine, driver, log, rounds } = options;
  const lack = lackOf(options);
  const most = options.most === "auto" ? usualMost() : options.most;
  // If the operator set no number, the reason is only a detail.
  const level = options.most === "auto" ? "debug" : "info";
  if (most > 0 && lack) log[level]({ reason: lack }, "no workspaces are kept ready for launches on this host");
  const pool: Pool = {
    ...options,
    most: lack ? 0 : most,
    // Without blanks there are none to describe, only earlier ones to delete.
    blanks: engine.blanks ?? { unowned: (workspace) => workspace, claim: () => Promise.reject(new Error(lack)) },
    worker: randomUUID(),
  };
  const failures = { inARow: 0, notBefore: new Date(0) };
  const loop = createWakeLoop({
    work: (isStopping) => look(pool, failures, isStopping),
    followed: { by: rounds, name: "pool" },
    onError: (err) => log.warn({ err, driver: driver.name }, "the pool could not be checked"),
  });
  loop.start(pool.most === 0 ? emptyLookMs : everyMs);
  const { db, worker } = pool;
  const renewal = setInterval(() => void renewKept(db, worker).catch(() => undefined), renewMs);
  return {
    async stop() {
      await loop.stop();
      clearInterval(renewal);
      await releaseKept(db, worker).catch((err: unknown) => log.warn({ err }, "the pool could not be handed over to another worker"));
    },
  };
}

function lackOf({ engine, driver, most }: PoolOptions): string | undefined {
  if (!engine.blanks) return `${engine.displayName} cannot be given to an owner once it runs`;
  // Awake, each unused blank takes half a gigabyte: only a cluster may have that to spare, and only its operator knows.
  if (!driver.freeze && (most === "auto" || !driver.startsElsewhere)) return driver.cannotFreeze ?? "this host cannot freeze workspaces";
  return driver.reassign ? undefined : "this host's driver cannot reassign a running workspace";
}

async function look(pool: Pool, failures: { inARow: number; notBefore: Date }, isStopping: () => boolean): Promise<void> {
  const { db, clock, log, engine } = pool;
  const next = await describeNextLaunch(pool);
  const { shape } = next;
  const isShort = pool.driver.shortOf?.() === "swap";
  if (isShort) failures.notBefore = after(clock.now(), scarcePauseMs);
  const wanted = isShort || pool.isDraining?.() ? 0 : await wantedBlanks(pool, shape.memoryMb);
  pool.noteWanted?.(wanted);
  let kept = 0;
  for (const blank of await listBlanks(db, pool.host)) {
    if (isStopping()) return;
    // Another worker's, which may have other settings or belong to another release.
    if (!(await keepBlank(db, pool.worker, blank.id))) continue;
    const why = kept >= wanted ? "there are more than are needed" : await reasonToLeave(pool, next, blank);
    if (why === null || !(await deleteIfFree(pool, blank, why, isStopping))) kept += 1;
  }
  if (wanted === 0 || failures.notBefore > clock.now()) return;
  if (!pool.driver.runsImages && !(await engine.isInstalled(shape.version))) return;
  while (!isStopping() && hasRoomForBlank(pool, shape.memoryMb) && !(await isSomebodyWaiting(db, clock.now(), pool.host))) {
    const blank = await addBlank(
      db,
      { ...shape, secrets: pool.secrets.make() },
      {
        most: wanted,
        worker: pool.worker,
        now: clock.now(),
        ...(pool.host && { host: pool.host }),
      },
    );
    if (!blank) return;
    try {
      await makeBlank(pool, blank, next.spec(blank), isStopping);
      failures.inARow = 0;
    } catch (err) {
      if (err instanceof PoolStopping) return;
      log.warn({ err, blank: blank.id }, "a blank could not be made");
      failures.notBefore = after(clock.now(), pauseMs * 2 ** Math.min(failures.inARow, mostDoublings));
      failures.inARow += 1;
      return void (await deleteIfFree(pool, blank, "it could not be made", isStopping));
    }
  }
}

/** Whether it is gone, or will be with the next look; false if another worker is handling it. */
async function deleteIfFree(pool: Pool, blank: BlankRow, why: string, isStopping: () => boolean): Promise<boolean> {
  try {
    return await deleteBlank(pool, blank, isStopping);
  } catch (err) {
    pool.log.warn({ err, blank: blank.id, why }, "a blank could not be deleted");
    return true;
  }
}

/** Null: it fits the next launch. */
async function reasonToLeave({ driver, clock }: Pool, next: NextLaunch, blank: BlankRow): Promise<string | null> {
  // From a dead worker or a failed deletion. One that another worker is handling is not deleted.
  if (blank.state !== "ready") return "it is unfinished";
  if (after(blank.createdAt, oldestMs) < clock.now()) return "it is old";
  if (blank.specHash !== expectedHash(next, blank)) return "launches need another one";
  // One that cannot be checked must not block the rest of the pool.
  const seen = await within(observeLimitMs, "a look at a blank", driver.observe(blank.id)).catch(() => undefined);
  const waits = seen?.state === "running" && (seen.frozen || !driver.freeze) && seen.specHash === blank.specHash;
  return waits ? null : "it does not wait any more";
}

/** Undefined if its secrets cannot be read any more. */
function expectedHash(next: NextLaunch, blank: BlankRow): string | undefined {
  try {
    return hashRunSpec(next.spec(blank));
  } catch {
    return undefined;
  }
}
