/** A real n8n that sleeps, wakes and restarts: what it reports about sleep, and that nothing is lost when it is frozen or stopped. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RefuseCall } from "#apps/gateway/create-gateway.ts";
import { defaultGatewayLimits } from "#apps/gateway/gateway-limits.ts";
import { createRefuseCall } from "#apps/program/roles/refuse-call.ts";
import { gatewayRoute } from "#apps/program/roles/start-gateway.ts";
import { accounts, users, workspaces } from "#database/tables.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { prepareSleepingCallLookup } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { prepareRouteLookup, requestRestart, workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import { after, hourMs, secondMs, systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createNotifications, type Listener } from "#platform/postgres/listen.ts";
import { createSecrets } from "#platform/secrets.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { ask as visit, startTestGateway, type TestGateway } from "#testing/network/start-test-gateway.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createBackups } from "../../backups/create-backups.ts";
import { createBackupSlots } from "../../backups/backup-slots.ts";
import { createProcessDriver, type ProcessDriver } from "../../drivers/process/create-process-driver.ts";
import { createEngineInstalls } from "../../engine-installs.ts";
import { startReconcileLoop, type ReconcileLoop } from "../../reconcile/reconcile-loop.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";

const log = createLog("silent");
const engine = createTestN8n();
/** `SLEEP_VERSION=2.38.7 npm test -- n8n-sleep.engine` tries another release. */
const version = process.env["SLEEP_VERSION"] ?? engine.releases[0]!.version;
const id = newId();
const engineSecrets = engine.createSecrets();

let folder: string;
let database: TestDatabase;
let driver: ProcessDriver;
let loop: ReconcileLoop;
let front: TestGateway;
let listener: Listener;
let refuseCall: RefuseCall;
let cookie = "";

const row = async () => (await database.db.select().from(workspaces).where(eq(workspaces.id, id)))[0]!;
type Row = Awaited<ReturnType<typeof row>>;

const until = (fits: (row: Row) => boolean, timeout = 60_000): Promise<Row> =>
  vi.waitFor(
    async () => {
      loop.wake();
      const now = await row();
      if (!fits(now)) throw new Error(`not yet: ${JSON.stringify(now)}\n${(await driver.logs(id, 1500)).slice(-1500)}`);
      return now;
    },
    { timeout, interval: 100 },
  );

