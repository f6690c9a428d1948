/** Makes one blank, and deletes one. A worker may die at any line: the row, whose lease then ends, says what has to be deleted. */
import { setTimeout as sleep } from "node:timers/promises";
import { forgetBlank, offerBlank, renewBlank, withdrawBlank, type BlankRow } from "#domain/workspaces/blanks/blank-store.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { RunSpec } from "../drivers/driver.ts";
import { hashRunSpec } from "../drivers/hash-run-spec.ts";
import type { Pool } from "./pool.ts";

/** A third of the lease. */
const renewMs = 5 * secondMs;
/** As for workspaces (reconcile/outside-slot.ts). */
const limits = { startMs: minuteMs, observeMs: 10 * secondMs, freezeMs: minuteMs, removeMs: 10 * minuteMs } as const;
const pollMs = 100;
/** Two looks of `idle-memory.mts`, with some margin. */
const usualRestMs = 45 * secondMs;

/** The worker stops; the next look deletes what it has begun. */
export class PoolStopping extends Error {
  override readonly name = "PoolStopping";
}

/**
 * Starts the blank that the row names, lets it come to rest, freezes it, and offers it to launches; where nothing can be frozen, it stays
 * awake. Rejects if it cannot: then it has to be deleted.
 *
 * @param isStopping called several times a second.
 */
export async function makeBlank(pool: Pool, { id }: Pick<BlankRow, "id">, spec: RunSpec, isStopping: () => boolean): Promise<void> {
  const { db, driver, engine, worker, readyTimeoutMs, restMs = usualRestMs } = pool;
  await holding(pool, id, isStopping, async (stillHeld) => {
    const check = (): void => {
      if (isStopping()) throw new PoolStopping();
      stillHeld();
    };
    const waiting = async (ms: number, until: () => Promise<boolean>): Promise<boolean> => {
      for (const deadlineMs = performance.now() + ms; performance.now() < deadlineMs; await sleep(pollMs)) {
        check();
        if (await until()) return true;
      }
      return false;
    };
    // A worker that stalled after writing the row may have lost it: a process that it then starts would be in no row, and never end.
    if (!(await renewBlank(db, worker, id))) throw new Error("another worker has it");
    let { address, waitsFor } = await within(limits.startMs, "the start", driver.ensure(spec));
    const look = async (): Promise<boolean> => {
      ({ address, waitsFor } = await within(limits.observeMs, "a look", driver.observe(id)));
      return address !== undefined;
    };
    if (waitsFor !== undefined && !(await waiting(readyTimeoutMs, look))) throw new Error(`it waits: ${waitsFor}`);
    if (!address) throw new Error("its process ended as soon as it was started");
    const door = address;
    if (!(await waiting(readyTimeoutMs, async () => (await engine.health(door)).ready)))
      throw new Error(`it did not answer in time: ${(await driver.logs(id, 2000)).slice(-2000)}`);
    driver.endStart?.(id);
    if (driver.freeze) await waiting(restMs, async () => false);
    const seen = await (driver.freeze
      ? within(limits.freezeMs, "the freeze", driver.freeze(id))
      : within(limits.observeMs, "a look", driver.observe(id)));
    if ((driver.freeze && !seen.frozen) || seen.specHash !== hashRunSpec(spec)) throw new Error("it does not run any more");
    check();
    await offerBlank(db, worker, id, seen.specHash);
  });
}

/** Deletes it. False, without any effect, if it was taken or another worker is handling it. */
export async function deleteBlank(pool: Pool, { id }: Pick<BlankRow, "id">, isStopping: () => boolean): Promise<boolean> {
  const { db, driver, worker } = pool;
  if (!(await withdrawBlank(db, worker, id))) return false;
  await holding(pool, id, isStopping, async (stillHeld) => {
    await within(limits.removeMs, "the removal", driver.remove(id));
    stillHeld();
    await forgetBlank(db, worker, id);
  });
  return true;
}

/**
 * Renews the lease during the work, and counts the loop as alive: each wait in it is limited. `stillHeld` throws once the lease is lost:
 * the blank then belongs to another worker, which deletes it.
 */
async function holding(pool: Pool, id: string, isStopping: () => boolean, work: (stillHeld: () => void) => Promise<void>): Promise<void> {
  let isLost = false;
  const renewal = setInterval(() => {
    isStopping();
    renewBlank(pool.db, pool.worker, id).then(
      (isHeld) => void (isLost ||= !isHeld),
      () => undefined,
    );
  }, renewMs);
  try {
    await work(() => {
      if (isLost) throw new Error("another worker has it");
    });
  } finally {
    clearInterval(renewal);
  }
}
