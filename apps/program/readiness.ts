/** The checks behind /readyz. */
import { sql } from "drizzle-orm";
import fastify, { type FastifyInstance } from "fastify";
import { isMigrated } from "#database/migrate.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { within } from "#platform/loops/within.ts";
import { timeLimits } from "#platform/time-limits.ts";
import { fromMemory, serveHealth, type Readiness } from "../api/serve-health.ts";
import type { DatabaseContact } from "./database-contact.ts";

/** A database that takes longer counts as unreachable, because the supervisor itself is waiting for an answer. */
const answerWithinMs = 2 * secondMs;

/** While a loop recovers from a database that was away, it may still wait for a statement that the database never received. */
const recoversSeconds = 2 * (timeLimits.databaseSilenceMs / secondMs);

/** What a process with the gateway's role does without the database. */
export interface Memory {
  /** How many open workspaces it serves without the database now. */
  servesFromMemory(): number;
  contact: Pick<DatabaseContact, "backSeconds">;
}

/**
 * Resolves within 2 s. A check without a result by then is false, and each trouble is listed as false under its name. A gateway also says
 * that it serves from memory, if the database does not answer and it knows open workspaces: taking it out of the balancer would cost their
 * visitors everything, and give nobody anything.
 */
export function readinessOf(
  db: Pick<Database, "execute">,
  areRolesReady: () => boolean,
  troubles: () => readonly string[] = () => [],
  memory: () => Memory | null = () => null,
): () => Promise<Readiness> {
  const passes = (check: Promise<boolean>) => within(answerWithinMs, "the database", check).catch(() => false);
  return async () => {
    const [database, migrated] = await Promise.all([passes(db.execute(sql`select 1`).then(() => true)), passes(isMigrated(db))]);
    const known = memory();
    const found = troubles();
    const recovers = known !== null && known.contact.backSeconds() < recoversSeconds && found.some((what) => what.startsWith("loop: "));
    return {
      database,
      migrated,
      roles: areRolesReady(),
      ...Object.fromEntries(found.map((what) => [what, false])),
      ...((!database || recovers) && known !== null && known.servesFromMemory() > 0 && { [fromMemory]: true }),
    };
  };
}

/** Answers only /healthz and /readyz, for a process without the API. */
export async function buildHealth(checkReadiness: () => Promise<Readiness>): Promise<FastifyInstance> {
  const app = fastify();
  serveHealth(app, checkReadiness);
  await app.ready();
  return app;
}
