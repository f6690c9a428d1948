import { and, desc, gte, lte } from "drizzle-orm";
import { exchangeRates } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export type DayRate = typeof exchangeRates.$inferSelect;

/** The newest day of which rates are known; null: none ever. */
export async function findNewestDay(db: Connection): Promise<string | null> {
  const [newest] = await db.select({ day: exchangeRates.day }).from(exchangeRates).orderBy(desc(exchangeRates.day)).limit(1);
  return newest?.day ?? null;
}

/** A rate that is known stays as it was published. */
export async function insertRates(db: Connection, rates: readonly DayRate[]): Promise<void> {
  if (rates.length > 0)
    await db
      .insert(exchangeRates)
      .values([...rates])
      .onConflictDoNothing();
}

/** Those of the days between, newest first. */
export async function listRates(db: Connection, from: string, to: string): Promise<DayRate[]> {
  return db
    .select()
    .from(exchangeRates)
    .where(and(gte(exchangeRates.day, from), lte(exchangeRates.day, to)))
    .orderBy(desc(exchangeRates.day));
}
