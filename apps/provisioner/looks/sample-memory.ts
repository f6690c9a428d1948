/** Once a minute: how much memory each running workspace of this host uses, for its owner's graph. */
import { listAddressed } from "#domain/workspaces/observed/observation-store.ts";
import { deleteOldSamples, saveSamples } from "#domain/workspaces/observed/memory-store.ts";
import { after, dayMs, minuteMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { within } from "#platform/loops/within.ts";
import type { Driver } from "../drivers/driver.ts";

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

/** Takes one sample now and deletes old ones. */
export async function sampleMemory({ db, driver, clock }: SamplingOptions): Promise<void> {
  const usage = await driver.usage?.(await listAddressed(db));
  const now = clock.now();
  if (usage) await saveSamples(db, new Map(Array.from(usage, ([id, { memoryMb }]) => [id, memoryMb])), now);
  await deleteOldSamples(db, after(now, -keptMs));
}

/** Samples until stopped, one at a time; a sample that fails or takes longer than a minute is only logged. */
export function startMemorySampling(options: SamplingOptions): { stop(): Promise<void> } {
  const round = options.rounds?.follow("memory", 2 * sampleEveryMs);
  let working: Promise<void> | undefined;
  const sample = () => {
    working ??= within(sampleEveryMs, "reading the memory of workspaces", sampleMemory(options))
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
