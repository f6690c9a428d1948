import { rm } from "node:fs/promises";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backups, workspaceJournal, workspaces } from "#database/tables.ts";
import { insertBackup } from "#domain/backups/backup-queue.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { unsealStored } from "#domain/backups/sealed/unseal-stored.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { createSecrets } from "#platform/secrets.ts";
import { createTestBilling, type TestBilling } from "#testing/payments/test-billing.ts";
import { noteSecretKey, readNotedSecretKey } from "./note-secret-key.ts";
import { resealStored } from "./reseal-stored.ts";
import { countNotYetStarted, rotateWorkspaces, rotationKeys } from "./rotate-rows.ts";

const [oldKey, newKey] = ["the old key, which is long enough to be one", "the new key, which is long enough to be one"];
const keys = rotationKeys(newKey, oldKey);
const both = createSecrets(newKey, oldKey);

let world: TestBilling;
let folder: string;
beforeEach(async () => {
  world = await createTestBilling();
  folder = mkdtempSync(join(tmpdir(), "slipway-rotate-"));
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function addWorkspace(text: string, by = keys.previous): Promise<string> {
  const accountId = await world.addAccount();
  const [row] = await world.database.db
    .update(workspaces)
    .set({ secrets: by.encrypt(text, "workspace"), observedGeneration: 1, observedState: "online" })
    .where(eq(workspaces.accountId, accountId))
    .returning();
  return row!.id;
}
const find = async (id: string) => (await world.database.db.select().from(workspaces).where(eq(workspaces.id, id)))[0]!;
const rotateAll = async () => {
  const found = { done: 0, unreadable: [] as string[] };
  for (let from: string | null | undefined; from !== null;) {
    const rotated = await rotateWorkspaces(world.database.db, keys, { from, most: 2, operator: "ops", now: world.clock.now() });
    found.done += rotated.done.length;
    found.unreadable.push(...rotated.unreadable);
    from = rotated.next;
  }
  return found;
};

test("every workspace's secrets are re-encrypted once, and it restarts once", async () => {
  const ids = [await addWorkspace("a"), await addWorkspace("b"), await addWorkspace("c"), await addWorkspace("new already", keys.current)];
  expect(await rotateAll()).toEqual({ done: 3, unreadable: [] });
  expect(await rotateAll()).toEqual({ done: 0, unreadable: [] });
  const rows = await Promise.all(ids.map(find));
  expect(rows.map(({ secrets }) => keys.current.decrypt(secrets, "workspace"))).toEqual(["a", "b", "c", "new already"]);
  expect(rows.map(({ generation }) => generation)).toEqual([2, 2, 2, 1]);
  const lines = await world.database.db.select({ event: workspaceJournal.event }).from(workspaceJournal);
  expect(lines.filter(({ event }) => event === "key-replaced")).toHaveLength(3);
  expect(await countNotYetStarted(world.database.db)).toBe(3);
  await world.database.db.update(workspaces).set({ observedGeneration: 2 }).where(eq(workspaces.id, ids[0]!));
  expect(await countNotYetStarted(world.database.db)).toBe(2);
  expect(await countNotYetStarted(world.database.db, [ids[0]!])).toBe(0);
});

test("a stopped workspace stays stopped", async () => {
  const id = await addWorkspace("a");
  await world.database.db.update(workspaces).set({ desiredState: "stopped" }).where(eq(workspaces.id, id));
  expect(await rotateAll()).toEqual({ done: 1, unreadable: [] });
  expect(await find(id)).toMatchObject({ generation: 1, desiredState: "stopped" });
});

test("rows that neither key decrypts are named and skipped, and the others are done", async () => {
  const strange = await addWorkspace("x", createSecrets("a third key, which is long enough to be one"));
  const { secrets } = await find(strange);
  await addWorkspace("a");
  expect(await rotateAll()).toEqual({ done: 1, unreadable: [strange] });
  expect((await find(strange)).secrets).toBe(secrets);
});

const stored = (storage: BackupStorage = createFolderStorage(folder)) => ({ storage, keys: createBackupKeys(both, [keys.previous]) });
const oldKeys = createBackupKeys(keys.previous);

async function addBackup(content: string): Promise<string> {
  const accountId = await world.addAccount();
  const { id } = (await insertBackup(
    world.database.db,
    { accountId, workspaceId: accountId, kind: "manual", engine: "n8n", engineVersion: "2.40.7" },
    world.clock.now(),
  ))!;
  await world.database.db.update(backups).set({ state: "successful", keyId: oldKeys.current.id, sha256: "-" }).where(eq(backups.id, id));
  await stored().storage.write(
    `backups/${id}`,
    pipeline(Readable.from([Buffer.from(content)], { objectMode: false }), sealStream(oldKeys.current, `backups/${id}`), () => undefined),
  );
  return id;
}
const readAlone = async (id: string) =>
  (
    await buffer(await unsealStored({ storage: createFolderStorage(folder), keys: createBackupKeys(keys.current) }, `backups/${id}`))
  ).toString();

test("backups are re-encrypted, and only the new key decrypts them", async () => {
  const ids = [await addBackup("one"), await addBackup("x".repeat(200_000))];
  expect(await resealStored(world.database.db, stored())).toEqual({ done: 2, unreadable: [] });
  expect(await Promise.all(ids.map(readAlone))).toEqual(["one", "x".repeat(200_000)]);
  expect(await resealStored(world.database.db, stored())).toEqual({ done: 0, unreadable: [] });
  const rows = await world.database.db.select().from(backups);
  expect(new Set(rows.map(({ keyId }) => keyId))).toEqual(new Set([createBackupKeys(both).current.id]));
  expect(rows.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256 ?? ""))).toBe(true);
});

