/** The checks behind /readyz. */
import { sql } from "drizzle-orm";
import fastify, { type FastifyInstance } from "fastify";
import { isMigrated } from "#database/migrate.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { within } from "#platform/loops/within.ts";
import { serveHealth } from "../api/serve-health.ts";

/** A database that takes longer counts as unreachable, because the supervisor itself is waiting for an answer. */
const answerWithinMs = 2 * secondMs;

/** Resolves within 2 s. A check without a result by then is false, and each trouble is listed as false under its name. */
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

/** Answers only /healthz and /readyz, for a process without the API. */
export async function buildHealth(checkReadiness: () => Promise<Record<string, boolean>>): Promise<FastifyInstance> {
  const app = fastify();
  serveHealth(app, checkReadiness);
  await app.ready();
  return app;
}
