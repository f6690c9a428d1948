/** The one way to change rows of the audit log: values of an erased account go, and every other change is refused. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";

let database: TestDatabase;
let accountId: string;
let other: string;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());
beforeEach(async () => {
  [accountId, other] = [newId(), newId()];
  for (const id of [accountId, other]) {
    await database.pool.query("insert into accounts (id, name, created_at) values ($1, $2, now())", [id, `a${id.slice(-12)}`]);
    await database.pool.query(
      "insert into audit_log (at, account_id, action, before, after, address) values (now(), $1, 'email.changed', '1', '2', '10.0.0.1')",
      [id],
    );
  }
});

const isErased = () => database.pool.query("update accounts set erased_at = now() where id = $1", [accountId]);
const valuesOf = async (id: string) =>
  (await database.pool.query("select before, after, address from audit_log where account_id = $1", [id])).rows as unknown[];
const whole = { before: 1, after: 2, address: "10.0.0.1" };

/** As a statement that reached the database, with the value that the function sets: `$1` is the erased account, `$2` another. */
async function inject(statement: string): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('slipway.erasing', $1, true)", [accountId]);
    await client.query(statement.replaceAll("$1", `'${accountId}'`).replaceAll("$2", `'${other}'`));
    await client.query("commit");
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test("values of an erased account go, those of others stay, and afterwards a plain change is refused again", async () => {
  await expect(database.pool.query("select erase_audit($1)", [accountId])).rejects.toMatchObject({ code: "23001" });
  await isErased();
  const { rows } = await database.pool.query<{ n: string }>("select erase_audit($1) as n", [accountId]);
  expect(rows[0]!.n).toBe("1");
  expect(await valuesOf(accountId)).toEqual([{ before: null, after: null, address: null }]);
  expect(await valuesOf(other)).toEqual([whole]);
  const client = await database.pool.connect();
  await client.query("begin");
  await client.query("select erase_audit($1)", [accountId]);
  await expect(client.query("update audit_log set after = null where account_id = $1", [other])).rejects.toMatchObject({ code: "23001" });
  await client.query("rollback");
  client.release();
});

test.each([
  "update audit_log set before = null, after = null, address = null where account_id = $2",
  "update audit_log set before = null, after = null, address = null",
  "update audit_log set after = '3' where account_id = $1",
  "update audit_log set before = null, after = null, address = null, action = 'nothing' where account_id = $1",
  "update audit_log set before = null, after = null, address = null, at = now() - interval '1 day' where account_id = $1",
  "update audit_log set before = null, after = null, address = null, account_id = $2 where account_id = $1",
  "delete from audit_log where account_id = $1",
  "truncate audit_log",
  "set local session_replication_role = replica; update audit_log set after = '3' where account_id = $1",
])("refused although the account is erased: %s", async (statement) => {
  await isErased();
  await expect(inject(statement)).rejects.toMatchObject({ code: "23001" });
  expect([await valuesOf(accountId), await valuesOf(other)]).toEqual([[whole], [whole]]);
});

/** Returns the row's id. */
async function command(words: object): Promise<string> {
  const after = JSON.stringify({ operator: "grace", command: "show", ...words });
  const { rows } = await database.pool.query<{ id: string }>(
    "insert into audit_log (at, action, after) values (now(), 'operator.command', $1) returning id",
    [after],
  );
  return rows[0]!.id;
}
const left = async (id: string) => (await database.pool.query("select after from audit_log where id = $1", [id])).rows[0] as unknown;
const blanked = { after: { operator: "grace", command: "show" } };

