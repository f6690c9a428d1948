/** What the owner is told of an export: by mail, in its instructions, and while it is made; over a simulated workspace. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { mails, users, workspaces } from "#database/tables.ts";
import { deleteExport, insertExport, listExports, storedExport } from "#domain/exports/export-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createSecrets } from "#platform/secrets.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import type { EngineExportFile } from "../engines/port/engine-copies.ts";
import { createExportWork } from "./export-work.ts";

async function* read(): AsyncGenerator<EngineExportFile> {
  yield { kind: "workflow", path: "workflows/one.json", content: "{}", count: 1 };
}

test("an owner who switched these mails off is told of an export with credentials, and of no other", async () => {
  await using fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  fleet.startLoop();
  Object.assign(fleet.engine, { exports: { read, companions: () => [] } });
  const workspaceId = await fleet.want("acme");
  await fleet.until(workspaceId, ({ observedState }) => observedState === "online");
  const [row] = await db.select({ accountId: workspaces.accountId }).from(workspaces).where(eq(workspaces.id, workspaceId));
  await pool.query("update users set muted_mails = '[\"exports\"]'");
  const secrets = createSecrets("a key for tests, long enough to be one");
  const work = createExportWork({ ...fleet.backupTools, secrets, publicUrl: "http://localhost:3000" });
  const make = async (withCredentials: boolean) => {
    const now = new Date();
    const credentialsKey = withCredentials ? secrets.encrypt(JSON.stringify({ key: "a2V5", salt: "c2FsdA==" }), "export") : null;
    await insertExport(db, { accountId: row!.accountId, workspaceId, withCredentials, credentialsKey, keptUntil: after(now, dayMs) }, now);
    await Promise.all(await work.claim(newId()));
    return db.$count(mails);
  };
  expect(await make(false)).toBe(0);
  expect(await make(true)).toBe(1);
});

test.each([
  ["de", "de"],
  [null, "en"],
] as const)("an owner whose language is %s gets the instructions in %s", async (language, wanted) => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  fleet.startLoop();
  const asked: unknown[] = [];
  const companions = (_scrypt: unknown, given: unknown) => (asked.push(given), []);
  Object.assign(fleet.engine, { exports: { read, companions } });
  const workspaceId = await fleet.want("acme");
  await fleet.until(workspaceId, ({ observedState }) => observedState === "online");
  const [row] = await db.select({ accountId: workspaces.accountId }).from(workspaces).where(eq(workspaces.id, workspaceId));
  await db.update(users).set({ language });
  const work = createExportWork({
    ...fleet.backupTools,
    secrets: createSecrets("a key for tests, long enough to be one"),
    publicUrl: "http://localhost:3000",
  });
  const now = new Date();
  await insertExport(
    db,
    { accountId: row!.accountId, workspaceId, withCredentials: false, credentialsKey: null, keptUntil: after(now, dayMs) },
    now,
  );
  await Promise.all(await work.claim(newId()));
  expect(asked).toEqual([wanted]);
});

test("while an export is made, its row says how many workflows it has so far", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  fleet.startLoop();
  const goOn = Promise.withResolvers<void>();
  async function* readTwo(): AsyncGenerator<EngineExportFile> {
    yield* read();
    await goOn.promise;
    yield { kind: "workflow", path: "workflows/two.json", content: "{}", count: 1 };
  }
  Object.assign(fleet.engine, { exports: { read: readTwo, companions: () => [] } });
  const workspaceId = await fleet.want("acme");
  await fleet.until(workspaceId, ({ observedState }) => observedState === "online");
  const [row] = await db.select({ accountId: workspaces.accountId }).from(workspaces).where(eq(workspaces.id, workspaceId));
  const accountId = row!.accountId;
  const work = createExportWork({
    ...fleet.backupTools,
    secrets: createSecrets("a key for tests, long enough to be one"),
    publicUrl: "http://localhost:3000",
  });
  const now = new Date();
  await insertExport(db, { accountId, workspaceId, withCredentials: false, credentialsKey: null, keptUntil: after(now, dayMs) }, now);
  const made = Promise.all(await work.claim(newId()));
  const shown = async () => (await listExports(db, accountId, now, 1)).map(({ state, workflows }) => [state, workflows]);
  await expect.poll(shown).toEqual([["running", 1]]);
  goOn.resolve();
  await made;
  expect(await shown()).toEqual([["ready", 2]]);
});

test("a worker that finishes an export which another has made, and its owner deleted, leaves no file", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  fleet.startLoop();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* readLate(): AsyncGenerator<EngineExportFile> {
    yield* read();
    begun.resolve();
    await goOn.promise;
  }
  Object.assign(fleet.engine, { exports: { read: readLate, companions: () => [] } });
  const workspaceId = await fleet.want("acme");
  await fleet.until(workspaceId, ({ observedState }) => observedState === "online");
  const { accountId } = await fleet.row(workspaceId);
  const secrets = createSecrets("a key for tests, long enough to be one");
  const work = createExportWork({ ...fleet.backupTools, secrets, publicUrl: "http://localhost:3000" });
  const now = new Date();
  const { id } = await insertExport(
    db,
    { accountId, workspaceId, withCredentials: false, credentialsKey: null, keptUntil: after(now, dayMs) },
    now,
  );
  const working = await work.claim(newId());
  await begun.promise;
  await deleteExport(db, id);
  goOn.resolve();
  await Promise.all(working);
  await expect(fleet.backupTools.storage.read(storedExport(id))).rejects.toThrow("nothing is stored");
  expect(await db.$count(mails)).toBe(0);
});
