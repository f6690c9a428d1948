import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import type { Command, OpsContext } from "./command.ts";
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
    await expect(
      runCommand([dying], [name, ...typed, "--reason", "ticket 7"], () => Promise.resolve({ context, close: () => Promise.resolve() })),
    ).rejects.toThrow("the machine went off");
    const { rows } = await database.pool.query(
      "select account_id, user_id, after, at from audit_log where action = 'operator.command' and after ->> 'command' = $1",
      [name],
    );
    expect(rows).toMatchObject([
      {
        account_id: null,
        user_id: null,
        after: { operator: `operator of ${name}`, reason: "ticket 7", command: name, arguments: typed, options: {} },
        at: expect.any(Date),
      },
    ]);
  },
);

test("who types a command is --as, which a container asks for, as everybody has the same user name there", async () => {
  const asked: OpsContext[] = [];
  const command = (name: string, more: Partial<Command> = {}): Command => ({
    name,
    summary: "Does nothing",
    run: (context) => Promise.resolve(void asked.push(context)),
    ...more,
  });
  const list = [command("look"), command("upgrade", { onAnySchema: true }), command("enter", { asksWhy: true })];
  const base = { db: database.db, clock: systemClock, operator: "slipway", print: () => undefined };
  const run = (argv: string[], isContainer: boolean) =>
    runCommand(list, argv, () =>
      Promise.resolve({ context: { ...base, isContainer } as unknown as OpsContext, close: () => Promise.resolve() }),
    );
  await run(["look"], false);
  await run(["look", "--as", "ada", "--reason", " ticket 7 "], true);
  await run(["upgrade"], true);
  expect(asked.map(({ operator, reason }) => [operator, reason])).toEqual([
    ["slipway", undefined],
    ["ada", "ticket 7"],
    ["slipway", undefined],
  ]);
  await expect(run(["look"], true)).rejects.toThrow("Say who you are, for the audit log: --as ada.");
  await expect(run(["look", "--as", "  "], true)).rejects.toThrow("Say who you are");
  await expect(run(["enter", "--reason", ""], false)).rejects.toThrow("Say why, for the audit log");
  expect(asked).toHaveLength(3);
});
