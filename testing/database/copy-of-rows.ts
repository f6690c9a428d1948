/** Takes a database back to an earlier moment, as a restored dump does. */
import type { Pool } from "pg";

/** Nobody can change their rows; they refer to no other table. */
const audits = ["audit_log", "audit_outbox"];

/** Copies all rows except the audit log's; the result puts them back, as often as it is called. `name` is new in this database. */
export async function copyRows(pool: Pool, name: string): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ table: string }>(
    `select table_name as table from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const tables = rows.map(({ table }) => table).filter((table) => !audits.includes(table));
  await pool.query(
    `create schema "${name}"; ${tables.map((table) => `create table "${name}"."${table}" as table public."${table}";`).join("")}`,
  );
  return async () => {
    const client = await pool.connect();
    try {
      // Neither triggers nor references see the rows go and come; those of money ask for a word of its own.
      await client.query(
        `begin; set local session_replication_role = replica; set local slipway.changing_money = 'on';
         ${tables.map((table) => `delete from public."${table}"; insert into public."${table}" overriding system value select * from "${name}"."${table}";`).join("\n")}
         commit`,
      );
    } finally {
      client.release();
    }
  };
}
