/** Records discrepancies that were repaired, so that operators can see how often they occur. */
import { and, count, desc, eq, gte, inArray, isNull, ne, sql } from "drizzle-orm";
import { accounts, corrections, heldRefunds } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
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

/** Kinds that a person should see at once. The others are repaired, and only their number matters. */
export const kindsForPerson = [
  "account-failing",
  "duplicate-not-refunded",
  "foreign-subscription",
  "fraud-warning",
  "refund-waits",
  "subscription-left-alone",
  "unknown-plan",
  "unknown-status",
  "unknown-subscription",
] as const;

/** Series of a metric: an operator with more than this many has one problem, and the list names all. */
const mostNamed = 20;

/** The accounts with something for a person: refunds until they are decided, everything else for a day. */
export async function forPerson(db: Connection, now: Date): Promise<{ kind: string; accountId: string | null }[]> {
  const [waiting, recent] = await Promise.all([
    db.select({ accountId: heldRefunds.accountId }).from(heldRefunds).where(isNull(heldRefunds.decision)).limit(mostNamed),
    db
      .selectDistinct({ kind: corrections.kind, accountId: corrections.accountId })
      .from(corrections)
      .where(
        and(gte(corrections.at, after(now, -dayMs)), inArray(corrections.kind, [...kindsForPerson]), ne(corrections.kind, "refund-waits")),
      )
      .limit(mostNamed),
  ]);
  return [...waiting.map(({ accountId }) => ({ kind: "refund-waits", accountId })), ...recent];
}

/** Newest first, with the account's name. */
export function listCorrections(db: Connection, since: Date, most: number) {
  return db
    .select({
      at: corrections.at,
      kind: corrections.kind,
      detail: corrections.detail,
      accountName: accounts.name,
      accountId: corrections.accountId,
    })
    .from(corrections)
    .leftJoin(accounts, eq(accounts.id, corrections.accountId))
    .where(gte(corrections.at, since))
    .orderBy(desc(corrections.at))
    .limit(most);
}
