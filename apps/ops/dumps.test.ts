import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { countRows } from "#testing/database/release-dump.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { createDumps, openTrial } from "./dumps.ts";

const log = createLog("silent");

function openDumps() {
  const folder = mkdtempSync(join(tmpdir(), "slipway-dumps-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return createDumps(createFolderStorage(folder), createSecrets("a key of at least thirty-two characters"));
}

test("a dump is tried in another database of the server that DATABASE_URL names, which is gone afterwards", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const dumps = openDumps();
  const { name } = await dumps.write(database.pool, new Date("2026-11-29T02:15:00.000Z"));
  expect([name, await dumps.list()]).toEqual(["2026-11-29-021500", []]);
  await dumps.noteTried(name);
  expect([await dumps.list(), await dumps.listUntried()]).toEqual([["2026-11-29-021500"], []]);
  const trials = async () => (await database.pool.query("select from pg_database where datname = 'slipway_dump_trial'")).rowCount;
  for (let again = 0; again < 2; again += 1) {
    const trial = await openTrial(dumps, { connectionString: database.url }, log);
    expect(await trials()).toBe(1);
    expect((await trial.load(name)).rows).toEqual(await countRows(database.pool));
    // The first is left behind, as by a process that was killed.
    if (again > 0) await trial.close();
    else onTestFinished(() => trial.close());
  }
  expect(await trials()).toBe(0);
});

test("what a killed command left of a dump is no dump, and the next day's command removes it", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const folder = mkdtempSync(join(tmpdir(), "slipway-dumps-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dumps = createDumps(createFolderStorage(folder), createSecrets("a key of at least thirty-two characters"));
  const files = () => [...readdirSync(join(folder, "dumps")), ...readdirSync(join(folder, "untried"))];
  const killedAt = new Date("2026-11-28T02:15:00.000Z");
  const { name: whole } = await dumps.write(database.pool, killedAt);
  // Killed while it was written, the second one.
  await dumps.write(database.pool, new Date("2026-11-28T02:15:01.000Z"));
  renameSync(join(folder, "dumps/2026-11-28-021501"), join(folder, "dumps/2026-11-28-021501.4f1c.part"));
  const { name: running } = await dumps.write(database.pool, new Date("2026-11-29T02:00:00.000Z"));
  expect(await dumps.list()).toEqual([]);
  expect(await dumps.listUntried()).toEqual([whole, "2026-11-28-021501", running]);
  expect(await dumps.removeAbandoned(new Date("2026-11-29T02:15:00.000Z"))).toEqual([whole, "2026-11-28-021501"]);
  expect(files()).toEqual([running, running]);
});

test("a role that may not create databases is told so, and nothing is written", async () => {
  const database = await createTestDatabase();
  const role = `${database.connection.database}_guest`;
  await database.pool.query(`create role ${role} login password 'secret'`);
  onTestFinished(async () => {
    await database.pool.query(`drop role ${role}`);
    await database.close();
  });
  const dumps = openDumps();
  const url = new URL(database.url);
  url.username = role;
  url.password = "secret";
  await expect(openTrial(dumps, { connectionString: url.href }, log)).rejects.toThrow("may not create databases");
});
