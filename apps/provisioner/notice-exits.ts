/**
 * Compares, once a minute, the workspaces that should run with those that do: one query and one look at the host for all of them. It finds
 * ends of processes that the driver's watch missed, and makes the watch cover workspaces that another control plane of this host started.
 */
import { listAddressed } from "#domain/workspaces/observed/observation-store.ts";
import { minuteMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { Driver } from "./drivers/driver.ts";

interface ExitNoticing {
  db: Database;
  driver: Pick<Driver, "listRunning">;
  log: Log;
  /** The host of these workspaces; `main` by default. */
  host?: string | undefined;
  rounds?: Rounds | undefined;
  /** This workspace's process ended. */
  noticeExit(workspaceId: string): void;
}

/** Begins immediately: workspaces may have died while no program was watching. */
export function startNoticingExits(
  { db, driver, log, host, rounds, noticeExit }: ExitNoticing,
  everyMs = minuteMs,
): { stop(): Promise<void> } {
  const loop = createWakeLoop({
    work: async () => (await listEnded(db, driver, host)).forEach(noticeExit),
    followed: { by: rounds, name: "exits" },
    onError: (err) => log.warn({ err }, "running workspaces could not be compared with those that should run"),
  });
  loop.start(everyMs);
  return { stop: () => loop.stop() };
}

/** Ids of the workspaces of this host that were last seen running and are not running now. */
export async function listEnded(db: Database, driver: Pick<Driver, "listRunning">, host?: string): Promise<string[]> {
  // Read first, so that workspaces started meanwhile are not included; an address is cleared before a stop.
  const addressed = await listAddressed(db, host);
  const running = await driver.listRunning();
  return addressed.filter((id) => !running.has(id));
}