test.each(["before", "after"])("a run that ends right %s a file is written loses nothing, and the next one continues", async (when) => {
  const ids = [await addBackup("one"), await addBackup("two"), await addBackup("three")];
  const storage = createFolderStorage(folder);
  let writes = 0;
  const breaking: BackupStorage = {
    ...storage,
    async write(name, content) {
      writes += 1;
      if (writes === 2 && when === "before") throw new Error("the power is gone");
      await storage.write(name, content);
      if (writes === 2) throw new Error("the power is gone");
    },
  };
  await expect(resealStored(world.database.db, stored(breaking))).rejects.toThrow("the power is gone");
  expect(await resealStored(world.database.db, stored())).toEqual({ done: 2, unreadable: [] });
  expect(await Promise.all(ids.map(readAlone))).toEqual(["one", "two", "three"]);
});

test("a backup that is not in the storage is named: this may be another storage than the service's", async () => {
  const id = await addBackup("one");
  await stored().storage.remove(`backups/${id}`);
  expect(await resealStored(world.database.db, stored())).toEqual({
    done: 0,
    unreadable: [`backups/${id}: the storage has nothing under this name`],
  });
});

test("a damaged file is named and left unchanged", async () => {
  const [broken, whole] = [await addBackup("one"), await addBackup("two")];
  await stored().storage.write(
    `backups/${broken}`,
    Readable.from([Buffer.from("SLIPWAY1 and then nothing that is right, however long one reads on in it")], { objectMode: false }),
  );
  const { done, unreadable } = await resealStored(world.database.db, stored());
  expect([done, unreadable]).toEqual([1, [expect.stringContaining(`backups/${broken}: `)]]);
  expect(await readAlone(whole)).toBe("two");
});

test("a start with a key that is neither the recorded one nor its replacement is refused", async () => {
  const { db } = world.database;
  expect(await readNotedSecretKey(db)).toBeNull();
  await noteSecretKey(db, keys.previous);
  await expect(noteSecretKey(db, keys.current)).rejects.toThrow("set it as SECRET_KEY_PREVIOUS beside the new one");
  await noteSecretKey(db, both);
  expect(await readNotedSecretKey(db)).toBe(keys.current.keyId);
  await noteSecretKey(db, keys.current);
  await expect(noteSecretKey(db, keys.previous)).rejects.toThrow("SECRET_KEY is not the key");
});

test("a copy that could not be opened and is kept for operators is re-encrypted too", async () => {
  const id = await addBackup("what can be saved");
  await world.database.db.update(backups).set({ state: "failed" }).where(eq(backups.id, id));
  expect(await resealStored(world.database.db, stored())).toEqual({ done: 1, unreadable: [] });
  expect(await readAlone(id)).toBe("what can be saved");
});
