/** What /readyz asks before it says that this process can do its work. */
import { sql } from "drizzle-orm";
import fastify, { type FastifyInstance } from "fastify";
import { isMigrated } from "#database/migrate.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { within } from "#platform/loops/within.ts";
import { serveHealth } from "../api/serve-health.ts";

/** A database that takes longer is as good as away for a supervisor, which waits for an answer itself. */
const answerWithinMs = 2 * secondMs;

/** Answers within 2 s, whatever the database does; a check without an answer by then is false, and so is each trouble, by its name. */
export function readinessOf(
  db: Pick<Database, "execute">,
  areRolesReady: () => boolean,
  troubles: () => readonly string[] = () => [],
): () => Promise<Record<string, boolean>> {
  const passes = (check: Promise<boolean>) => within(answerWithinMs, "the database", check).catch(() => false);
  return async () => {
    const [database, migrated] = await Promise.all([passes(db.execute(sql`select 1`).then(() => true)), passes(isMigrated(db))]);
    return { database, migrated, roles: areRolesReady(), ...Object.fromEntries(troubles().map((what) => [what, false])) };
  };
}

/** Answers /healthz and /readyz and nothing else: for a process without the API, whose supervisor asks as well. */
export async function buildHealth(checkReadiness: () => Promise<Record<string, boolean>>): Promise<FastifyInstance> {
  const app = fastify();
  serveHealth(app, checkReadiness);
  await app.ready();
  return app;
}
