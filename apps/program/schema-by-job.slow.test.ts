/** A deployment that migrates with a job: processes wait for the schema, and an older release refuses a newer one. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#testing/postgres.ts";
import { prepareSlipway } from "#testing/program/start-slipway.ts";
import { quickModules } from "../../tools/process/server-flags.mjs";

test("processes wait until the job has migrated, and a release older than the schema does not start", async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  const shared = { DATABASE_URL: database.url, SECRET_KEY: "one key for all of these processes", MIGRATIONS: "job" };
  await using slipway = await prepareSlipway({ env: { ...shared, ROLES: "api" } });
  const waits = "waiting for npm run ops -- migrate";

  slipway.launchProgram();
  await expect.poll(() => slipway.output(), { timeout: 60_000 }).toContain(waits);
  // A supervisor may end it before anything migrates.
  expect(await slipway.signal("SIGTERM")).toMatchObject({ code: 0 });
  expect(slipway.output()).toContain("Stopped while waiting for the database to be migrated.");

  slipway.launchProgram();
  await expect.poll(() => slipway.output(), { timeout: 60_000 }).toContain(waits);
  const ops = [quickModules, join(import.meta.dirname, "../ops/main.ts"), "migrate"];
  const env = { PATH: process.env["PATH"], DATA_DIR: slipway.dataDir, ...shared };
  expect((await promisify(execFile)(process.execPath, ops, { env })).stdout).toMatch(/^\d+ migrations applied\.\n$/);
  await slipway.ready();
  expect((await promisify(execFile)(process.execPath, ops, { env })).stdout).toBe("The database was up to date.\n");
  const { rows } = await database.pool.query("select count(*)::int as times from audit_log where action = 'operator.command'");
  expect(rows).toEqual([{ times: 2 }]);
  await slipway.signal("SIGTERM");

  await database.pool.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 99999999999999)");
  // A newer release that has removed nothing which this one uses.
  slipway.launchProgram();
  await slipway.ready();
  expect(slipway.output()).toContain("a newer release has migrated the database, and allows this one to run on it");
  await slipway.signal("SIGTERM");
  await database.pool.query("update drizzle.oldest_program set knows = 99999999999999");
  slipway.launchProgram();
  expect(await slipway.ended()).toMatchObject({ code: 1 });
  expect(slipway.output()).toContain("The database was migrated by a newer release of Slipway");
});
