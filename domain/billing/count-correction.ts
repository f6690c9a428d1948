/** What should not happen and was healed is written down, so that operators see how often it does. */
import { count } from "drizzle-orm";
import { corrections } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { Billing } from "./billing.ts";

/** Adds a row and a warning. */
export async function countCorrection(
  db: Connection,
  billing: Pick<Billing, "clock" | "log">,
  { accountId, kind, detail }: { accountId: string | null; kind: string; detail: string },
): Promise<void> {
  billing.log.warn({ account: accountId, correction: kind, detail }, "billing was corrected");
  await db.insert(corrections).values({ at: billing.clock.now(), accountId, kind, detail });
}

/** How often each kind of correction was needed so far. */
export async function correctionCounts(db: Connection): Promise<Record<string, number>> {
  const found = await db.select({ kind: corrections.kind, times: count() }).from(corrections).groupBy(corrections.kind);
  return Object.fromEntries(found.map(({ kind, times }) => [kind, times]));
}
