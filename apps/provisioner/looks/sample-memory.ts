/** Once a minute: how much memory each running workspace of this host uses, for its owner's graph. */
import { listSampled } from "#domain/workspaces/observed/observation-store.ts";
import { deleteOldSamples, saveSamples } from "#domain/workspaces/observed/memory-store.ts";
import { after, dayMs, minuteMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { within } from "#platform/loops/within.ts";
import type { Driver } from "../drivers/driver.ts";
import { createSampleChoice, type SampleChoice } from "./choose-samples.ts";

export interface SamplingOptions {
  db: Database;
  driver: Driver;
  clock: Clock;
  log: Log;
  rounds?: Rounds | undefined;
}

const sampleEveryMs = minuteMs;
/** Twice what the graph shows, so that yesterday's crash can be examined today. */
const keptMs = 2 * dayMs;

/**
 * Takes one sample now and deletes old ones. Workspaces asleep are left out: they use next to nothing. With a choice, only what changes or
 * is due is saved.
 */
export async function sampleMemory({ db, driver, clock }: SamplingOptions, choice?: SampleChoice): Promise<void> {
  const usage = await driver.usage?.(await listSampled(db));
  const now = clock.now();
  if (usage) {
    const measured = { at: now, memoryMb: new Map(Array.from(usage, ([id, { memoryMb }]) => [id, memoryMb])) };
    try {
      for (const { at, memoryMb } of choice?.choose(measured) ?? [measured]) await saveSamples(db, memoryMb, at);
    } catch (error) {
      choice?.forget();
      throw error;
    }
  }
  await deleteOldSamples(db, after(now, -keptMs));
}

/** Samples until stopped, one at a time; a sample that fails or takes longer than a minute is only logged. */
export function startMemorySampling(options: SamplingOptions): { stop(): Promise<void> } {
  const round = options.rounds?.follow("memory", 2 * sampleEveryMs);
  const choice = createSampleChoice();
  let working: Promise<void> | undefined;
  const sample = () => {
    working ??= within(sampleEveryMs, "reading the memory of workspaces", sampleMemory(options, choice))
      .catch((error: unknown) => options.log.warn({ err: error }, "the memory of workspaces could not be read"))
      .finally(() => {
        working = undefined;
        round?.went();
      });
  };
  const timer = setInterval(sample, sampleEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await working;
      round?.end();
    },
  };
}
