/** The SQL of which accounts' hosts may have their own certificate. docs/decisions/0144-one-server.md */
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { accounts } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";

/** Certificate authorities count the new names of a domain by the week. */
const perDays = 7;

/**
 * Whether the host of this account may have a certificate: one that was allowed before, always, and at most `most` others in seven days, by
 * the database's clock. Accounts are counted one after the other, in every process.
 */
export async function allowCertificate(db: Database, accountName: string, most: number): Promise<boolean> {
  if (await isAllowed(db, accountName)) return true;
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('slipway certificates'))`);
    const isLeft = sql`(select count(*) from accounts counted where counted.certificate_at > clock_timestamp() - make_interval(days => ${perDays}::int)) < ${most}::int`;
    const allowed = await tx
      .update(accounts)
      .set({ certificateAt: sql`clock_timestamp()` })
      .where(and(eq(accounts.name, accountName), isNull(accounts.certificateAt), isLeft))
      .returning({ id: accounts.id });
    return allowed.length > 0 || isAllowed(tx, accountName);
  });
}

async function isAllowed(db: Connection, accountName: string): Promise<boolean> {
  const found = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.name, accountName), isNotNull(accounts.certificateAt)));
  return found.length > 0;
}
