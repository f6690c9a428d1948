/** While the host is short of memory or swap, the workspaces that have been frozen for longest are stopped, a few at a time. */
import { makeLongestFrozenDue } from "#domain/workspaces/observed/sleep-store.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { Driver } from "./drivers/driver.ts";
import type { Engine } from "./engines/engine.ts";
import { leastStopMs } from "./reconcile/steps/sleep/rest.ts";

/** A stop takes a second or two of processor time, and reads back what was paged out. */
const everyMs = 5 * secondMs;
const mostAtOnce = 2;

interface Relief {
  db: Database;
  driver: Pick<Driver, "shortOf" | "listRunning">;
  engine: Pick<Engine, "start">;
  clock: Clock;
  log: Log;
  rounds?: Rounds | undefined;
}

/** The passes that become due look again and stop them (reconcile/steps/sleep/go-cold.ts). */
export function startRelievingMemory(relief: Relief): { stop(): Promise<void> } {
  let lacked: string | undefined;
  const tried = new Set<string>();
  const loop = createWakeLoop({
    async work() {
      const lacks = relief.driver.shortOf?.();
      // If none can be stopped, it is not logged: a small swap is full on many hosts.
      const isRelieved = lacks !== undefined && (await relieveMemory(relief, tried)) > 0;
      if (lacks === undefined) tried.clear();
      if (isRelieved && lacks !== lacked) relief.log.warn({ lacks }, "this host is short of memory: sleeping workspaces are stopped");
      lacked = isRelieved ? lacks : undefined;
    },
    followed: { by: relief.rounds, name: "memory relief" },
    onError: (err) => relief.log.warn({ err }, "sleeping workspaces could not be stopped for memory"),
  });
  loop.start(everyMs);
  return { stop: () => loop.stop() };
}

/**
 * Makes the longest frozen workspaces of this host due, and returns how many. Those in `tried` come last, because their passes may have
 * left them as they were; the chosen ones are added to it.
 */
export async function relieveMemory(
  { db, driver, engine, clock }: Pick<Relief, "db" | "driver" | "engine" | "clock">,
  tried: Set<string>,
): Promise<number> {
  const running = [...(await driver.listRunning())];
  const makeDue = (ids: string[]) => makeLongestFrozenDue(db, ids, { most: mostAtOnce, soonMs: leastStopMs(engine) }, clock.now());
  let chosen = await makeDue(running.filter((id) => !tried.has(id)));
  if (chosen.length === 0 && tried.size > 0) {
    tried.clear();
    chosen = await makeDue(running);
  }
  for (const id of chosen) tried.add(id);
  return chosen.length;
}
