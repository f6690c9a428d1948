/** Records discrepancies that were repaired, so that operators can see how often they occur. */
import { count } from "drizzle-orm";
import { corrections } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { Billing } from "./billing.ts";

/** Adds a row and logs a warning. */
export async function countCorrection(
  db: Connection,
  billing: Pick<Billing, "clock" | "log">,
  { accountId, kind, detail }: { accountId: string | null; kind: string; detail: string },
): Promise<void> {
  billing.log.warn({ accountId, correction: kind, detail }, "a billing discrepancy was corrected");
  await db.insert(corrections).values({ at: billing.clock.now(), accountId, kind, detail });
}

/** The number of corrections of each kind so far. */
export async function correctionCounts(db: Connection): Promise<Record<string, number>> {
  const found = await db.select({ kind: corrections.kind, times: count() }).from(corrections).groupBy(corrections.kind);
  return Object.fromEntries(found.map(({ kind, times }) => [kind, times]));
}
