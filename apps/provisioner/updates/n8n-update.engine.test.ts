/** An update between two real releases of n8n, with migrations of its database between them, and the owner's way back. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createProcessDriver, type ProcessDriver } from "../drivers/process/create-process-driver.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { accounts, users, workspaces } from "#database/tables.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createBackups } from "../backups/create-backups.ts";
import { createBackupSlots } from "../backups/backup-slots.ts";
import type { BackupTools } from "../backups/backup-tools.ts";
import { createEngineInstalls } from "../engine-installs.ts";
import { startReconcileLoop, type ReconcileLoop } from "../reconcile/reconcile-loop.ts";
import { eq } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";

const installTimeoutMs = 15 * 60_000;
const updateTimeoutMs = 4 * 60_000;

const log = createLog("silent");
const engine = createTestN8n();
const [newer, older] = engine.releases.map(({ version }) => version) as [string, string];
const engineSecrets = engine.createSecrets();
const id = newId();

let folder: string;
let database: TestDatabase;
let driver: ProcessDriver;
let loop: ReconcileLoop;
let cookie = "";

const row = async () => (await database.db.select().from(workspaces).where(eq(workspaces.id, id)))[0]!;

/** Resolves with how long it took, in milliseconds. */
async function untilOnline(version: string): Promise<number> {
  const startedAtMs = performance.now();
  await vi.waitFor(
    async () => {
      loop.wake();
      const { observedState, observedVersion, generation, observedGeneration, reason } = await row();
      if (observedState !== "online" || observedVersion !== version || generation !== observedGeneration)
        throw new Error(`${observedState} on ${observedVersion}: ${reason} ${(await driver.logs(id, 1500)).slice(-1500)}`);
    },
    { timeout: updateTimeoutMs - 10_000, interval: 200 },
  );
  const tookMs = performance.now() - startedAtMs;
  const answer = await fetch(`http://${(await row()).address}${engine.loginPath(id, "/")}`, { redirect: "manual" });
  cookie = answer.headers
    .getSetCookie()
    .find((each) => each.startsWith("n8n-auth="))!
    .split(";")[0]!;
  return tookMs;
}

async function ask<Data>(path: string, body?: unknown): Promise<Data> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`http://${(await row()).address}/rest${path}`, {
    ...init,
    headers: { cookie, "content-type": "application/json" },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: Data }).data;
}

const callWebhook = async () => (await fetch(`http://${(await row()).address}/webhook/hello`)).status;
const names = async () =>
  (await ask<{ name: string; active: boolean }[]>("/workflows")).map(({ name, active }) => `${name}${active ? "*" : ""}`).toSorted();

const workflowOf = (name: string, path: string) => ({
  name,
  settings: {},
  active: false,
  connections: {},
  nodes: [
    {
      id: newId(),
      name: "Webhook",
      type: "n8n-nodes-base.webhook",
      typeVersion: 2,
      position: [0, 0],
      webhookId: newId(),
      parameters: { path, httpMethod: "GET" },
    },
  ],
});

beforeAll(async () => {
  for (const version of [newer, older]) {
    await engine.install(version, () => undefined);
    await engine.prepare!(version);
  }
  folder = await mkdtemp(join(tmpdir(), "slipway-n8n-update-"));
  await chmod(folder, 0o711);
  database = await createTestDatabase();
  const { db } = database;
  driver = createProcessDriver({
    workspacesDir: join(folder, "workspaces"),
    places: { enginesDir: enginesCacheDir, nodeBinary: process.execPath },
    log,
    clock: systemClock,
  });
  const tools: BackupTools = {
    db,
    engine,
    driver,
    storage: createFolderStorage(join(folder, "backups")),
    keys: createBackupKeys(createSecrets("a key for tests, long enough to be one")),
    slots: createBackupSlots(),
    clock: systemClock,
    log,
    stagingDir: join(folder, "staging"),
    lastBackupDays: 30,
  };
  const now = new Date();
  const accountId = newId();
  await db.insert(accounts).values({ id: accountId, name: "acme", setUpAt: now, createdAt: now });
  await db.insert(users).values({
    id: newId(),
    accountId,
    email: "ada@example.com",
    fullName: "Ada Lovelace",
    passwordHash: "-",
    confirmedAt: now,
    createdAt: now,
  });
  await db.insert(workspaces).values({
    id,
    accountId,
    engine: "n8n",
    desiredState: "running",
    desiredVersion: older,
    timezone: "Etc/UTC",
    memoryMb: 1024,
    secrets: "-",
    reconcileAt: now,
    createdAt: now,
    updatedAt: now,
  });
  loop = startReconcileLoop(db, {
    engine,
    driver,
    clock: systemClock,
    machineClock: systemClock,
    log,
    installs: createEngineInstalls({ db, engine, clock: systemClock, log }),
    backups: createBackups(tools),
    publicUrl: "http://localhost:3000",
    isHostBusy: () => false,
    sleeps: false,
    pagesOut: false,
    lastBackupDays: 30,
    readyTimeoutMs: 180_000,
    openSecrets: () => engineSecrets,
    probeThroughGateway: () => Promise.resolve(true),
  });
}, installTimeoutMs);

afterAll(async () => {
  await loop?.stop();
  await driver?.stopAll();
  await database?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test(
  "workflows, credentials and active states are unchanged after the update, and after going back",
  async () => {
    await untilOnline(older);
    const credential = await ask<{ id: string }>("/credentials", {
      name: "Basic",
      type: "httpBasicAuth",
      data: { user: "ada", password: "s3cret" },
    });
    const made = await ask<{ id: string; versionId: string }>("/workflows", workflowOf("Hello", "hello"));
    await ask(`/workflows/${made.id}/activate`, { versionId: made.versionId });
    await vi.waitFor(async () => expect(await callWebhook()).toBe(200), { timeout: 60_000 });

    const line: JournalLine = { event: "update-requested", message: say("updateInWindow", { version: "2.0.0" }) };
    await database.db.transaction((tx) =>
      requestUpdate(tx, { workspaceId: id, fromVersion: older, toVersion: newer, askedBy: "owner", line }, new Date()),
    );
    const updateMs = await untilOnline(newer);
    expect(await names()).toEqual(["Hello*"]);
    expect(await ask(`/credentials/${credential.id}`)).toMatchObject({ name: "Basic" });
    await vi.waitFor(async () => expect(await callWebhook()).toBe(200), { timeout: 60_000 });
    await vi.waitFor(
      async () =>
        expect((await newestUpdate(database.db, id))!.update).toMatchObject({ state: "successful", fromVersion: older, toVersion: newer }),
      { timeout: 60_000 },
    );

    await ask("/workflows", workflowOf("Made since", "since"));
    const { backupId } = (await newestUpdate(database.db, id))!.update;
    await database.db.transaction((tx) =>
      requestUpdate(
        tx,
        { workspaceId: id, fromVersion: newer, toVersion: older, askedBy: "owner", restoreBackupId: backupId!, line },
        new Date(),
      ),
    );
    const backMs = await untilOnline(older);
    expect(await names()).toEqual(["Hello*"]);
    expect(await ask(`/credentials/${credential.id}`)).toMatchObject({ name: "Basic" });
    await vi.waitFor(async () => expect(await callWebhook()).toBe(200), { timeout: 60_000 });
    console.info(`update ${older} to ${newer} ${Math.round(updateMs)} ms, back ${Math.round(backMs)} ms`);
  },
  2 * updateTimeoutMs,
);
