/** The runbook's append-only database user for the audit log: created by the runbook's statements, then tested. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "#database/migrate.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { writeAudit } from "./audit-store.ts";
import { shipAudit } from "./ship-audit.ts";

/** Roles belong to the server, not to the database: these names are unique to this run. */
const run = randomBytes(4).toString("hex");
const program = `slipway_${run}`;
const owner = `slipway_audit_${run}`;
const eraser = `slipway_eraser_${run}`;
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const name = String(database.connection.database);
  await database.pool.query(
    `create role ${program} login password 'hunter2'; alter database ${name} owner to ${program}; grant all on schema public to ${program}`,
  );
  pool = new pg.Pool({ ...database.connection, user: program, password: "hunter2", max: 3 });
  await migrate({ pool }, createLog("silent"));
  const page = readFileSync(new URL("../../docs/runbooks/audit-trail.md", import.meta.url), "utf8");
  const block = /## An append-only database user[^]*?```sh\n([^]*?)```/.exec(page)![1]!;
  const statements = block
    .replaceAll("slipway_audit", owner)
    .replaceAll("slipway_eraser", eraser)
    .replaceAll("on database slipway", `on database ${name}`)
    .replaceAll(/to slipway;/g, `to ${program};`);
  await database.pool.query(`alter database ${name} owner to current_user; ${statements}`);
});
afterAll(async () => {
  await pool.end();
  await database.pool.query(`drop owned by ${program}, ${owner}, ${eraser} cascade`);
  await database.close();
  const admin = new pg.Client({ ...database.connection, database: "postgres" });
  await admin.connect();
  await admin.query(`drop role ${program}; drop role ${owner}; drop role ${eraser}`);
  await admin.end();
});

test("it adds, reads and ships rows, and can start again on an up-to-date database", async () => {
  const db = drizzle({ client: pool }) as unknown as TestDatabase["db"];
  await writeAudit(db, { accountId: null, userId: null, action: "workspace.restarted" }, new Date());
  const lines: string[] = [];
  expect(await shipAudit(db, createLog("info", undefined, { write: (line) => void lines.push(line) }))).toBe(1);
  expect(lines.join()).toContain("workspace.restarted");
  await migrate({ pool }, createLog("silent"));
});

test("it blanks the rows of an erased account by the one function, and no others", async () => {
  const [accountId, other] = [newId(), newId()];
  for (const id of [accountId, other]) {
    await pool.query("insert into accounts (id, name, created_at) values ($1, $2, now())", [id, `a${id.slice(-12)}`]);
    await pool.query("insert into audit_log (at, account_id, action, after) values (now(), $1, 'email.changed', '1')", [id]);
  }
  await expect(pool.query("select erase_audit($1)", [accountId])).rejects.toMatchObject({ code: "23001" });
  await pool.query("update accounts set erased_at = now() where id = $1", [accountId]);
  await pool.query("select erase_audit($1)", [accountId]);
  const { rows } = await pool.query("select after from audit_log where account_id in ($1, $2) order by account_id = $2", [
    accountId,
    other,
  ]);
  expect(rows).toEqual([{ after: null }, { after: 1 }]);
});

test.each([
  "set slipway.erasing = '00000000-0000-7000-8000-000000000000'; update audit_log set after = null",
  "create or replace function words_of_account(account uuid) returns text[] language sql as 'select null::text[]'",
  "create or replace function erase_audit(account uuid) returns bigint language sql as 'select 1::bigint'",
  `set role ${eraser}`,
  "update audit_log set action = 'nothing.happened'",
  "delete from audit_log",
  "truncate audit_log",
  "alter table audit_log disable trigger audit_log_for_good",
  "drop trigger audit_log_for_good on audit_log",
  "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'",
  "alter function refuse_audit_change() rename to gone",
  "create trigger mine before insert on audit_log for each row execute function refuse_audit_change()",
  "alter table audit_log rename to gone",
  "drop table audit_log",
  "drop table accounts cascade; delete from audit_log",
  "drop schema public cascade",
  "set session_replication_role = replica",
  `set role ${owner}`,
  `grant ${owner} to ${program}`,
  `alter table audit_log owner to ${program}`,
])("it is refused: %s", async (statement) => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    // 42501: missing privilege; 23001 would be the trigger, which the owner could remove.
    await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
  } finally {
    await client.query("rollback");
    client.release();
  }
});
