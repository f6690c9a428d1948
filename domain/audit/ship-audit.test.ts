import { readFileSync } from "node:fs";
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accounts, auditLog, auditOutbox, users } from "#database/tables.ts";
import { newId } from "#platform/ids.ts";
import { createLog, type Log } from "#platform/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { writeAudit, type AuditEntry } from "./audit-store.ts";
import { shipAudit, startAuditShipping } from "./ship-audit.ts";

interface Line {
  msg: string;
  level: number;
  audit: { id: string; action: string; [field: string]: unknown };
}

let database: TestDatabase;
let lines: string[] = [];
let log: Log;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  lines = [];
  log = createLog("info", undefined, { write: (line) => void lines.push(line) });
  await shipAudit(database.db, createLog("silent"));
});

async function person(): Promise<{ accountId: string; userId: string }> {
  const [accountId, userId, createdAt] = [newId(), newId(), new Date()];
  await database.db.insert(accounts).values({ id: accountId, name: `a${accountId.slice(-12)}`, createdAt });
  await database.db
    .insert(users)
    .values({ id: userId, accountId, email: `${userId}@example.com`, fullName: "Ada Lovelace", passwordHash: "-", createdAt });
  return { accountId, userId };
}

const told = () => lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === "audit");
/** Also of actions that do not exist: the log ships whatever a row says. */
const entry = (action: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  accountId: null,
  userId: null,
  action: action as AuditEntry["action"],
  ...more,
});
const write = (action: string, more?: Partial<AuditEntry>) =>
  writeAudit(database.db, entry(action, more), new Date("2026-11-21T10:00:00Z"));

/** The error code of a statement, on a connection that is not reused. */
async function codeOf(statement: string): Promise<string> {
  const client = await database.pool.connect();
  const code = await client.query(statement).then(
    () => "done",
    (error: { code: string }) => error.code,
  );
  client.release(true);
  return code;
}

test("no statement changes or deletes a row, whichever rows it selects and whatever role it uses", async () => {
  await write("kept.for-good");
  const before = await database.db.select().from(auditLog).orderBy(asc(auditLog.id));
  for (const statement of [
    "update audit_log set action = 'nothing.happened'",
    "update audit_log set action = action where false",
    "delete from audit_log",
    "truncate audit_log",
    "insert into audit_log (id, at, action) select id, at, action from audit_log limit 1 on conflict (id) do update set action = 'nothing.happened'",
    "merge into audit_log l using (select 1) one on true when matched then delete",
    "with gone as (delete from audit_log returning id) select * from gone",
    "begin; set local session_replication_role = replica; delete from audit_log; commit",
  ]) {
    expect(await codeOf(statement), statement).toBe("23001");
  }
  expect(await database.db.select().from(auditLog).orderBy(asc(auditLog.id))).toEqual(before);
});

test("an account that ends, or all of them, takes no row of the audit log with it", async () => {
  const { accountId, userId } = await person();
  await database.pool.query("delete from users where id = $1", [userId]);
  await write("account.spoken-of", { accountId });
  await database.pool.query("delete from accounts where id = $1", [accountId]);
  await database.pool.query("begin; set local slipway.changing_money = 'on'; truncate accounts cascade; commit");
  expect(await database.db.select().from(auditLog).where(eq(auditLog.accountId, accountId))).toHaveLength(1);
});

test("the runbook's statements remove rows for the table's owner, and afterwards everything is refused again", async () => {
  const page = readFileSync(new URL("../../docs/runbooks/audit-trail.md", import.meta.url), "utf8");
  const statements = /## When a law requires deleting a row[^]*?```sql\n([^]*?)```/.exec(page)![1]!;
  await writeAudit(database.db, entry("long.ago"), new Date("2001-01-01T00:00:00Z"));
  await write("of.today");
  expect(await codeOf(statements)).toBe("done");
  const kept = (await database.db.select({ action: auditLog.action }).from(auditLog)).map(({ action }) => action);
  expect([kept.includes("long.ago"), kept.includes("of.today")]).toEqual([false, true]);
  expect(await codeOf("delete from audit_log where false")).toBe("23001");
  expect(await codeOf("begin; set local session_replication_role = replica; delete from audit_log; commit")).toBe("23001");
  // A row deleted before its line was written gets none, and delays no other.
  expect(await shipAudit(database.db, log)).toBe(1);
});

