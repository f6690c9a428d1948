/** Which releases of engines this service's workspaces need. */
import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { accounts, blanks, workspaces } from "#database/tables.ts";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { Connection } from "#platform/database.ts";

/**
 * The releases that workspaces and blanks have or will get, each with the oldest start among the running ones, or null. Reads all
 * workspaces.
 */
export async function listReleaseUses(db: Connection): Promise<{ engine: string; version: string; runsSince: Date | null }[]> {
  const startedAt = sql`case when ${workspaces.address} is not null then ${workspaces.startedAt} end`;
  const found = await db.execute<{ engine: string; version: string; runs_since: string | null }>(sql`
    select engine, version, min(started_at)::text as runs_since from (
      select ${workspaces.engine} as engine, ${workspaces.desiredVersion} as version, ${startedAt} as started_at from ${workspaces}
      union all select ${workspaces.engine}, ${workspaces.observedVersion}, ${startedAt} from ${workspaces}
      union all select ${blanks.engine}, ${blanks.version}, ${blanks.createdAt} from ${blanks}) uses
    where version is not null group by engine, version order by engine, version`);
  return found.rows.map(({ engine, version, runs_since: since }) => ({
    engine,
    version,
    runsSince: since === null ? null : new Date(since),
  }));
}

/** Names of the accounts whose workspace has or will get one of these versions, at most 100. */
export async function listOnVersions(db: Connection, engine: EngineName, versions: readonly string[]): Promise<string[]> {
  const found = await db
    .select({ name: accounts.name })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(
      and(
        eq(workspaces.engine, engine),
        ne(workspaces.observedState, "deleted"),
        or(inArray(workspaces.desiredVersion, [...versions]), inArray(workspaces.observedVersion, [...versions])),
      ),
    )
    .orderBy(accounts.name)
    .limit(100);
  return found.map(({ name }) => name);
}
