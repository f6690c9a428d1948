/** The list of what the provider has and our rows do not explain. A person decides about each entry. */
import { and, asc, count, eq, gte, isNull, sql } from "drizzle-orm";
import { accounts, billingFindings } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";

export const findingKinds = [
  /** A customer paid, or may be charged, for an account that does not exist here. */
  "no-account",
  /** An account has two subscriptions that charge. */
  "second-subscription",
  /** Our row names a subscription that the provider does not know, such as after a change of keys. */
  "unknown-there",
  /** A plan that was bought with test keys, or in the sandbox, while live keys are used (end-test-purchases.ts). */
  "test-purchase",
  /** The provider's state could not be taken over: what is sold is not in the catalogue, or its status is unknown. */
  "not-understood",
  /** The account could not be compared, or its documents not written. */
  "not-compared",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  kind: FindingKind;
  /** The customer or subscription at the provider. */
  objectId: string;
  accountId: string | null;
  name: string;
  /** Minor units by currency. */
  paid: Record<string, number>;
  detail: string;
}

/** Adds the finding, or notes that it was found again; one that was closed is opened again only if more was paid, or if it is free. */
export async function noteFinding(db: Connection, provider: string, finding: Finding, now: Date): Promise<void> {
  const isSame = sql`${billingFindings.paid} = excluded.paid and ${billingFindings.kind} <> 'test-purchase'`;
  await db
    .insert(billingFindings)
    .values({ provider, ...finding, foundAt: now, seenAt: now })
    .onConflictDoUpdate({
      target: [billingFindings.provider, billingFindings.kind, billingFindings.objectId],
      set: {
        accountId: sql`excluded.account_id`,
        name: sql`coalesce(nullif(excluded.name, ''), ${billingFindings.name})`,
        paid: sql`excluded.paid`,
        detail: sql`excluded.detail`,
        seenAt: now,
        foundAt: sql`case when ${billingFindings.kind} = 'test-purchase' and ${billingFindings.seenAt} < ${after(now, -seenWithinMs).toISOString()}::timestamptz
          then excluded.found_at else ${billingFindings.foundAt} end`,
        closedAt: sql`case when ${isSame} then ${billingFindings.closedAt} end`,
        closedBy: sql`case when ${isSame} then ${billingFindings.closedBy} end`,
      },
    });
}

/** Adds the finding unless there is one about this object, which knows more. */
export async function noteFirst(db: Connection, provider: string, finding: Finding, now: Date): Promise<void> {
  await db
    .insert(billingFindings)
    .values({ provider, ...finding, foundAt: now, seenAt: now })
    .onConflictDoNothing();
}

/** A finding of each comparison, nightly, has not been missing for as long. */
const seenWithinMs = 2 * dayMs;

/** Since when each comparison has found it; null: not yet, or not lately. */
export async function findSince(
  db: Connection,
  provider: string,
  finding: Pick<Finding, "kind" | "objectId">,
  now: Date,
): Promise<Date | null> {
  const { kind, objectId } = finding;
  const [row] = await db
    .select({ foundAt: billingFindings.foundAt })
    .from(billingFindings)
    .where(
      and(
        eq(billingFindings.provider, provider),
        eq(billingFindings.kind, kind),
        eq(billingFindings.objectId, objectId),
        gte(billingFindings.seenAt, after(now, -seenWithinMs)),
      ),
    );
  return row?.foundAt ?? null;
}

export type FindingRow = typeof billingFindings.$inferSelect & { accountName: string | null };

/** Open ones, oldest first. */
export async function listFindings(db: Connection): Promise<FindingRow[]> {
  const rows = await db
    .select({ finding: billingFindings, accountName: accounts.name })
    .from(billingFindings)
    .leftJoin(accounts, eq(accounts.id, billingFindings.accountId))
    .where(isNull(billingFindings.closedAt))
    .orderBy(asc(billingFindings.foundAt), asc(billingFindings.objectId));
  return rows.map(({ finding, accountName }) => ({ ...finding, accountName }));
}

/** Closes the open findings about this object; returns how many. */
export async function closeFindings(db: Connection, objectId: string, by: string, now: Date): Promise<number> {
  const closed = await db
    .update(billingFindings)
    .set({ closedAt: now, closedBy: by })
    .where(and(eq(billingFindings.objectId, objectId), isNull(billingFindings.closedAt)))
    .returning({ kind: billingFindings.kind });
  return closed.length;
}

/** Open ones by kind; each kind is named. */
export async function countFindings(db: Connection): Promise<Record<FindingKind, number>> {
  const found = await db
    .select({ kind: billingFindings.kind, times: count() })
    .from(billingFindings)
    .where(isNull(billingFindings.closedAt))
    .groupBy(billingFindings.kind);
  return Object.fromEntries(findingKinds.map((kind) => [kind, found.find((row) => row.kind === kind)?.times ?? 0])) as Record<
    FindingKind,
    number
  >;
}
