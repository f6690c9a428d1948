/** The plans of a new service. Afterwards they are the operator's, who applies changes by a command: a start changes no price. */
import { z } from "zod";
import { plans } from "#database/tables.ts";
import { compareCatalogue } from "#domain/plans/apply-catalogue.ts";
import { readCatalogue, type Catalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { Config } from "../settings/config.ts";

/** Applies the file of plans where there are none yet; elsewhere says that it differs. Refuses, with StartTrouble, a file of the operator's that is not valid. */
export async function seedPlans(db: Database, config: Pick<Config, "plansFile">, log: Log): Promise<void> {
  const catalogue = read(config.plansFile);
  if ((await db.$count(plans)) === 0) return savePlans(db, catalogue, new Date());
  const { lines } = await compareCatalogue(db, catalogue);
  if (lines.length > 0)
    log.info(
      { differences: lines.length },
      "the file of plans is not what is sold; npm run ops -- apply-plans shows the difference and applies it",
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
    throw new StartTrouble(`The plans of PLANS_FILE, ${file}, can't be used: ${problems}`, { cause: error });
  }
}
