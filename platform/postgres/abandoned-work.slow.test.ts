/**
 * Work that its caller has given up never happens afterwards, whatever held it up, and nothing of it remains in the server: locks, a frozen
 * server, a cut line, a killed process. The limits are those of a service, each a tenth.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeMemoryFolder } from "#testing/memory-folder.ts";
import { openSilentLine, type SilentLine } from "#testing/network/silent-line.ts";
import { isDatabaseAway, openDatabase, type DatabaseHandle } from "../database.ts";
import { createLog } from "../log.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "./embedded-postgres.ts";
import { sessionLimits, type SessionLimits } from "./session-limits.ts";

const log = createLog("silent");
const tenth = Object.fromEntries(Object.entries(sessionLimits.serving).map(([name, ms]) => [name, ms / 10])) as unknown as SessionLimits;
/** A minute, for limits of a tenth. */
const minuteMs = 6_000;
const recoveryMs = 5_000;
const poolSize = 5;
const callers = 4 * poolSize;

const dataDir = makeMemoryFolder("slipway-test-abandoned-");
let server: EmbeddedPostgres;
let line: SilentLine;
let admin: pg.Pool;
let service: DatabaseHandle;
let serviceUrl: string;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: "off", track_commit_timestamp: "on" } });
  const { host, port, user, password, database } = server.connection;
  line = await openSilentLine({ path: `${host}/.s.PGSQL.${port}` });
  serviceUrl = `postgresql://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${line.port}/${database}`;
  admin = new pg.Pool({ ...server.connection, application_name: "the test", max: 3 });
  admin.on("error", () => undefined);
  service = openDatabase({ connectionString: serviceUrl, application_name: "service" }, log, { max: poolSize, limits: tenth });
  await admin.query("create table calls (id text primary key); create table counters (name text primary key, count int not null)");
});
afterAll(async () => {
  await service?.close();
  await admin?.end();
  await line?.[Symbol.asyncDispose]();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => void (await admin.query("truncate calls, counters; insert into counters values ('shared', 0)")));

const backends = async (name = "service"): Promise<number[]> =>
  (await admin.query("select pid from pg_stat_activity where application_name = $1", [name])).rows.map(({ pid }) => pid);

interface Outcome {
  id: string;
  /** When its caller was told that it failed; null: it was told that it is done. */
  failedAt: Date | null;
  error?: unknown;
}

let calls = 0;
/** One call of the service: two statements in a transaction, of which the second needs a row that every call needs. */
async function call(during?: (pid: number) => void): Promise<Outcome> {
  const id = `call ${(calls += 1)}`;
  try {
    await service.db.transaction(async (tx) => {
      await tx.execute(sql`insert into calls values (${id})`);
      const { rows } = await tx.execute<{ pid: number }>(sql`
        update counters set count = count + 1 where name = 'shared' returning pg_backend_pid() as pid`);
      during?.(rows[0]!.pid);
    });
    return { id, failedAt: null };
  } catch (error) {
    return { id, failedAt: new Date(), error };
  }
}

/** Every outcome of callers that call again and again until `ended`. */
function underLoad(ended: AbortSignal): Promise<Outcome[]> {
  const one = async () => {
    const outcomes: Outcome[] = [];
    while (!ended.aborted) outcomes.push(await call(), await delay(5).then(() => call()));
    return outcomes;
  };
  return Promise.all(Array.from({ length: callers }, one)).then((each) => each.flat());
}

/** Nothing failed that was committed after its caller had been told, nothing is lost, and the counter agrees. */
async function expectTruth(outcomes: readonly Outcome[]) {
  const { rows } = await admin.query<{ id: string; at: Date }>("select id, pg_xact_commit_timestamp(xmin) as at from calls");
  const committedAt = new Map(rows.map(({ id, at }) => [id, at]));
  expect(outcomes.filter(({ id, failedAt }) => failedAt && committedAt.has(id) && committedAt.get(id)! > failedAt)).toEqual([]);
  expect(outcomes.filter(({ id, failedAt }) => !failedAt && !committedAt.has(id))).toEqual([]);
  expect((await admin.query("select count from counters")).rows[0].count).toBe(rows.length);
}

/** From now on, everything has to work again within five seconds: calls, and no backend too many or in a transaction. */
async function expectRecovery() {
  const from = performance.now();
  await expect.poll(async () => (await call()).failedAt, { timeout: recoveryMs, interval: 50 }).toBeNull();
  await expect.poll(async () => (await backends()).length, { timeout: recoveryMs, interval: 50 }).toBeLessThanOrEqual(poolSize);
  const stuck = `select pid from pg_stat_activity where application_name = 'service' and (xact_start < now() - interval '5 s' or wait_event_type = 'Lock')`;
  await expect.poll(async () => (await admin.query(stuck)).rowCount, { timeout: recoveryMs, interval: 50 }).toBe(0);
  expect(performance.now() - from).toBeLessThan(recoveryMs);
}

/** The most backends of the service at a time, looked for until `ended`. */
async function mostBackends(ended: AbortSignal): Promise<number> {
  let most = 0;
  while (!ended.aborted) {
    most = Math.max(most, (await backends()).length);
    await delay(20);
  }
  return most;
}

test.for([
  ["a table", "lock table calls in access exclusive mode"],
  ["a row that every call needs", "select from counters for update"],
])("%s that is locked for a minute costs its callers an error, and nothing afterwards", { timeout: 60_000 }, async ([, lock]) => {
  const [ended, watched] = [new AbortController(), new AbortController()];
  const most = mostBackends(watched.signal);
  const load = underLoad(ended.signal);
  await expect.poll(async () => (await admin.query("select from calls")).rowCount).toBeGreaterThan(callers);
  const holder = await admin.connect();
  await holder.query(`begin; ${lock}`);
  await delay(minuteMs);
  await holder.query("commit");
  holder.release();
  await expectRecovery();
  ended.abort();
  const outcomes = await load;
  watched.abort();
  expect(await most).toBeLessThanOrEqual(poolSize);
  const failed = outcomes.filter(({ failedAt }) => failedAt);
  expect(failed.length).toBeGreaterThanOrEqual(poolSize);
  expect(failed.filter(({ error }) => !isDatabaseAway(error))).toEqual([]);
  await expectTruth(outcomes);
});

test("a commit that a frozen backend reads after its caller gave up does nothing", { timeout: 60_000 }, async () => {
  let frozen = 0;
  const outcome = await call((pid) => process.kill((frozen = pid), "SIGSTOP"));
  process.kill(frozen, "SIGCONT");
  expect(outcome.failedAt).not.toBeNull();
  await expect.poll(async () => (await backends()).includes(frozen), { timeout: recoveryMs }).toBe(false);
  expect((await admin.query("select from calls where id = $1", [outcome.id])).rowCount).toBe(0);
  await expectRecovery();
});

test("a single statement that a frozen backend reads after its caller gave up does nothing", { timeout: 60_000 }, async () => {
  const client = await service.pool.connect();
  const [frozen] = (await client.query("select pg_backend_pid() as pid")).rows.map(({ pid }) => pid as number);
  process.kill(frozen!, "SIGSTOP");
  const outcome = await client.query("insert into calls values ('single')").then(
    () => "done",
    () => "failed",
  );
  client.release(true);
  process.kill(frozen!, "SIGCONT");
  expect(outcome).toBe("failed");
  await expect.poll(async () => (await backends()).includes(frozen!), { timeout: recoveryMs }).toBe(false);
  expect((await admin.query("select from calls")).rowCount).toBe(0);
});

test(
  "a server whose backends all freeze under load does nothing afterwards that a caller was told failed",
  { timeout: 60_000 },
  async () => {
    const ended = new AbortController();
    const load = underLoad(ended.signal);
    await expect.poll(async () => (await admin.query("select from calls")).rowCount).toBeGreaterThan(callers);
    const pids = await backends();
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    await delay(minuteMs);
    for (const pid of pids) process.kill(pid, "SIGCONT");
    await expectRecovery();
    ended.abort();
    const outcomes = await load;
    expect(outcomes.filter(({ failedAt }) => failedAt).length).toBeGreaterThanOrEqual(poolSize);
    await expectTruth(outcomes);
  },
);

test("a line that swallows everything costs one wait, and the server ends what is left of its calls", { timeout: 60_000 }, async () => {
  const ended = new AbortController();
  const load = underLoad(ended.signal);
  await expect.poll(async () => (await admin.query("select from calls")).rowCount).toBeGreaterThan(callers);
  line.dropOpen();
  // The server cannot know that the line is cut: it ends what is left when it finds it idle for too long.
  await delay(tenth.silenceMs + Math.max(tenth.idleInTransactionMs, tenth.idleSessionMs));
  await expectRecovery();
  ended.abort();
  await expectTruth(await load);
});

test("a killed process leaves no lock and no waiting statement behind", { timeout: 60_000 }, async () => {
  const script = `
    import { openDatabase } from "#platform/database.ts";
    import { createLog } from "#platform/log.ts";
    const { pool } = openDatabase({ connectionString: ${JSON.stringify(serviceUrl)}, application_name: "killed" }, createLog("silent"));
    const holder = await pool.connect();
    await holder.query("begin; update counters set count = count");
    const waiter = await pool.connect();
    void waiter.query("update counters set count = count");
    console.log("begun");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  expect(await backends("killed")).toHaveLength(2);
  child.kill("SIGKILL");
  await expect.poll(() => backends("killed"), { timeout: recoveryMs }).toEqual([]);
  await expectRecovery();
});
