import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { CommandRefused, type OpsContext } from "../command.ts";
import { sqlCommand } from "./sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("insert into accounts (id, name, created_at) values (gen_random_uuid(), 'ada', now())");
});
afterAll(() => database?.close());

async function run(query: string): Promise<string[]> {
  const lines: string[] = [];
  const context = { connection: { connectionString: database.url }, log: createLog("silent"), print: (line: string) => lines.push(line) };
  await sqlCommand.run(context as unknown as OpsContext, { arguments: [query], options: {} });
  return lines;
}

test("prints names, rows and their number, without control characters", async () => {
  expect(await run("select name, null as nothing, E'a\\u001b[31mb\\nc' as text from accounts")).toEqual([
    "name  nothing  text",
    "----  -------  ---------",
    "ada            a [31mb c",
    "1 row.",
  ]);
  expect(await run("with few as (select 1 as n) select n from few where n > 1")).toEqual(["n", "-", "0 rows."]);
});

test("shows at most a thousand rows, and says so", async () => {
  const lines = await run("select generate_series(1, 5000)");
  expect(lines).toHaveLength(2 + 1000 + 1);
  expect(lines.at(-1)).toBe("Only the first 1000 rows are shown.");
});

test.each([
  "delete from accounts",
  "with gone as (delete from accounts returning 1) select * from gone",
  "select 1; commit; delete from accounts",
  "select 1; delete from accounts",
  "select set_config('transaction_read_only', 'off', false), nextval('workspaces_number_seq')",
  "select * from accounts for update",
  "commit",
])("refuses to write: %s", async (query) => {
  await expect(run(query)).rejects.toThrow(CommandRefused);
  expect((await database.pool.query("select name from accounts")).rows).toEqual([{ name: "ada" }]);
});
