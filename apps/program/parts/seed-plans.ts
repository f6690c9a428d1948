/** The plans of a new service. Later the operator applies changes with a command; a start never changes a price. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { plans } from "#database/tables.ts";
import { compareCatalogue } from "#domain/plans/apply-catalogue.ts";
import { readCatalogue, type Catalogue } from "#domain/plans/catalogue.ts";
import { putPlans } from "#domain/plans/plan-store.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { Config } from "../settings/config.ts";

/** An arbitrary number that must never change: releases with different numbers could seed at the same time. */
const lockKey = 7_236_492;

/**
 * Applies the plans file if there are no plans yet; of several simultaneous processes, one does. Otherwise logs if it differs. Throws
 * StartTrouble if the operator's file is not valid.
 */
export async function seedPlans(db: Database, config: Pick<Config, "plansFile">, log: Log): Promise<void> {
  const catalogue = read(config.plansFile);
  const isSeeded = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`);
    const [found] = await tx.select({ id: plans.id }).from(plans).limit(1);
    if (!found) await putPlans(tx, catalogue, new Date());
    return !found;
  });
  if (isSeeded) return;
  const { lines } = await compareCatalogue(db, catalogue);
  if (lines.length > 0)
    log.info(
      { differences: lines.length },
      "the plans file differs from the plans being sold; npm run ops -- apply-plans shows the differences and applies them",
    );
}

function read(file: string | undefined): Catalogue {
  if (!file) return readCatalogue();
  try {
    return readCatalogue(file);
  } catch (error) {
    const problems =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `${path.map(String).join(".")}: ${message}`).join("; ")
        : (error as Error).message;
    throw new StartTrouble(`The plans of PLANS_FILE, ${file}, can't be used: ${problems}. Correct the file, or PLANS_FILE.`, {
      cause: error,
    });
  }
}
