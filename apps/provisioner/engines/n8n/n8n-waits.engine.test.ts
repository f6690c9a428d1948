/** Executions of a real n8n that wait for a time, while it is restarted, updated and killed. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { installReleases } from "#testing/engines/prepare-engines.ts";
import { runBare, type BareRun } from "#testing/engines/run-bare.ts";
import { callWebhook, signIn, slowWorkflow, type HookScene } from "#testing/engines/n8n/hook-scene.ts";
import { chain, publish, webhook } from "#testing/engines/n8n/work-scene.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";

const signingKey = generateKeyPairSync("ed25519").privateKey;
const engine = createTestN8n({ signingKey });
const [newest, older] = engine.releases.map(({ version }) => version);
const secrets = engine.createSecrets();
const workspaceId = "0199a000-0000-7000-8000-000000000178";
const waitMs = 2 * minuteMs;

let folder: string;
let run: BareRun;

const scene = {
  engine,
  signingKey,
  workspaceId,
  secrets,
  address: () => run.address,
  door: () => `http://${run.address}`,
} as HookScene;

async function start(version: string): Promise<void> {
  const spec = engine.runSpec(
    {
      id: workspaceId,
      number: 1,
      generation: 1,
      run: true,
      timezone: "Etc/UTC",
      memoryMb: 1024,
      publicUrl: "http://acme.localhost",
      panelUrl: "http://localhost",
      secrets,
    },
    version,
  );
  run = await runBare(engine, spec, folder);
}

const waitNode = (name: string, amount: number) => ({
  name,
  type: "n8n-nodes-base.wait",
  typeVersion: 1.1,
  webhookId: randomUUID(),
  parameters: { resume: "timeInterval", amount, unit: "seconds" },
});
/** After its wait, an execution is still busy while the start goes on. */
const workflow = (path: string) =>
  chain(path, [webhook(path, { httpMethod: "GET", responseMode: "onReceived" }), waitNode("Wait", 3600), waitNode("Work", 5)]);

function withDatabase<Result>(work: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(join(folder, ".n8n", "database.sqlite"));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

interface Execution {
  id: number;
  status: string;
  stoppedAt: string | null;
}

/** Reads beside n8n, which is another process. */
const read = (sql: string, ...values: (string | number)[]): Execution[] =>
  withDatabase((db) => db.prepare(`select id, status, "stoppedAt" from execution_entity where ${sql} order by id`).all(...values)) as never;

/** Calls the workflow once for each, and resolves with their executions once they wait. */
async function beginWaiting(path: string, count: number): Promise<number[]> {
  const before = read("status = 'waiting'").length;
  for (let call = 0; call < count; call += 1) expect((await callWebhook(scene, path)).status).toBe(200);
  await vi.waitFor(() => expect(read("status = 'waiting'")).toHaveLength(before + count), waitMs);
  return read("status = 'waiting'")
    .slice(before)
    .map(({ id }) => id);
}

/** While n8n is stopped. */
function setDue(id: number, at: Date): void {
  const time = at.toISOString().replace("T", " ").replace("Z", "");
  withDatabase((db) => db.prepare('update execution_entity set "waitTill" = ? where id = ?').run(time, id));
}

const statusOf = (id: number): string => read("id = ?", id)[0]!.status;
const stoppedAtOf = (id: number): number => Date.parse(`${read("id = ?", id)[0]!.stoppedAt!.replace(" ", "T")}Z`);
const seconds = (from: Date, count: number): Date => new Date(from.getTime() + count * secondMs);

/** n8n's own statistics of the workflow. */
const countOf = (name: string): number =>
  withDatabase((db) =>
    db
      .prepare('select coalesce(sum("rootCount"), 0) as sum from workflow_statistics where name = ? and "workflowName" = ?')
      .get(name, "later")!,
  )["sum"] as number;

/** Every one succeeds once, none before it is due, and none is ever taken for a failure. */
async function expectAllSucceed(due: ReadonlyMap<number, Date>): Promise<void> {
  const statuses = () => [...due.keys()].map(statusOf);
  await vi.waitFor(() => expect(statuses()).toEqual(statuses().map(() => "success")), { timeout: waitMs, interval: 500 });
  for (const [id, at] of due) expect(stoppedAtOf(id)).toBeGreaterThan(at.getTime());
  const { length } = read("status = 'success'");
  await vi.waitFor(() => expect([countOf("production_success"), countOf("production_error")]).toEqual([length, 0]), waitMs);
  const recovered = /Found unfinished executions: ([\d, ]+)/g;
  const ids = [...(await run.logs()).matchAll(recovered)].flatMap(([, list]) => list!.split(", ").map(Number));
  expect(ids.filter((id) => due.has(id))).toEqual([]);
}

/** Due before the stop, during it, while n8n starts, and after that. */
function dueAround(ids: readonly number[], stoppedAt: Date): Map<number, Date> {
  const now = new Date();
  const times = [seconds(stoppedAt, -1), now, seconds(now, 4), seconds(now, 45)];
  const due = new Map(ids.map((id, index) => [id, times[index]!]));
  for (const [id, at] of due) setDue(id, at);
  return due;
}

beforeAll(async () => {
  await installReleases("n8n");
  folder = await mkdtemp(join(tmpdir(), "slipway-waits-"));
  await start(older!);
  await engine.setUpOwner(run.address, workspaceId, { email: "ada@example.com", fullName: "Ada Lovelace" });
  const { cookie } = await signIn(scene);
  for (const each of [workflow("later"), slowWorkflow]) await publish(scene, cookie, each);
}, 15 * minuteMs);

afterAll(async () => {
  await run?.stop();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ["a restart", () => older!],
  ["an update", () => newest!],
])("an execution whose wait ends before, during or after %s continues and succeeds", async (_what, next) => {
  const ids = await beginWaiting("later", 4);
  await run.stop();
  const due = dueAround(ids, new Date());
  await start(next());
  await expectAllSucceed(due);
});

test("after a kill, waiting executions continue and succeed, and one that ran ends as crashed", async () => {
  const ids = await beginWaiting("later", 4);
  const cut = callWebhook(scene, "slow").catch(() => undefined);
  const [running] = await vi.waitFor(() => {
    const found = read("status = 'running'");
    expect(found).toHaveLength(1);
    return found;
  }, waitMs);
  process.kill(run.pid, "SIGKILL");
  await cut;
  await run.stop();
  const due = dueAround(ids, new Date());
  await start(newest!);
  await vi.waitFor(() => expect(statusOf(running!.id)).toBe("crashed"), waitMs);
  await expectAllSucceed(due);
});
