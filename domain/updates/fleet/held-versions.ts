/** Versions that a fleet update found to be bad: nothing but a person's decision brings them to a workspace. */
import { desc, eq } from "drizzle-orm";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { fleetUpdates } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

const holds: ReadonlySet<string> = new Set(["stopped", "rolling-back", "rolled-back"]);

/** Those whose newest fleet update is stopped or rolled back. Another fleet update to the version lifts that. */
export async function listHeldVersions(db: Connection, engine: EngineName): Promise<ReadonlySet<string>> {
  const newest = await db
    .selectDistinctOn([fleetUpdates.toVersion], { version: fleetUpdates.toVersion, state: fleetUpdates.state })
    .from(fleetUpdates)
    .where(eq(fleetUpdates.engine, engine))
    .orderBy(fleetUpdates.toVersion, desc(fleetUpdates.id));
  return new Set(newest.filter(({ state }) => holds.has(state)).map(({ version }) => version));
}
