/** While the host is short of memory or swap, the workspaces that have been frozen for longest are stopped, a few at a time. */
import { makeLongestFrozenDue } from "#domain/workspaces/observed/sleep-store.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { Driver } from "./drivers/driver.ts";
import { leastStopMs } from "./reconcile/steps/sleep/rest.ts";

/** A stop takes a second or two of a processor, and reads back what was paged out. */
const everyMs = 5 * secondMs;
const mostAtOnce = 2;

export interface Relief {
  db: Database;
  driver: Pick<Driver, "shortOf" | "listRunning">;
  clock: Clock;
  log: Log;
  rounds?: Rounds | undefined;
}

/** The passes that become due look again and stop them (reconcile/steps/sleep/go-cold.ts). */
export function startRelievingMemory(relief: Relief): { stop(): Promise<void> } {
  let lacked: string | undefined;
  const loop = createWakeLoop({
    async work() {
      const lacks = relief.driver.shortOf?.();
      if (lacks && lacks !== lacked) relief.log.warn({ lacks }, "this host is short of memory: sleeping workspaces are stopped");
      lacked = lacks;
      if (lacks) await relieveMemory(relief);
    },
    followed: { by: relief.rounds, name: "memory relief" },
    onError: (err) => relief.log.warn({ err }, "sleeping workspaces could not be stopped for memory"),
  });
  loop.start(everyMs);
  return { stop: () => loop.stop() };
}

/** Makes the longest frozen workspaces of this host due. */
export async function relieveMemory({ db, driver, clock }: Pick<Relief, "db" | "driver" | "clock">): Promise<void> {
  await makeLongestFrozenDue(db, [...(await driver.listRunning())], { most: mostAtOnce, soonMs: leastStopMs }, clock.now());
}
