/** Backups and exports of a busy, real n8n, which is damaged, restored and imported elsewhere. */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createProcessDriver, type ProcessDriver } from "../drivers/process/create-process-driver.ts";
import { workspacePaths } from "../drivers/process/storage/workspace-paths.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { accounts, workspaces } from "#database/tables.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { unsealStored } from "#domain/backups/sealed/unseal-stored.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { makeCredentialsKey } from "#domain/exports/credentials-key.ts";
import { insertExport } from "#domain/exports/export-store.ts";
import { after, dayMs, systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { readZip } from "#testing/content/read-zip.ts";
import { writeExport } from "../exports/write-export.ts";
import { createBackupSlots } from "./backup-slots.ts";
import type { BackupTools, BackupWorkspace } from "./backup-tools.ts";
import { createBackups } from "./create-backups.ts";
import { openBackup } from "./open-backup.ts";

const run = promisify(execFile);
const engine = createTestN8n();
const version = engine.releases[0]!.version;
const engineSecrets = engine.createSecrets();
const secrets = createSecrets("a key for tests, long enough to be one");
const owner = { email: "ada@example.com", fullName: "Ada Lovelace" };
const passphrase = "correct horse battery staple";
const secretValue = "s3cret-of-the-credential";

let folder: string;
let database: TestDatabase;
let driver: ProcessDriver;
let tools: BackupTools;
let workspace: BackupWorkspace;
let address: string;
let cookie: string;
/** The only credential; one of two workflows is active. */
let basic: { id: string };

const spec = (isRunning: boolean) =>
  engine.runSpec(
    {
      id: workspace.id,
      number: workspace.number,
      generation: 1,
      run: isRunning,
      timezone: "Europe/Berlin",
      memoryMb: 1024,
      publicUrl: "http://acme.localhost:3000",
      panelUrl: "http://localhost:3000",
      secrets: engineSecrets,
    },
    version,
  );

async function start(): Promise<void> {
  address = (await driver.ensure(spec(true))).address!;
  await vi.waitFor(
    async () => {
      const health = await engine.health(address);
      if (!health.ready) throw new Error(`${health.detail} ${await driver.logs(workspace.id, 2_000)}`);
    },
    { timeout: 150_000, interval: 200 },
  );
  await engine.setUpOwner(address, workspace.id, owner);
  const response = await fetch(`http://${address}${engine.loginPath(workspace.id, "/")}`, { redirect: "manual" });
  cookie = response.headers
    .getSetCookie()
    .find((each) => each.startsWith("n8n-auth="))!
    .split(";")[0]!;
}

async function ask<Data>(path: string, body?: unknown): Promise<Data> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`http://${address}/rest${path}`, { ...init, headers: { cookie, "content-type": "application/json" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: Data }).data;
}

const workflowOf = (name: string, path: string, httpMethod = "GET") => ({
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
      parameters: { path, httpMethod },
    },
  ],
});

