/** Checks what this host's workspaces depend on, and reports problems in the log and in /readyz. */
import { retryFailing } from "#domain/workspaces/observed/due-store.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { Driver, HostTrouble } from "./drivers/driver.ts";

interface HostWatch {
  /** Current problems, one entry per kind. */
  troubles(): HostTrouble["kind"][];
  stop(): Promise<void>;
}

/** A flushed firewall must be restored within a minute; a check costs 30 ms of a processor, and a little more for each workspace. */
const lookEveryMs = 15 * secondMs;

/** Begins immediately. When a problem is over, workspaces that failed because of it are retried now instead of after their pause. */
export function startHostWatch(
  {
    driver,
    db,
    clock,
    log,
    host,
    rounds,
  }: { driver: Pick<Driver, "holdHost">; db: Database; clock: Clock; log: Log; host?: string; rounds?: Rounds },
  everyMs = lookEveryMs,
): HostWatch {
  let known = new Map<HostTrouble["kind"], string>();
  const look = async (): Promise<void> => {
    const found = new Map(((await driver.holdHost?.()) ?? []).map(({ kind, detail }) => [kind, detail]));
    for (const [kind, detail] of found)
      if (!known.has(kind)) log.error({ kind, detail }, "this host has a problem that affects workspaces");
    const over = [...known.keys()].filter((kind) => !found.has(kind));
    known = found;
    if (over.length === 0) return;
    log.info({ over }, "the host's problems are over");
    await retryFailing(db, clock.now(), host);
  };
  const loop = createWakeLoop({
    work: look,
    followed: { by: rounds, name: "host" },
    onError: (err) => log.error({ err }, "this host could not be checked"),
  });
  loop.start(everyMs);
  return { troubles: () => [...known.keys()], stop: () => loop.stop() };
}
