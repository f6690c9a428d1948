/** Each release's database is migrated to the newest schema, and today's program starts on it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { countRows, loadDump } from "#testing/database/release-dump.ts";
import { writeReleaseDump } from "#testing/database/write-release-dump.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { startSlipway } from "#testing/program/start-slipway.ts";
import { isMigrated, migrate } from "../migrate.ts";
import { releasedKey, releasedOwner } from "./released.ts";

/** Set by `npm run release`, which tests the dump that this writes as well. */
const released = process.env["SLIPWAY_DUMP_RELEASE"];
if (released) beforeAll(() => writeReleaseDump(released, new URL(`${released}.sql`, import.meta.url)), 300_000);

const kept = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".sql"));
const dumps = [...new Set([...kept, ...(released ? [`${released}.sql`] : [])])];

test.skipIf(released)("the next release can write its dump: each table that a service fills has a row", { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-dump-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await writeReleaseDump("next", pathToFileURL(join(folder, "next.sql")));
});

test("there is a dump of a release", () => expect(dumps).toContain("0.1.0.sql"));

test.each(dumps)("%s is migrated without losing a row, and its customers sign in to today's program", async (name) => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  await loadDump(database.pool, readFileSync(new URL(name, import.meta.url), "utf8"));
  const before = await countRows(database.pool);
  await migrate(database, createLog("silent"));
  expect(await isMigrated(database.db)).toBe(true);
  const migrated = await countRows(database.pool);
  expect(Object.keys(before).filter((table) => (migrated[table] ?? 0) < before[table]!)).toEqual([]);
  expect(before["invoices"]).toBeGreaterThan(0);

  await using slipway = await startSlipway({ env: { DATABASE_URL: database.url, SECRET_KEY: releasedKey } });
  const { accountName: login, password } = releasedOwner;
  const signedIn = await slipway.call("POST", "/api/auth/login", { body: { login, password } });
  expect(signedIn.status).toBe(200);
  const { token } = signedIn.json<{ token: string }>();
  const owner = { ...releasedOwner, email: "", token };
  expect((await slipway.journal(owner)).map(({ event }) => event)).toContain("online");
  expect((await slipway.call("GET", "/api/export", { token })).text).toContain('"successful"');
});
