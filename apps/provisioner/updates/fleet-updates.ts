/** The worker's loop over the fleet update of its engine. Its row says all; an operator changes it with `npm run ops`. */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { advanceFleetUpdate, type Advanced } from "#domain/updates/fleet/advance-fleet-update.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";

/** An update of a workspace takes half a minute: the next one begins soon after it. */
const everyMs = 5 * secondMs;

export interface FleetUpdateWork {
  db: Database;
  engine: EngineName;
  clock: Clock;
  log: Log;
}

/** Does everything that is due now. */
export async function advanceAll({ db, engine, clock, log }: FleetUpdateWork, isStopping: () => boolean = () => false): Promise<void> {
  for (let advanced: Advanced = { kind: "again" }; advanced.kind === "again" && !isStopping();) {
    advanced = await advanceFleetUpdate({ db, engine, clock });
    if (!("update" in advanced)) continue;
    const { id, toVersion } = advanced.update;
    const facts = { event: `fleet-update-${advanced.kind}`, fleetUpdate: id, toVersion };
    if (advanced.kind === "stopped") log.error({ ...facts, reason: advanced.reason }, "the fleet update was stopped by its gate");
    else log.info(facts, advanced.kind === "done" ? "the fleet update is done" : "the fleet update was rolled back");
  }
}

/** Looks every five seconds until stopped. */
export function startFleetUpdates({ rounds, ...work }: FleetUpdateWork & { rounds?: Rounds }): { stop(): Promise<void> } {
  const loop = createWakeLoop({
    work: (isStopping) => advanceAll(work, isStopping),
    followed: { by: rounds, name: "fleet updates" },
    onError: (err) => work.log.warn({ err }, "the fleet update could not be advanced"),
  });
  loop.start(everyMs);
  return { stop: () => loop.stop() };
}
