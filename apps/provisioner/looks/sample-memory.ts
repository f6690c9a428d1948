/**
 * Once a minute, in one worker of a host: measures how much memory, processor time and disk each running workspace uses, for its owner's
 * graphs.
 */
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import { listSampled } from "#domain/workspaces/observed/observation-store.ts";
import { saveSamples, type LoadSample } from "#domain/workspaces/observed/load-store.ts";
import { minuteMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { newId } from "#platform/ids.ts";
import { within } from "#platform/loops/within.ts";
import { leaveLease, takeLease } from "#platform/postgres/lease.ts";
import type { Driver } from "../drivers/driver.ts";
import { createSampleChoice, type SampleChoice } from "./choose-samples.ts";
import { createCpuRates, type CpuRates } from "./cpu-rates.ts";

export interface SamplingOptions {
  db: Database;
  driver: Driver;
  clock: Clock;
  log: Log;
  /** The host of these workspaces; `main` by default. */
  host?: string | undefined;
  rounds?: Rounds | undefined;
}

const sampleEveryMs = minuteMs;
/** If a worker is killed, another one takes over after a missing sample. */
const leaseSeconds = 90;
/**
 * Takes a sample now. Sleeping workspaces are left out: they use next to nothing. With a choice, only changed or due
 * values are saved.
 */
export async function sampleMemory({ db, driver, clock, host }: SamplingOptions, choice?: SampleChoice, rates?: CpuRates): Promise<void> {
  const usage = await driver.usage?.(await listSampled(db, host));
  const now = clock.now();
  if (usage) {
    const percent = rates?.measure(usage, now);
    const sampled = Array.from(usage, ([id, { memoryMb, diskMb = null }]): [string, LoadSample] => [
      id,
      { memoryMb, diskMb, cpuPercent: percent?.get(id) ?? null },
    ]);
    const measured = { at: now, load: new Map(sampled) };
    try {
      for (const each of choice?.choose(measured) ?? [measured]) await saveSamples(db, each.load, each.at);
    } catch (error) {
      choice?.forget();
      throw error;
    }
  }
}

/** Samples until stopped, one at a time; a sample that fails or takes longer than a minute is only logged. */
export function startMemorySampling(options: SamplingOptions, everyMs = sampleEveryMs): { stop(): Promise<void> } {
  const round = options.rounds?.follow("memory", 2 * everyMs);
  const choice = createSampleChoice();
  const rates = createCpuRates();
  const holder = newId();
  const leaseName = options.host && options.host !== mainHost ? `memory of ${options.host}` : "memory";
  const sampleIfOurs = async (): Promise<void> => {
    if (await takeLease(options.db, leaseName, holder, leaseSeconds)) await sampleMemory(options, choice, rates);
    // What another worker has saved since then is unknown here.
    else choice.forget();
  };
  let working: Promise<void> | undefined;
  const sample = () => {
    working ??= within(sampleEveryMs, "reading the memory of workspaces", sampleIfOurs())
      .then(
        () => round?.ended(true),
        (error: unknown) => {
          round?.ended(false);
          options.log.warn({ err: error }, "the memory of workspaces could not be read");
        },
      )
      .finally(() => {
        working = undefined;
      });
  };
  const timer = setInterval(sample, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await working;
      await leaveLease(options.db, leaseName, holder).catch(() => undefined);
      round?.end();
    },
  };
}
