/** Records discrepancies that were repaired, so that operators can see how often they occur. */
import { and, count, eq, gte, sql } from "drizzle-orm";
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

interface About {
  accountId: string;
  kind: string;
  /** What it concerns, such as a subscription's id: its detail begins with it. */
  about: string;
}

/** Whether it was recorded before, or at or after `since`. */
export async function isCorrectionKnown(db: Connection, { accountId, kind, about }: About, since = new Date(0)): Promise<boolean> {
  const known = await db
    .select({ id: corrections.id })
    .from(corrections)
    .where(
      and(
        eq(corrections.accountId, accountId),
        eq(corrections.kind, kind),
        gte(corrections.at, since),
        sql`starts_with(${corrections.detail}, ${`${about} `})`,
      ),
    )
    .limit(1);
  return known.length > 0;
}

/** Like `countCorrection`, unless the same was recorded before, or at or after `since`. */
export async function countCorrectionOnce(
  db: Connection,
  billing: Pick<Billing, "clock" | "log">,
  { detail, ...about }: About & { detail: string },
  since?: Date,
): Promise<void> {
  if (await isCorrectionKnown(db, about, since)) return;
  await countCorrection(db, billing, { accountId: about.accountId, kind: about.kind, detail: `${about.about} ${detail}` });
}

/** The number of corrections of each kind so far. */
export async function correctionCounts(db: Connection): Promise<Record<string, number>> {
  const found = await db.select({ kind: corrections.kind, times: count() }).from(corrections).groupBy(corrections.kind);
  return Object.fromEntries(found.map(({ kind, times }) => [kind, times]));
}