const listWorkflows = async () =>
  (await ask<{ name: string; active: boolean }[]>("/workflows"))
    .map(({ name, active }) => ({ name, active }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
const deleteExecutions = () => ask("/executions/delete", { deleteBefore: after(new Date(), dayMs).toISOString(), filters: {} });
const callWebhook = async () => (await fetch(`http://${address}/webhook/busy`)).status;

beforeAll(async () => {
  await engine.install(version, () => undefined);
  folder = await mkdtemp(join(tmpdir(), "slipway-n8n-backups-"));
  await chmod(folder, 0o711);
  database = await createTestDatabase();
  const { db } = database;
  driver = createProcessDriver({
    workspacesDir: join(folder, "workspaces"),
    places: { enginesDir: enginesCacheDir, nodeBinary: process.execPath },
    log: createLog("silent"),
    clock: systemClock,
  });
  tools = {
    db,
    engine,
    driver,
    storage: createFolderStorage(join(folder, "backups")),
    keys: createBackupKeys(secrets),
    slots: createBackupSlots(),
    clock: systemClock,
    log: createLog("silent"),
    stagingDir: join(folder, "staging"),
    lastBackupDays: 30,
  };
  const now = new Date();
  const [accountId, id] = [newId(), newId()];
  await db.insert(accounts).values({ id: accountId, name: "acme", createdAt: now });
  await db.insert(workspaces).values({
    id,
    accountId,
    engine: "n8n",
    desiredState: "running",
    desiredVersion: version,
    timezone: "Europe/Berlin",
    memoryMb: 1024,
    secrets: "-",
    createdAt: now,
    updatedAt: now,
  });
  workspace = {
    id,
    number: 4_242,
    accountId,
    accountName: "acme",
    engine: "n8n",
    observedVersion: version,
    desiredVersion: version,
    generation: 1,
  };
  await start();
  basic = await ask<{ id: string }>("/credentials", {
    name: "Basic",
    type: "httpBasicAuth",
    data: { user: "ada", password: secretValue },
  });
  const busy = await ask<{ id: string; versionId: string }>("/workflows", workflowOf("Busy", "busy"));
  await ask("/workflows", workflowOf("Ärger & Co", "idle"));
  await ask(`/workflows/${busy.id}/activate`, { versionId: busy.versionId });
});

afterAll(async () => {
  await driver?.stopAll();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

test("a busy n8n is backed up, damaged and restored: workflows, credentials and active states are as before", async () => {
  await vi.waitFor(async () => expect(await callWebhook()).toBe(200), { timeout: 60_000 });
  let isWriting = true;
  let calls = 0;
  const writing = (async () => {
    for (; isWriting; calls += 1) expect(await callWebhook()).toBe(200);
  })();
  const backups = createBackups(tools);
  // In the folder that a first start makes.
  const own = join(folder, "workspaces", workspace.id, "data", ".n8n-files", "report.txt");
  await writeFile(own, "of a workflow");
  const beganMs = performance.now();
  const made = await backups.make(workspace, "manual").finally(() => (isWriting = false));
  const backupMs = performance.now() - beganMs;
  await writing;
  expect(made).toMatchObject({ state: "successful", workflows: 2, credentials: 1, engineVersion: version });
  expect(made.executions).toBeGreaterThan(0);
  expect(calls).toBeGreaterThan(0);
  const data = join(folder, "workspaces", workspace.id, "data");
  expect(await readdir(join(data, "tmp", "snapshots"))).toEqual([]);

  // Damage by a tenant or a failing disk, and files that a restore must not touch.
  await ask("/workflows", workflowOf("Made later", "later"));
  await writeFile(join(data, "counted"), "kept");
  await rm(own);
  await driver.ensure(spec(false));
  await writeFile(join(data, ".n8n", "database.sqlite"), Buffer.alloc(100_000, 7));
  await writeFile(join(data, ".n8n", "config"), '{"encryptionKey":"another"}');
  await expect(backups.make(workspace, "before-restore")).rejects.toMatchObject({ code: "damaged" });

  const restoreBeganMs = performance.now();
  await backups.restore(workspace, made.id);
  const restoreMs = performance.now() - restoreBeganMs;
  await start();
  expect(await listWorkflows()).toEqual([
    { name: "Ärger & Co", active: false },
    { name: "Busy", active: true },
  ]);
  await vi.waitFor(async () => expect(await callWebhook()).toBe(200), { timeout: 60_000 });
  expect(await ask(`/credentials/${basic.id}`)).toMatchObject({ name: "Basic" });
  expect(await readFile(join(data, "counted"), "utf8")).toBe("kept");
  expect(await readFile(own, "utf8")).toBe("of a workflow");
  console.info(`backup of a running n8n ${Math.round(backupMs)} ms, ${made.size} bytes stored; restore ${Math.round(restoreMs)} ms`);
});

test("what an owner has deleted is in no backup of the workspace, running, killed or stopped", async () => {
  const data = join(folder, "workspaces", workspace.id, "data", ".n8n");
  const body = "a-body-that-its-owner-deletes";
  await vi.waitFor(async () => expect(await callWebhook()).toBe(200), { timeout: 60_000 });
  for (let call = 0; call < 20; call += 1) expect((await fetch(`http://${address}/webhook/busy?note=${body.repeat(50)}`)).status).toBe(200);
  const countOf = async () => (await ask<{ count: number }>("/executions?limit=1")).count;
  await vi.waitFor(async () => expect(await countOf()).toBeGreaterThan(20), { timeout: 60_000 });
  await deleteExecutions();
  const backups = createBackups(tools);
  const isIn = async (): Promise<boolean> => {
    const { storedAs } = await backups.make(workspace, "before-deletion");
    return (await buffer(await openBackup(tools, storedAs!))).includes(body);
  };
  const isOnDisk = async () =>
    (
      await Promise.all(["database.sqlite", "database.sqlite-wal"].map((name) => readFile(join(data, name)).catch(() => Buffer.alloc(0))))
    ).some((file) => file.includes(body));
  expect(await isOnDisk()).toBe(true);
  expect(await isIn(), "running").toBe(false);
  process.kill(Number((await readFile(workspacePaths(join(folder, "workspaces"), workspace.id).record, "utf8")).split("\n")[0]), "SIGKILL");
  await vi.waitFor(async () => expect(await driver.observe(workspace.id)).toMatchObject({ state: "stopped" }), { timeout: 60_000 });
  expect(await isOnDisk()).toBe(true);
  expect(await isIn(), "killed").toBe(false);
  await start();
  await driver.ensure(spec(false));
  expect(await isOnDisk()).toBe(true);
  expect(await isIn(), "stopped").toBe(false);
  await start();
  expect((await listWorkflows()).length).toBeGreaterThan(0);
});

test("an idle n8n gives back the space of deleted executions, with all that was in them", async () => {
  const file = join(folder, "workspaces", workspace.id, "data", ".n8n", "database.sqlite");
  const body = "a-large-body-that-its-owner-deletes";
  const made = await ask<{ id: string; versionId: string }>("/workflows", workflowOf("Large", "large", "POST"));
  await ask(`/workflows/${made.id}/activate`, { versionId: made.versionId });
  const call = () => fetch(`http://${address}/webhook/large`, { method: "POST", body: body.padEnd(1024 ** 2, ".") });
  await vi.waitFor(async () => expect((await call()).status).toBe(200), { timeout: 60_000 });
  for (let calls = 0; calls < 11; calls += 1) expect((await call()).status).toBe(200);
  // The log is written back to it from time to time.
  await vi.waitFor(async () => expect((await stat(file)).size).toBeGreaterThan(8 * 1024 ** 2), { timeout: 60_000 });
  const { size } = await stat(file);
  await deleteExecutions();
  await vi.waitFor(async () => expect((await stat(file)).size).toBeLessThan(size - 7 * 1024 ** 2), { timeout: 5 * 60_000, interval: 500 });
  await vi.waitFor(async () => expect((await readFile(file)).includes(body)).toBe(false), { timeout: 60_000, interval: 500 });
});

test("only the control plane can make n8n copy itself or export its contents", async () => {
  const login = new URL(engine.loginPath(workspace.id, "/"), "http://workspace").searchParams.get("token");
  for (const path of ["snapshot", "snapshot/remove", "export"]) {
    for (const [name, value] of [
      ["x-nothing", "at all"],
      ["cookie", cookie],
      ["authorization", `Bearer ${login}`],
    ] as const) {
      const response = await fetch(`http://${address}/_slipway/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", [name]: value },
        body: '{"name":"x"}',
      });
      expect([path, response.status]).toEqual([path, 401]);
    }
  }
});

test("a plain n8n imports an export, and credentials open only with the owner's passphrase", async () => {
  const encrypted = secrets.encrypt(JSON.stringify(await makeCredentialsKey(passphrase)), "export");
  const now = new Date();
  const row = await insertExport(
    database.db,
    {
      accountId: workspace.accountId,
      workspaceId: workspace.id,
      withCredentials: true,
      credentialsKey: encrypted,
      keptUntil: after(now, dayMs),
    },
    now,
  );
  const written = await writeExport({ ...tools, secrets, publicUrl: "http://localhost:3000" }, workspace, row, "en");
  expect(written).toMatchObject({ workflows: 3, credentials: 1 });
  const zip = await buffer(await unsealStored(tools, `exports/${row.id}`));
  expect(zip.length).toBe(written.size);

  const taken = join(folder, "taken");
  for (const [path, content] of readZip(zip)) {
    await mkdir(dirname(join(taken, path)), { recursive: true });
    await writeFile(join(taken, path), content);
  }
  expect((await readdir(taken)).toSorted()).toEqual([
    "README.txt",
    "credentials.encrypted.json",
    "decrypt-credentials.mjs",
    "scrypt.json",
    "workflows",
  ]);
  expect((await readdir(join(taken, "workflows"))).map((name) => name.replace(/-[A-Za-z0-9_]+\.json$/, "")).toSorted()).toEqual([
    "a-rger-co",
    "busy",
    "large",
  ]);
  expect((await readFile(join(taken, "credentials.encrypted.json"), "utf8")).includes(secretValue)).toBe(false);

  const decrypt = (words: string) => run(process.execPath, ["decrypt-credentials.mjs"], { cwd: taken, env: { PASSPHRASE: words } });
  await expect(decrypt("another passphrase")).rejects.toThrow(/passphrase is not the right one/);
  const { stdout } = await decrypt(passphrase);
  expect(JSON.parse(stdout)).toEqual([
    { id: expect.any(String), name: "Basic", type: "httpBasicAuth", data: { user: "ada", password: secretValue } },
  ]);
  await writeFile(join(taken, "credentials.json"), stdout);

  const bare = join(folder, "bare");
  await mkdir(bare);
  const command = spec(true)
    .command.filter((part) => part !== "start")
    .map((part) => part.replaceAll("{{folder}}", bare));
  const env = {
    PATH: process.env["PATH"],
    HOME: bare,
    N8N_USER_FOLDER: bare,
    N8N_DIAGNOSTICS_ENABLED: "false",
    N8N_ENCRYPTION_KEY: "a key of its own",
  };
  const n8n = (...args: string[]) => run(command[0]!, [...command.slice(1), ...args], { cwd: taken, env, timeout: 150_000 });
  await n8n("import:workflow", "--separate", "--input=workflows");
  await n8n("import:credentials", "--input=credentials.json");
  const imported = new DatabaseSync(join(bare, ".n8n", "database.sqlite"), { readOnly: true });
  expect(
    imported
      .prepare("select name, active from workflow_entity order by name")
      .all()
      .map(({ name, active }) => [name, active]),
  ).toEqual([
    ["Busy", 0],
    ["Large", 0],
    ["Ärger & Co", 0],
  ]);
  const [credential] = imported.prepare("select name, data from credentials_entity").all();
  expect(credential).toMatchObject({ name: "Basic" });
  expect(String(credential!["data"]).includes(secretValue)).toBe(false);
  imported.close();
});
