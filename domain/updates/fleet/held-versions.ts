/** Versions whose fleet update is not over, or found them to be bad: its waves, or a person's decision, bring them to a workspace. */
import { desc, eq } from "drizzle-orm";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { fleetUpdates } from "#database/tables.ts";
import { offeredNow } from "#domain/workspaces/present-releases.ts";
import type { Connection } from "#platform/database.ts";

const holds: ReadonlySet<string> = new Set(["running", "stopped", "rolling-back", "rolled-back"]);

/** Those whose newest fleet update is neither done nor ended. One that was rolled back is held until another one to it is done or ended. */
export async function listHeldVersions(db: Connection, engine: EngineName): Promise<ReadonlySet<string>> {
  const newest = await db
    .selectDistinctOn([fleetUpdates.toVersion], { version: fleetUpdates.toVersion, state: fleetUpdates.state })
    .from(fleetUpdates)
    .where(eq(fleetUpdates.engine, engine))
    .orderBy(fleetUpdates.toVersion, desc(fleetUpdates.id));
  return new Set(newest.filter(({ state }) => holds.has(state)).map(({ version }) => version));
}

/**
 * What a new workspace may have now. It begins with the newest version that is not held: one that was found to be bad, or is still being
 * watched in its first waves, would otherwise reach every new customer. Call it in the transaction that requests the workspace.
 */
export const offeredToNew = async <Release extends { version: string; channel?: string }>(
  db: Connection,
  defaults: { engine: EngineName; version: string; releases: readonly Release[] },
  now: Date,
) => offeredNow(db, defaults, now, await listHeldVersions(db, defaults.engine));
