/** A simulated fleet whose workspaces are updated together, by workers whose looks the test decides. */
import { eq } from "drizzle-orm";
import { advanceAll } from "#apps/provisioner/updates/fleet-updates.ts";
import { fleetUpdates } from "#database/tables.ts";
import { insertFleetUpdate, listPlanned, type FleetUpdate, type PlannedState } from "#domain/updates/fleet/fleet-update-store.ts";
import { planFleetUpdate, type FleetChoice } from "#domain/updates/fleet/plan-fleet-update.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import type { TestFleet } from "./test-fleet.ts";
import { settled } from "./update-scene.ts";

const release = (version: string, migrations: number) => ({ version, migrations, releasedAt: "2026-01-01", channel: "stable" as const });

/** Workspaces on 2.0.0 with some content; 2.1.0 is available. By account name. */
export async function launchFleet(fleet: TestFleet, names: readonly string[]): Promise<Map<string, string>> {
  fleet.engine.installed.add("2.1.0");
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, await fleet.want(name));
  for (const [name, id] of ids) {
    await fleet.until(id, (row) => settled("2.0.0")(row) && row.leaseOwner === null);
    const { storage } = fleet.world.get(id);
    storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
    storage.set("things/flows.json", `of ${name}`);
  }
  return ids;
}

/** Plans an update to 2.1.0, which begins with the next look. Nothing is watched between waves, unless the limits say so. */
export async function beginFleetUpdate(
  fleet: TestFleet,
  choice: Partial<FleetChoice> = {},
  limits: Partial<FleetUpdate> = {},
): Promise<FleetUpdate> {
  const { db } = fleet.database;
  const plan = await planFleetUpdate(db, {
    engine: "n8n",
    releases: [release("2.1.0", 2), release("2.0.0", 1)],
    toVersion: "2.1.0",
    canaries: [],
    only: null,
    except: [],
    allowsDowngrade: false,
    waves: [{ workspaces: 1 }, { percent: 100 }],
    ...choice,
  });
  const row = await insertFleetUpdate(
    db,
    {
      engine: "n8n",
      toVersion: "2.1.0",
      waves: plan.waves.length,
      soakSeconds: 0,
      atOnce: 3,
      mostFailures: 1,
      mostFailedPercent: 10,
      operator: "ada",
      reason: null,
      ...limits,
    },
    plan.rows,
    new Date(),
  );
  return row!;
}

/** One worker's look. */
export const lookOnce = (fleet: TestFleet): Promise<void> =>
  advanceAll({ db: fleet.database.db, engine: "n8n", clock: systemClock, log: createLog("silent") });

/** Looks until the fleet update fits. Every look is a worker that remembers nothing of the others. */
export async function advanceUntil(fleet: TestFleet, id: string, fits: (update: FleetUpdate) => boolean): Promise<FleetUpdate> {
  for (let looks = 0; looks < 2_400; looks++) {
    await lookOnce(fleet);
    const [update] = await fleet.database.db.select().from(fleetUpdates).where(eq(fleetUpdates.id, id));
    if (fits(update!)) return update!;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the fleet update is not as it should be: ${(await plannedStates(fleet, id)).join(", ")}`);
}

const allStates: PlannedState[] = ["waiting", "left-out", "updating", "updated", "failed", "rolling-back", "rolled-back", "kept"];

/** `name: state reason trouble`, by name. */
export async function plannedStates(fleet: TestFleet, id: string): Promise<string[]> {
  const planned = await listPlanned(fleet.database.db, { id, states: allStates });
  return planned
    .map(({ accountName, state, reason, trouble }) => `${accountName}: ${[state, reason, trouble].filter(Boolean).join(" ")}`)
    .toSorted();
}
