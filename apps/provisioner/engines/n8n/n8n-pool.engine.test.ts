/** A real n8n that was started without an owner and is then claimed: afterwards it is what a start with its owner's settings gives. */
import { chmod, lstat, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { secondMs, systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { createProcessDriver, type ProcessDriver } from "../../drivers/process/create-process-driver.ts";
import { hashRunSpec } from "../../drivers/hash-run-spec.ts";
import type { EngineWorkspace } from "../engine.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { blankUrl } from "./workspace-side/claim/blank-url.mts";

const engine = createTestN8n();
const { version } = engine.releases[0]!;
/** Nine hours ahead of UTC all year. */
const timezone = "Asia/Tokyo";
const publicUrl = "http://acme.localhost:3000";
const workspace: EngineWorkspace = {
  id: newId(),
  number: 1,
  generation: 1,
  run: true,
  timezone,
  memoryMb: 1024,
  executions: { keep: 1000, maxAgeHours: 168 },
  publicUrl,
  panelUrl: "http://localhost:3000",
  secrets: engine.createSecrets(),
};
const owner = { email: "ada@example.com", fullName: "Ada Lovelace" };

let folder: string;
let driver: ProcessDriver;
let address: string;
let cookie: string;
let claimedAt: Date;

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://${address}${path}`, { redirect: "manual", ...init, headers: { connection: "close", cookie, ...(init.headers as object) } });

async function api<Data>(path: string, body?: unknown): Promise<Data> {
  const answer = await get(`/rest${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: Data }).data;
}

async function start(run: EngineWorkspace): Promise<void> {
  address = (await driver.ensure(engine.runSpec(run, version))).address!;
  await vi.waitFor(async () => expect(await engine.health(address)).toEqual({ ready: true }), { timeout: 120_000, interval: 100 });
  driver.endStart!(run.id);
}

async function signIn(): Promise<void> {
  const answer = await fetch(`http://${address}${engine.loginPath(workspace.id, "/")}`, { redirect: "manual" });
  expect(answer.status, await answer.text()).toBe(302);
  cookie = answer.headers
    .getSetCookie()
    .find((each) => each.startsWith("n8n-auth="))!
    .split(";")[0]!;
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

async function activate(name: string, nodes: ReturnType<typeof node>[]): Promise<string> {
  const connections = { [nodes[0]!.name]: { main: [[{ node: nodes[1]!.name, type: "main", index: 0 }]] } };
  const made = await api<{ id: string; versionId: string }>("/workflows", { name, settings: {}, active: false, nodes, connections });
  await api(`/workflows/${made.id}/activate`, { versionId: made.versionId });
  return made.id;
}

/** What a workflow sees of its address and timezone; hours, because minutes pass. */
const seen = `={{ { zone: $now.zoneName, hour: $now.toFormat("HH"), today: $today.toFormat("HH ZZ"), resume: $execution.resumeUrl.split("/webhook")[0] } }}`;

/** Everything that shows what n8n believes its address and timezone to be. */
async function readPlace() {
  const settings = await api<Record<string, unknown>>("/settings");
  const credentials = await (await get("/types/credentials.json")).text();
  const answer = (await (await get("/webhook/place")).json()) as { zone: string };
  // n8n counts the published workflows once an hour.
  return { settings: { ...settings, dynamicBanners: undefined }, credentials, answer };
}

beforeAll(async () => {
  await engine.install(version, () => undefined);
  await engine.prepare!(version);
  folder = await mkdtemp(join(tmpdir(), "slipway-n8n-pool-"));
  await chmod(folder, 0o711);
  driver = createProcessDriver({
    workspacesDir: join(folder, "workspaces"),
    places: { enginesDir: enginesCacheDir, nodeBinary: process.execPath },
    log: createLog("silent"),
    clock: systemClock,
  });
  await start(engine.blanks!.unowned(workspace));
}, 15 * 60_000);

afterAll(async () => {
  await driver?.stopAll();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Only the control plane claims a blank, once, for one owner, and in a second. */
async function claimOnce(): Promise<void> {
  for (const authorization of ["", "Bearer x.y"])
    expect((await fetch(`http://${address}/_slipway/claim`, { method: "POST", headers: { authorization } })).status).toBe(401);
  await expect(engine.blanks!.claim(address, { ...workspace, publicUrl: "no address" })).rejects.toThrow(/422/);
  // The minimum wait of any blank: its rows and files are older than its owner.
  await new Promise((resolve) => setTimeout(resolve, 3 * secondMs));
  if (driver.freeze) expect(await driver.freeze(workspace.id)).toMatchObject({ frozen: true });
  const beganMs = performance.now();
  claimedAt = new Date();
  await driver.thaw!(workspace.id);
  await engine.blanks!.claim(address, workspace);
  const claimedMs = performance.now();
  await engine.blanks!.claim(address, workspace);
  await expect(engine.blanks!.claim(address, { ...workspace, publicUrl: "http://eve.localhost:3000" })).rejects.toThrow(/409/);
  await expect(engine.blanks!.claim(address, { ...workspace, timezone: "Europe/Berlin" })).rejects.toThrow(/409/);
  const spec = engine.runSpec(workspace, version);
  const reassigned = await driver.reassign!(spec);
  expect(reassigned).toMatchObject({ state: "running", generation: 1, specHash: hashRunSpec(spec), address });
  await engine.setUpOwner(address, workspace.id, owner);
  await signIn();
  console.info(
    `thaw and claim ${Math.round(claimedMs - beganMs)} ms, to the owner's signed-in page ${Math.round(performance.now() - beganMs)} ms`,
  );
  expect(await api("/login")).toMatchObject({ email: owner.email });
}

/** Nothing from the time before the owner can be found: addresses, times, output, executions. */
async function findNothingOlder(): Promise<void> {
  const data = join(folder, "workspaces", workspace.id, "data");
  const names = await readdir(data, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs, atimeMs } = await lstat(path);
    if (mtimeMs < claimedAt.getTime() - secondMs || atimeMs < claimedAt.getTime() - secondMs) found.push(`${path}: time`);
    if (entry.isFile() && (await readFile(path, "latin1")).includes(new URL(blankUrl).host)) found.push(`${path}: address`);
  }
  expect(found).toEqual([]);
  expect(await driver.logs(workspace.id, 100_000)).not.toMatch(/quick start|n8n ready|Editor is now/);
  // By the driver's observation, too.
  expect((await driver.observe(workspace.id)).startedAt!.getTime()).toBeGreaterThanOrEqual(claimedAt.getTime());
  const db = new DatabaseSync(join(data, ".n8n", "database.sqlite"), { readOnly: true });
  const rows = (sql: string) => db.prepare(sql).all() as Record<string, unknown>[];
  for (const table of ["user", "project", "project_relation", "instance_version_history", "deployment_key"]) {
    for (const row of rows(`SELECT * FROM "${table}"`))
      for (const name of ["createdAt", "updatedAt"])
        if (row[name] !== undefined)
          expect(Date.parse(`${String(row[name]).replace(" ", "T")}Z`), `${table}.${name}`).toBeGreaterThanOrEqual(
            claimedAt.getTime() - secondMs,
          );
  }
  for (const table of ["execution_entity", "workflow_entity", "credentials_entity", "event_destinations"])
    expect(rows(`SELECT count(*) AS n FROM "${table}"`), table).toEqual([{ n: 0 }]);
  expect(rows("SELECT * FROM sqlite_sequence WHERE name = 'execution_entity' AND seq > 0")).toEqual([]);
  db.close();
  const events = names.filter(({ name }) => name.startsWith("n8nEventLog"));
  for (const { parentPath, name } of events) expect((await readFile(join(parentPath, name), "utf8")).trim()).toBe("");
}

/** Workflows, schedules and the editor have the owner's timezone and address, and a restart changes none of it. */
async function livesAsItsOwner(): Promise<void> {
  const set = (name: string, expression: string) =>
    node(name, "set", { mode: "raw", jsonOutput: expression, options: {} }, { typeVersion: 3.4 });
  await activate("Place", [
    node("Webhook", "webhook", { path: "place", httpMethod: "GET", responseMode: "lastNode" }, { typeVersion: 2, webhookId: newId() }),
    set("See", seen),
  ]);
  // Only in the hours that it now is in Tokyo, and not in those of UTC.
  const hour = Number(new Intl.DateTimeFormat("en", { timeZone: timezone, hour: "numeric", hour12: false }).format(new Date())) % 24;
  const rule = { rule: { interval: [{ field: "cronExpression", expression: `*/2 * ${hour},${(hour + 1) % 24} * * *` }] } };
  const scheduled = await activate("Scheduled", [
    node("Schedule", "scheduleTrigger", rule, { typeVersion: 1.2 }),
    set("Keep", "={{ $json }}"),
  ]);
  const runs = async () =>
    api<{ results: { id: string; status: string }[] }>(
      `/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: scheduled }))}&limit=1`,
    );
  const [run] = await vi.waitFor(
    async () => {
      const { results } = await runs();
      expect(results[0]).toMatchObject({ status: "success" });
      return results;
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(JSON.stringify(await api(`/executions/${run!.id}`))).toContain(timezone);

  await vi.waitFor(async () => expect((await get("/webhook/place")).status).toBe(200), 60_000);
  const claimed = await readPlace();
  expect(claimed.answer).toMatchObject({ zone: timezone, today: "00 +09:00", resume: publicUrl });
  expect(claimed.settings).toMatchObject({ timezone, urlBaseWebhook: `${publicUrl}/`, urlBaseEditor: publicUrl });
  expect(JSON.stringify(claimed)).not.toContain(new URL(blankUrl).host);
  const page = await (await get("/signin")).text();
  expect(page).toContain("Sign in to acme");

  await start({ ...workspace, generation: 2 });
  await signIn();
  await vi.waitFor(async () => expect((await get("/webhook/place")).status).toBe(200), 60_000);
  const restarted = await readPlace();
  expect(restarted.settings).toEqual(claimed.settings);
  expect(restarted.credentials === claimed.credentials).toBe(true);
  expect(restarted.answer).toMatchObject({ zone: timezone, today: "00 +09:00", resume: publicUrl });
  // A workspace that began with its owner is not a blank.
  await expect(engine.blanks!.claim(address, workspace)).rejects.toThrow(/409/);
}

// One test, because a blank can be claimed only once, and another is another start of n8n.
test("only the control plane claims a blank, once, for one owner, and in a second; nothing from the time before the owner can be found; workflows, schedules and the editor have the owner's timezone and address, and a restart changes none of it", async () => {
  await claimOnce();
  await findNothingOlder();
  await livesAsItsOwner();
});