test("a row becomes one line: who, what, the values before and after, when, from where", async () => {
  const { accountId, userId } = await person();
  await write("workspace.configured", {
    accountId,
    userId,
    before: { timezone: "Etc/UTC" },
    after: { timezone: "Asia/Tokyo" },
    address: "203.0.113.7",
  });
  expect(await shipAudit(database.db, log)).toBe(1);
  expect(await shipAudit(database.db, log)).toBe(0);
  expect(told()).toMatchObject([
    {
      level: 30,
      audit: {
        id: expect.stringMatching(/^\d+$/),
        at: "2026-11-21T10:00:00.000Z",
        action: "workspace.configured",
        accountId,
        userId,
        address: "203.0.113.7",
        before: { timezone: "Etc/UTC" },
        after: { timezone: "Asia/Tokyo" },
      },
    },
  ]);
});

test("a change that was rolled back is never written out, and one not committed yet is written out later", async () => {
  const undone = database.db.transaction(async (tx) => {
    await writeAudit(tx, entry("never.happened"), new Date());
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const held = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const slow = database.db.transaction(async (tx) => {
    await writeAudit(tx, entry("slow.one"), new Date());
    written.resolve();
    await held.promise;
  });
  await written.promise;
  // The higher number, but the earlier commit.
  await write("quick.one");
  await shipAudit(database.db, log);
  expect(told().map(({ audit }) => audit.action)).toEqual(["quick.one"]);
  held.resolve();
  await slow;
  await shipAudit(database.db, log);
  expect(told().map(({ audit }) => audit.action)).toEqual(["quick.one", "slow.one"]);
});

test("several workers write out each row once, in order", async () => {
  await database.db.execute(sql`insert into audit_log (at, action) select now(), 'many.' || n from generate_series(1, 450) n`);
  while ((await Promise.all([1, 2, 3].map(() => shipAudit(database.db, log)))).some((count) => count > 0));
  const actions = told().map(({ audit }) => audit.action);
  expect(actions).toHaveLength(450);
  expect(new Set(actions).size).toBe(450);
  expect(await database.db.select().from(auditOutbox)).toEqual([]);
});

test("a worker that dies after the line writes it again, with the same id", async () => {
  await write("told.twice");
  const dying = createLog("info", undefined, {
    write: (line) => {
      lines.push(line);
      throw new Error("killed");
    },
  });
  await expect(shipAudit(database.db, dying)).rejects.toThrow("killed");
  await shipAudit(database.db, log);
  const [first, second] = told();
  expect(first!.audit).toEqual(second!.audit);
});

test("no secret, mail address or billing detail reaches a line, however deeply nested", async () => {
  await write("leaky.one", {
    before: { password: "hunter2 one", deep: { deeper: { token: "hunter2 two", list: [{ apiKey: "hunter2 three" }] } } },
    after: ["ada@example.com", "https://x.example/?token=hunter2", "$argon2id$v=19$hunter2", "postgres://me:hunter2@db/x"],
  });
  await write("email.changed", { before: "old@example.com", after: "new@example.com" });
  await write("billing_details.changed", {
    before: { name: "Ada Lovelace", city: "London", country: "GB" },
    after: { name: "Ada King", city: "London", country: "GB", vatId: "GB123" },
  });
  await write("subscription.cancel-asked", { after: { reason: "Ada Lovelace is ill" } });
  await shipAudit(database.db, log);
  expect(lines.join()).not.toMatch(/hunter2|example\.com|Ada|London|GB123/);
  expect(told().map(({ audit }) => audit["changed"])).toEqual([undefined, undefined, ["name", "vatId"], ["reason"]]);
  expect(told()[1]!.audit).toMatchObject({ before: "[email]", after: "[email]" });
});

test("once started, it writes out existing and new rows automatically", async () => {
  await write("was.there");
  const shipping = startAuditShipping(database.db, log);
  try {
    await expect.poll(() => told().length).toBe(1);
    await write("came.later");
    await expect.poll(() => told().length).toBe(2);
  } finally {
    await shipping.stop();
  }
});
