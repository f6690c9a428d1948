import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { accounts, backups, mails } from "#database/tables.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { closeAccount } from "#domain/journeys/close-account/close-account.ts";
import { eraseDue } from "#domain/journeys/close-account/erasing/erase-account.ts";
import { dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling } from "#testing/payments/test-billing.ts";
import type { Command, CommandInput, OpsContext } from "../command.ts";
import { commands } from "../commands.ts";
import { erase } from "./erase.ts";
import { show } from "./show.ts";

async function openScene() {
  const world = await openTestBilling();
  const folder = join(tmpdir(), `slipway-erased-${newId()}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const accountId = await world.addAccount();
  const { db } = world.database;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const run = async (options: CommandInput["options"] = {}, command: Command = erase) => {
    const lines: string[] = [];
    const config = { publicUrl: "https://example.com", supportEmail: "help@example.com" };
    const context = { ...world.billing, config, operator: "grace", reason: "ticket 9", print: (line: string) => lines.push(line) };
    await command.run(context as unknown as OpsContext, { arguments: [account!.name], options });
    return lines.join("\n");
  };
  const close = async () => {
    const closer = { kind: "operator", operator: "grace", reason: "The company is gone." } as const;
    await closeAccount({ ...world.billing, closedAccountDays: 30 }, accountId, closer);
    await world.settle();
  };
  const work = async () => {
    await db.delete(backups);
    await db.update(mails).set({ sendAt: null, sentAt: world.clock.now() });
    await eraseDue({ ...world.billing, storage: createFolderStorage(folder), supportEmail: "help@example.com" });
  };
  return { world, name: account!.name, run, close, work };
}

test("an open account is refused; of a closed one, it lists what goes and stays, and changes nothing", async () => {
  const { world, name, run, close } = await openScene();
  await expect(run({ name })).rejects.toThrow(`${name} is open. Close it first`);
  await close();
  const said = await run();
  expect(said).toContain("Deleted:\n  mails: ");
  expect(said).toContain("  users: 1");
  expect(said).toMatch(/ {2}accounts: 1 \(id, name, .*\): the account's name, forever/);
  expect(said).toContain(`Nothing was erased. Its owner can reopen ${name} until 2027-02-09 09:00 UTC`);
  const [row] = await world.database.db.select().from(accounts);
  expect(row).toMatchObject({ erasingSince: null, erasedAt: null });
});

test("it needs the account's name, and before its day the word that says so; then nothing takes it back", async () => {
  const { name, run, close, work } = await openScene();
  await close();
  await expect(run({ name: "another", early: true })).rejects.toThrow(`--name must be the account's name: ${name}.`);
  await expect(run({ name })).rejects.toThrow("add --early");
  expect(await run({ name, early: true })).toContain(`The erasure of ${name} has begun`);
  const again = await run({ name });
  expect(again).toMatch(new RegExp(`^The erasure of ${name} had begun before, at 2027-.* UTC\\. The worker tries again now\\.`));
  expect(again).not.toContain("by mail");
  expect(await run({}, show)).toMatch(/being erased since/);
  await work();
  await expect(run({ name, early: true })).rejects.toThrow(`${name} was erased already`);
  expect(await run({}, show)).toMatch(/closed since .*, erased at .*: only what/);
});

test("on its day it needs no such word, and after a failure it makes the worker try now", async () => {
  const { world, name, run, close, work } = await openScene();
  await close();
  world.clock.advance(30 * dayMs);
  expect(await run()).toContain(`The worker has been trying to erase ${name} since`);
  await world.database.db.update(accounts).set({ erasureDueAt: new Date(world.clock.now().getTime() + dayMs / 24) });
  expect(await run({ name })).toContain("has begun");
  await work();
  const [row] = await world.database.db.select().from(accounts);
  expect(row!.erasedAt).not.toBeNull();
});

test("the database knows every command whose first argument names an account, and takes no other argument for one", async () => {
  const { world } = await openScene();
  const known: string[] = [];
  for (const { name } of commands) {
    const entry = JSON.stringify({ operator: "grace", command: name, arguments: ["ada", "pro"], options: {} });
    const { rows } = await world.database.pool.query<{ is: boolean }>(`select command_names($1, '{ada}') as is`, [entry]);
    if (rows[0]!.is) known.push(name);
  }
  const ofAccounts = commands.filter(({ parameters = [] }) => ["email or account name", "anything"].includes(parameters[0] ?? ""));
  expect(known).toEqual(ofAccounts.map(({ name }) => name));
  expect(known.length).toBeGreaterThan(10);
});
