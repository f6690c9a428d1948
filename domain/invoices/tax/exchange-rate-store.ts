import { and, desc, gte, lte } from "drizzle-orm";
import { exchangeRates } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export type DayRate = typeof exchangeRates.$inferSelect;

/** The newest day with known rates; null if there is none. */
export async function findNewestDay(db: Connection): Promise<string | null> {
  const [newest] = await db.select({ day: exchangeRates.day }).from(exchangeRates).orderBy(desc(exchangeRates.day)).limit(1);
  return newest?.day ?? null;
}

/** A known rate is never overwritten. */
export async function insertRates(db: Connection, rates: readonly DayRate[]): Promise<void> {
  if (rates.length > 0)
    await db
      .insert(exchangeRates)
      .values([...rates])
      .onConflictDoNothing();
}

/** The rates of the days in this range, newest first. */
export async function listRates(db: Connection, from: string, to: string): Promise<DayRate[]> {
  return db
    .select()
    .from(exchangeRates)
    .where(and(gte(exchangeRates.day, from), lte(exchangeRates.day, to)))
    .orderBy(desc(exchangeRates.day));
}
