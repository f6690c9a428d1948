import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import type { OpsContext } from "./command.ts";
import { commands } from "./commands.ts";
import { runCommand } from "./run-command.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database?.close());

test.each(commands.map((command) => [command.name, command] as const))(
  "%s writes an audit row with operator, command and time before it does anything",
  async (name, command) => {
    const context = {
      db: database.db,
      clock: systemClock,
      log: createLog("silent"),
      operator: `operator of ${name}`,
      print: () => undefined,
    } as unknown as OpsContext;
    const typed = (command.parameters ?? []).map((parameter) => `a ${parameter}`);
    // It fails immediately, and the attempt is still on record.
    const dying = { ...command, run: () => Promise.reject(new Error("the machine went off")) };
    await expect(runCommand([dying], [name, ...typed], () => Promise.resolve({ context, close: () => Promise.resolve() }))).rejects.toThrow(
      "the machine went off",
    );
    const { rows } = await database.pool.query(
      "select account_id, user_id, after, at from audit_log where action = 'operator.command' and after ->> 'command' = $1",
      [name],
    );
    expect(rows).toMatchObject([
      {
        account_id: null,
        user_id: null,
        after: { operator: `operator of ${name}`, command: name, arguments: typed, options: {} },
        at: expect.any(Date),
      },
    ]);
  },
);
