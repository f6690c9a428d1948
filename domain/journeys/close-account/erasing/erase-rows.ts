/** Carries out the erasure list on the rows of one account, in the transaction that erases it. */
import { eq, sql, type SQL } from "drizzle-orm";
import * as tables from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { columnOf, decisions, isGone, isKept, nameOf, tableOf, type Erased } from "./erasure-list.ts";

/**
 * With every address that its people have or had, and those of the people whom it invited, as its rows know them; without addresses that were
 * only asked for, which may be anyone's. Null: there is no such account.
 */
export async function readErased(db: Connection, accountId: string): Promise<Erased | null> {
  const [account] = await db.select({ accountName: tables.accounts.name }).from(tables.accounts).where(eq(tables.accounts.id, accountId));
  if (!account) return null;
  const id = sql`${accountId}::uuid`;
  const list = async (found: SQL) => (await db.execute<{ word: string }>(found)).rows.map(({ word }) => word);
  const addresses = await list(sql`select word from addresses_of_account(${id}) word
    union select email from link_tokens where user_id in (select id from users where account_id = ${id}) and purpose <> 'change-email'`);
  const invited = await list(sql`select email as word from invitations where account_id = ${id}
    union select value #>> '{}' from audit_log, unnest(array[before, after]) entry, jsonb_path_query(entry, '$.**') value
      where account_id = ${id} and action like 'invitation.%' and jsonb_typeof(value) = 'string' and value #>> '{}' like '%@%'`);
  return { accountId, ...account, addresses, invited };
}

/** How many rows of each table would go, and of which some columns would be blanked: for an operator, before anything happens. */
export async function countRows(db: Connection, erased: Erased): Promise<{ table: string; rows: number; isKept: boolean }[]> {
  const counts = [];
  for (const [name, decision] of decisions) {
    if (!isGone(decision) && !isKept(decision)) continue;
    const of = isGone(decision) ? decision.rows(erased) : decision.kept(erased);
    const { rows } = await db.execute<{ rows: number }>(sql`select count(*)::int as rows from ${tableOf(name)} where ${of}`);
    counts.push({ table: nameOf(name), rows: rows[0]!.rows, isKept: isKept(decision) });
  }
  return counts;
}

/**
 * Deletes and blanks what the list says, and marks the account as erased at `now`. The caller's transaction has locked the account, and nothing of it is
 * outside the database any more.
 */
export async function eraseRows(tx: Connection, erased: Erased, now: Date): Promise<void> {
  // First: the database's function blanks rows of an erased account only.
  await tx.update(tables.accounts).set({ erasedAt: now }).where(eq(tables.accounts.id, erased.accountId));
  for (const [name, decision] of decisions) {
    if (isGone(decision)) await tx.execute(sql`delete from ${tableOf(name)} where ${decision.rows(erased)}`);
    else if (name === "auditLog") await tx.execute(sql`select erase_audit(${erased.accountId}::uuid)`);
    else if (isKept(decision)) {
      const set = Object.entries(decision.blank).map(([column, value]) => sql`${sql.identifier(columnOf(name, column))} = ${value}`);
      if (set.length > 0) await tx.execute(sql`update ${tableOf(name)} set ${sql.join(set, sql`, `)} where ${decision.kept(erased)}`);
    }
  }
}
