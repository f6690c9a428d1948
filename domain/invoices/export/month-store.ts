/** The SQL of a month's documents, and of revenue. */
import { and, asc, eq, gt, gte, isNull, lt, ne, or, sql } from "drizzle-orm";
import { invoices } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { InvoiceRow } from "../invoice-store.ts";

interface Month {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** The month in UTC, as `2026-11`; null if that is no month. */
export function monthOf(text: string): Month | null {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return null;
  const [year, month] = text.split("-").map(Number) as [number, number];
  return { from: new Date(Date.UTC(year, month - 1, 1)), to: new Date(Date.UTC(year, month, 1)) };
}

const pageSize = 200;
const ofMonth = ({ from, to }: Month) => and(gte(invoices.issuedAt, from), lt(invoices.issuedAt, to), ne(invoices.total, 0));

/** Numbered documents in the order of their issue, page by page: a month may have more than fit in memory. */
export async function* readDocuments(db: Connection, month: Month): AsyncGenerator<InvoiceRow> {
  let after: Pick<InvoiceRow, "issuedAt" | "id"> | null = null;
  for (;;) {
    const following: ReturnType<typeof and> = after
      ? or(gt(invoices.issuedAt, after.issuedAt), and(eq(invoices.issuedAt, after.issuedAt), gt(invoices.id, after.id)))
      : undefined;
    const rows: InvoiceRow[] = await db
      .select()
      .from(invoices)
      .where(and(ofMonth(month), sql`${invoices.number} is not null`, following))
      .orderBy(asc(invoices.issuedAt), asc(invoices.id))
      .limit(pageSize);
    yield* rows;
    after = rows.at(-1) ?? null;
    if (rows.length < pageSize) return;
  }
}

/** Invoices of the month that have no number yet, such as while an exchange rate is missing. */
export async function countUnnumbered(db: Connection, month: Month): Promise<number> {
  const [found] = await db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(invoices)
    .where(and(ofMonth(month), isNull(invoices.number), ne(invoices.status, "void")));
  return found?.count ?? 0;
}

export interface MonthRevenue {
  /** Such as `2026-11`, in UTC. */
  month: string;
  currency: string;
  documents: number;
  /** Minor units; credit notes are deducted. */
  net: number;
  tax: number;
  total: number;
}

/** What was invoiced less what was credited, by month and currency, newest first. */
export async function readRevenue(db: Connection, since: Date): Promise<MonthRevenue[]> {
  const month = sql<string>`to_char(${invoices.issuedAt} at time zone 'UTC', 'YYYY-MM')`;
  const sum = (of: ReturnType<typeof sql>) => sql<number>`coalesce(sum(${of}), 0)`.mapWith(Number);
  return db
    .select({
      month,
      currency: invoices.currency,
      documents: sql<number>`count(*)`.mapWith(Number),
      net: sum(sql`${invoices.total} - ${invoices.tax}`),
      tax: sum(sql`${invoices.tax}`),
      total: sum(sql`${invoices.total}`),
    })
    .from(invoices)
    .where(and(gte(invoices.issuedAt, since), ne(invoices.total, 0), sql`${invoices.number} is not null`))
    .groupBy(sql`1`, invoices.currency)
    .orderBy(sql`1 desc`, invoices.currency);
}
