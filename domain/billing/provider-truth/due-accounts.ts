/** Whose turn it is. */
import { sql } from "drizzle-orm";
import type { Connection } from "#platform/database.ts";

/** Up to `most` accounts with a due event or timer that nobody else handles, longest waiting first, without those named. */
export async function findDueAccounts(db: Connection, now: Date, without: readonly string[], most: number): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const named = sql`array(select jsonb_array_elements_text(${JSON.stringify(without)}::jsonb))`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select due.id from (
      select owner_id as id, run_at from provider_events
      where run_at <= ${at} and owner_id is not null and not exists (select 1 from billing_lanes where account_id = owner_id and taken_until > ${at})
      union all
      select account_id, run_at from timers where run_at <= ${at} and exists (select 1 from subscriptions where subscriptions.account_id = timers.account_id)
    ) due
    where due.id::text <> all (${named})
    group by due.id order by min(due.run_at) limit ${most}`);
  return rows.map(({ id }) => id);
}