async function api<Data>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<Data> {
  const answer = await visit(front.port, {
    path: `/rest${path}`,
    method,
    headers: { cookie, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
  return (JSON.parse(answer.body) as { data: Data }).data;
}

const node = (name: string, type: string, parameters: object, more: object = {}) => ({
  id: newId(),
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  ...more,
});
const webhook = (path: string, responseMode: string) =>
  node("Webhook", "webhook", { path, httpMethod: "GET", responseMode }, { typeVersion: 2, webhookId: newId() });

/** Makes and activates a workflow of these nodes, one after the other. Returns its id. */
async function activate(name: string, nodes: ReturnType<typeof node>[]): Promise<string> {
  const connections = Object.fromEntries(
    nodes.slice(1).map((each, index) => [nodes[index]!.name, { main: [[{ node: each.name, type: "main", index: 0 }]] }]),
  );
  const made = await api<{ id: string; versionId: string }>("/workflows", { name, settings: {}, active: false, nodes, connections });
  await api(`/workflows/${made.id}/activate`, { versionId: made.versionId });
  return made.id;
}

const ask = async () => engine.sleep!.ask((await row()).address!, id);
const rest = async () => {
  const { sleepable, due } = await ask();
  return { sleepable, due };
};

/** Makes and activates a workflow that greets who calls its webhook; resolves once n8n may sleep with it. */
async function activateGreeting(path: string, whom: string): Promise<void> {
  const jsonOutput = JSON.stringify({ hello: whom });
  await activate(path, [
    webhook(path, "lastNode"),
    node("Greet", "set", {}, { typeVersion: 3.4, parameters: { mode: "raw", jsonOutput, options: {} } }),
  ]);
  const called = async () => (await visit(front.port, { path: `/webhook/${path}` })).body;
  await vi.waitFor(async () => expect(await called()).toContain(`"hello":"${whom}"`), 60_000);
  await vi.waitFor(async () => expect(await rest()).toEqual({ sleepable: true, due: null }), 60_000);
}

/** Uses that the gateway is recording. */
const recordings = new Set<Promise<string[]>>();

async function leaveAlone(forMs = 2 * hourMs): Promise<void> {
  // A request may be answered before its request to wake is recorded, which then belongs to a time that is over.
  await Promise.allSettled(recordings);
  const startedAt = after(new Date(), -forMs);
  await database.db.update(workspaces).set({ startedAt, usedAt: null, wakeAskedAt: null, reconcileAt: new Date() });
  loop.wake();
}

beforeAll(async () => {
  await engine.install(version, () => undefined);
  folder = await mkdtemp(join(tmpdir(), "slipway-n8n-sleep-"));
  await chmod(folder, 0o711);
  database = await createTestDatabase();
  const { db } = database;
  driver = createProcessDriver({
    workspacesDir: join(folder, "workspaces"),
    places: { enginesDir: enginesCacheDir, nodeBinary: process.execPath },
    log,
    clock: systemClock,
  });
  const now = new Date();
  const accountId = newId();
  await db.insert(accounts).values({ id: accountId, name: "acme", setUpAt: now, createdAt: now });
  const owner = { email: "ada@example.com", fullName: "Ada Lovelace", passwordHash: "-", confirmedAt: now, createdAt: now };
  await db.insert(users).values({ id: newId(), accountId, ...owner });
  await db.insert(workspaces).values({
    id,
    accountId,
    engine: "n8n",
    desiredState: "running",
    desiredVersion: version,
    timezone: "Etc/UTC",
    memoryMb: 1024,
    secrets: "-",
    reconcileAt: now,
    createdAt: now,
    updatedAt: now,
  });
  const lookUp = prepareRouteLookup(db);
  refuseCall = createRefuseCall(engine.sleep!.calls!, prepareSleepingCallLookup(db));
  front = await startTestGateway({
    lookUp: async (name) => {
      const facts = await lookUp(name);
      return facts && gatewayRoute(facts);
    },
    sleep: {
      ...engine.sleep!,
      refuseCall,
      record(ids) {
        const recording = recordUse(db, ids, systemClock.now());
        recordings.add(recording);
        return recording.finally(() => recordings.delete(recording));
      },
    },
  });
  const tools = { db, engine, driver, clock: systemClock, log };
  loop = startReconcileLoop(db, {
    ...tools,
    machineClock: systemClock,
    installs: createEngineInstalls(tools),
    backups: createBackups({
      ...tools,
      storage: createFolderStorage(join(folder, "backups")),
      keys: createBackupKeys(createSecrets("a key for tests, long enough to be one")),
      slots: createBackupSlots(),
      stagingDir: join(folder, "staging"),
      lastBackupDays: 30,
    }),
    publicUrl: "http://localhost:3000",
    isHostBusy: () => false,
    sleeps: true,
    pagesOut: true,
    lastBackupDays: 30,
    finishMs: 120_000,
    readyTimeoutMs: 180_000,
    openSecrets: () => engineSecrets,
    probeThroughGateway: async (_name, path) => (await visit(front.port, { path })).status === 200,
  });
  listener = await createNotifications({ connection: database.connection, log }).listen({
    channels: [workspaceChanged],
    onNotify: (_channel, payload) => {
      front.gateway.invalidate(payload.split(" ")[1] ?? "");
      loop.wake();
    },
    onReconnect: () => front.gateway.invalidateAll(),
  });
  await until((now) => now.observedState === "online" && now.leaseOwner === null, 180_000);
  const answer = await visit(front.port, { path: engine.loginPath(id, "/") });
  cookie = answer.headers["set-cookie"]!.find((each) => each.startsWith("n8n-auth="))!.split(";")[0]!;
}, 15 * 60_000);

afterAll(async () => {
  await loop?.stop();
  await listener?.close();
  await front?.[Symbol.asyncDispose]();
  await driver?.stopAll();
  await database?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test("webhooks let n8n sleep, a schedule does not, and only the control plane may ask", async () => {
  expect(await rest()).toEqual({ sleepable: true, due: null });
  await activateGreeting("hello", "you");
  const rule = { rule: { interval: [{ field: "hours", hoursInterval: 12 }] } };
  const scheduled = await activate("Twice a day", [
    node("Schedule", "scheduleTrigger", rule, { typeVersion: 1.2 }),
    node("Nothing", "noOp", {}),
  ]);
  await vi.waitFor(async () => expect(await rest()).toMatchObject({ sleepable: false }), 60_000);
  await leaveAlone();
  await until((now) => now.leaseOwner === null && now.reconcileAt! > new Date());
  expect((await row()).asleepSince).toBeNull();
  await api(`/workflows/${scheduled}/deactivate`, {});
  await vi.waitFor(async () => expect(await rest()).toEqual({ sleepable: true, due: null }), 60_000);
  expect((await visit(front.port, { path: "/_slipway/sleep" })).status).toBe(401);
});

test("asleep, n8n is frozen; a webhook's request wakes it and gets its workflow's answer", async ({ skip }) => {
  skip(driver.freeze === undefined, driver.cannotFreeze);
  await activateGreeting("frozen", "you");
  await leaveAlone();
  await until((now) => now.asleepSince !== null && now.leaseOwner === null);
  expect(await driver.observe(id)).toMatchObject({ state: "running", frozen: true });
  const used = (await driver.usage!([id])).get(id)!;
  expect((await visit(front.port, { path: engine.healthPath })).headers["x-slipway-workspace"]).toBe("asleep");
  expect((await visit(front.port, { path: "/wp-login.php" })).status).toBe(404);
  expect((await row()).asleepSince).not.toBeNull();
  const began = performance.now();
  const answer = await visit(front.port, { path: "/webhook/frozen" });
  const wakeMs = performance.now() - began;
  expect(answer.body).toContain('"hello":"you"');
  await until((now) => now.asleepSince === null && now.leaseOwner === null);
  expect(await driver.observe(id)).not.toHaveProperty("frozen");
  console.info(`asleep ${used.memoryMb} MB, first answer after ${Math.round(wakeMs)} ms`);
});

test("asleep, a call that no workflow would take gets n8n's own answer and wakes nothing; all of its workflows' calls are known", async () => {
  const parameters = { path: "user/:id/more", httpMethod: "POST", responseMode: "onReceived" };
  const [webhookId, formId] = [newId(), newId()];
  const dynamic = { ...webhook("-", "-"), parameters, webhookId };
  const several = node(
    "Webhook",
    "webhook",
    { path: "many", multipleMethods: true, httpMethod: ["PUT", "GET", "POST"] },
    { typeVersion: 2 },
  );
  const form = node("Form", "formTrigger", { formTitle: "Order", formFields: {} }, { typeVersion: 2.2, webhookId: formId });
  for (const [name, trigger] of Object.entries({ dynamic, several, form })) await activate(name, [trigger, node("Nothing", "noOp", {})]);
  await vi.waitFor(
    async () => {
      const { sleepable, webhooks } = await ask();
      expect(sleepable).toBe(true);
      expect(webhooks!.paths).toMatchObject({ "user/:id/more": ["POST"], many: ["GET", "POST", "PUT"], [formId]: ["GET", "POST"] });
      expect(webhooks!.templates).toEqual([`${webhookId} 3`]);
    },
    { timeout: 60_000, interval: 200 },
  );
  const calls = [
    ...["/webhook/none", "/webhook/none/", "/webhook/a%20b/%C3%A4%22", "/mcp/none/sse", "/webhook-test/many"].map((path) => ["GET", path]),
    ...["/webhook/none", "/webhook/user/:id", `/webhook/${webhookId}/user/7`, "/mcp-test/none"].map((path) => ["POST", path]),
    ...["/webhook/many", "/webhook/user/:id/more", "/webhook-waiting/99999", "/webhook-waiting/99999/approve"].map((path) => [
      "DELETE",
      path,
    ]),
    ["HEAD", "/webhook/none"],
    ["OPTIONS", "/webhook/none"],
  ] as const;
  const pages = ["/form/none", "/form-test/none", "/form-waiting/99999", "/webhook/none/n8n-form"];
  const answers = async () => {
    const all: unknown[] = [];
    for (const [method, path] of calls) {
      const { status, headers, body } = await visit(front.port, { method: method!, path: path! });
      all.push([method, path, status, headers["content-type"], headers["content-length"], body]);
    }
    // A page of another site may read it, too.
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const headers = { origin: "https://shop.example", "access-control-request-method": "POST" };
      const answer = await visit(front.port, { method, path: "/webhook/none", headers });
      all.push([method, answer.status, answer.headers["access-control-allow-origin"], answer.body]);
    }
    for (const path of pages) all.push([path, (await visit(front.port, { path, headers: { accept: "text/html" } })).status]);
    return all;
  };
  const awake = await answers();
  expect(awake).toContainEqual(["POST", 404, "https://shop.example", expect.stringContaining("is not registered")]);
  await leaveAlone(13 * hourMs);
  await until((now) => now.asleepSince !== null && now.leaseOwner === null);
  expect(await answers()).toEqual(awake);
  expect(await row()).toMatchObject({ wakeAskedAt: null, usedAt: null, asleepSince: expect.any(Date) });
  const owned = ["/webhook/many", "/webhook/user/:id/more", `/form/${formId}`, `/webhook/${webhookId}/user/7/more`];
  for (const path of owned) expect([path, await refuseCall("acme", "POST", path)]).toEqual([path, null]);
  const called = visit(front.port, { method: "POST", path: `/webhook/${webhookId}/user/7/more` });
  await until((now) => now.asleepSince === null && now.coldSince === null && now.leaseOwner === null);
  // On a slow machine the start may take longer than a request waits.
  expect([200, 503]).toContain((await called).status);
});

test("unused for longer, n8n is stopped; a webhook's request starts it and gets its workflow's answer", async () => {
  await activateGreeting("cold", "again");
  await leaveAlone(13 * hourMs);
  await until((now) => now.coldSince !== null && now.leaseOwner === null, 60_000);
  expect(await driver.observe(id)).toMatchObject({ state: "stopped" });
  expect((await visit(front.port, { path: engine.healthPath })).headers["x-slipway-workspace"]).toBe("asleep");
  // As the panel opens it.
  const link = engine.loginPath(id, "/home/workflows");
  const page = await visit(front.port, { path: link, headers: { accept: "text/html" } });
  expect(page).toMatchObject({ status: 503, body: expect.stringContaining("This workspace is waking up") });
  const began = performance.now();
  let answer = await visit(front.port, { path: "/webhook/cold" });
  let requests = 1;
  // On a slow machine the start may take longer than a request waits; it is refused no sooner.
  for (; answer.status === 503 && performance.now() - began > requests * defaultGatewayLimits.maxWaitMs - secondMs; requests += 1)
    answer = await visit(front.port, { path: "/webhook/cold" });
  const wakeMs = performance.now() - began;
  expect(answer.body).toContain('"hello":"again"');
  await until((now) => now.asleepSince === null && now.coldSince === null && now.leaseOwner === null);
  // The link is older than the process that it started: its owner continues to a new one.
  const opened = await visit(front.port, { path: link });
  expect(opened).toMatchObject({
    status: 401,
    body: expect.stringMatching(/<meta http-equiv="refresh" content="0;url=[^"]+%2Fhome%2Fworkflows">/),
  });
  expect((await visit(front.port, { path: engine.loginPath(id, "/home/workflows") })).headers["location"]).toBe("/home/workflows");
  console.info(`stopped, first answer after ${Math.round(wakeMs)} ms`);
});

test("an execution that waits until a time is reported, and resumes in time although n8n slept", async ({ skip }) => {
  const waitSeconds = 80;
  const path = "later";
  const workflow = await activate("Later", [
    webhook(path, "onReceived"),
    node("Wait", "wait", { resume: "timeInterval", amount: waitSeconds, unit: "seconds" }, { typeVersion: 1.1, webhookId: newId() }),
    node("Nothing", "noOp", {}),
  ]);
  let calledAt = 0;
  await vi.waitFor(async () => {
    calledAt = Date.now();
    expect((await visit(front.port, { path: `/webhook/${path}` })).status).toBe(200);
  }, 60_000);
  const due = (
    await vi.waitFor(
      async () => {
        const said = await rest();
        expect(said).toEqual({ sleepable: true, due: expect.any(Date) });
        return said;
      },
      { timeout: 60_000 },
    )
  ).due!;
  // The execution reached its wait between the call and now.
  const waitsSince = due.getTime() - waitSeconds * secondMs;
  expect([waitsSince > calledAt - secondMs, waitsSince < Date.now() + secondMs]).toEqual([true, true]);
  // It is due so soon that it is left awake.
  await leaveAlone();
  await until((now) => now.leaseOwner === null && now.reconcileAt! > new Date());
  expect((await row()).asleepSince).toBeNull();
  skip(driver.freeze === undefined, driver.cannotFreeze);
  // As if it had fallen asleep earlier.
  const sleepUntil = after(due, -10 * secondMs);
  await database.db.update(workspaces).set({
    asleepSince: new Date(),
    asleepRevision: (await row()).updatedAt,
    sleepUntil,
    reconcileAt: sleepUntil,
  });
  await driver.freeze!(id);
  await delay(sleepUntil.getTime() - Date.now() - 25 * secondMs);
  expect(await driver.observe(id)).toMatchObject({ frozen: true });
  await until((now) => now.asleepSince === null, 60_000);
  const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
  const ended = await vi.waitFor(
    async () => {
      const { results } = await api<{ results: { status: string; stoppedAt: string }[] }>(`/executions?filter=${filter}&limit=5`);
      expect(results[0]).toMatchObject({ status: "success" });
      return new Date(results[0]!.stoppedAt);
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(Math.abs(ended.getTime() - due.getTime())).toBeLessThan(15 * secondMs);
});

test("a Code node that runs longer than n8n waits at its stop finishes before a restart, and its caller gets the answer", async () => {
  const path = "long";
  const runs = (seconds: number) =>
    node(
      "Code",
      "code",
      { jsCode: `await new Promise((r) => setTimeout(r, ${seconds * secondMs}));\nreturn [{ json: { long: true } }];` },
      { typeVersion: 2 },
    );
  await activate("Long", [webhook(path, "lastNode"), runs(35)]);
  await activate("Short", [webhook("short", "lastNode"), node("Nothing", "noOp", {})]);
  await vi.waitFor(async () => expect((await visit(front.port, { path: "/webhook/short" })).status).toBe(200), 60_000);
  const answer = visit(front.port, { path: `/webhook/${path}` });
  const { address, accountId } = await row();
  await vi.waitFor(async () => expect(await engine.countRunning!(address!, id, after(new Date(), secondMs))).toBe(1), 30_000);
  await requestRestart(database.db, accountId, new Date());
  await until((now) => now.finishingSince !== null);
  // It is still reachable.
  expect((await visit(front.port, { path: "/webhook/short" })).status).toBe(200);
  expect(await answer).toMatchObject({ status: 200, body: expect.stringContaining('"long":true') });
  await until((now) => now.observedGeneration === now.generation && now.observedState === "online" && now.leaseOwner === null, 120_000);
  expect((await row()).finishingSince).toBeNull();
});