test("of operators' commands, only those that name the account lose their words; who ordered the erasure stays", async () => {
  const email = `ada+${accountId}@example.com`;
  await database.pool.query("insert into users (id, account_id, email, full_name, created_at) values ($1, $1, $2, 'Ada', now())", [
    accountId,
    email,
  ]);
  await database.pool.query("insert into audit_log (at, account_id, action, after) values (now(), $1, 'account.erasing', '\"kept\"')", [
    accountId,
  ]);
  const named = await command({ arguments: [email.toUpperCase()], reason: "ticket 9" });
  const inSql = await command({ arguments: [`select * from users where email = '${email}'`] });
  const longer = await command({ arguments: [`x${email}`], reason: "someone else" });
  const domain = await command({ arguments: [`${email}.org`] });
  await isErased();
  await expect(
    inject(`update audit_log set after = '{"operator": "grace", "command": "show"}' where id = ${longer}`),
  ).rejects.toMatchObject({
    code: "23001",
  });
  await database.pool.query("select erase_audit($1)", [accountId]);
  for (const id of [named, inSql]) expect(await left(id)).toEqual(blanked);
  expect(await left(longer)).toMatchObject({ after: { reason: "someone else" } });
  expect(await left(domain)).toMatchObject({ after: { arguments: [`${email}.org`] } });
  const { rows } = await database.pool.query("select after from audit_log where action = 'account.erasing' and account_id = $1", [
    accountId,
  ]);
  expect(rows).toEqual([{ after: "kept" }]);
});

test("an address that was only asked for is not the account's: neither an operator's nor a stranger's", async () => {
  const had = async (action: string, before: string | null, after: string | null) =>
    database.pool.query("insert into audit_log (at, account_id, action, before, after) values (now(), $1, $2, $3, $4)", [
      accountId,
      action,
      JSON.stringify(before),
      JSON.stringify(after),
    ]);
  const address = (who: string) => `${who}+${accountId}@example.com`;
  await had("email.change-asked", address("ada"), address("grace"));
  await had("email.change-resent", null, address("grace"));
  await had("email.change-withdrawn", address("stranger"), null);
  await had("email.corrected", address("mistyped"), address("second"));
  await had("email.confirmed", null, address("confirmed"));
  await had("email.changed", address("old"), address("new"));
  // Another customer has it by now.
  await had("email.changed", address("taken"), address("ada"));
  await database.pool.query("insert into users (id, account_id, email, full_name, created_at) values ($1, $1, $2, 'Eve', now())", [
    other,
    address("taken"),
  ]);
  const others = await Promise.all(
    ["grace", "stranger", "taken"].map((who) => command({ operator: address("grace"), arguments: [address(who)], reason: "ticket 9" })),
  );
  const ours = await Promise.all(["mistyped", "confirmed", "old", "new", "ada"].map((who) => command({ arguments: [address(who)] })));
  await isErased();
  await database.pool.query("select erase_audit($1)", [accountId]);
  for (const id of others) expect(await left(id)).toMatchObject({ after: { reason: "ticket 9" } });
  for (const id of ours) expect(await left(id)).toEqual(blanked);
});

test("an address in the operator's name is no reason to blank a command, only one in its arguments, options or reason", async () => {
  const email = `grace+${accountId}@example.com`;
  await database.pool.query("insert into users (id, account_id, email, full_name, created_at) values ($1, $1, $2, 'Grace', now())", [
    accountId,
    email,
  ]);
  const typed = await command({ operator: email, arguments: ["someone-else"], options: {}, reason: "ticket 9" });
  const option = await command({ arguments: [], options: { for: email } });
  const reason = await command({ arguments: [], options: {}, reason: `asked by ${email}` });
  await isErased();
  await database.pool.query("select erase_audit($1)", [accountId]);
  expect(await left(typed)).toMatchObject({ after: { arguments: ["someone-else"], reason: "ticket 9" } });
  for (const id of [option, reason]) expect(await left(id)).toEqual(blanked);
});

test("an account's name is meant only where a command's first argument names an account", async () => {
  const name = `a${accountId.slice(-12)}`;
  const named = await command({ command: "close", arguments: [name.toUpperCase()], reason: "gone" });
  const plan = await command({ command: "set-plan", arguments: ["someone-else", name], reason: "kept" });
  const host = await command({ command: "drain-host", arguments: [name], reason: "kept" });
  await isErased();
  await database.pool.query("select erase_audit($1)", [accountId]);
  expect(await left(named)).toEqual({ after: { operator: "grace", command: "close" } });
  for (const id of [plan, host]) expect(await left(id)).toMatchObject({ after: { reason: "kept" } });
});
