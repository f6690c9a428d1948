/**
 * Whether a worker's cost depends on what changes rather than on the number of workspaces; and what keeps working when there is trouble.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { migrate } from "#database/migrate.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { leaseSeconds } from "#domain/workspaces/observed/claim-workspaces.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { openDatabase, type Database } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import type { BenchRow } from "./bench-row.ts";
import {
  addWorkspaces,
  comparedEveryMs,
  countCallsDue,
  countUnsettled,
  idOf,
  makeCallsDue,
  restart,
  type WorkerOptions,
} from "./fleet/fleet-rows.ts";
import { cpuMs } from "./gateway/cpu-ms.ts";

const few = 1_000;
const many = 100_000;
const changing = 100;
/** To the payment provider. */
const calls = 1_000;
const workersAtOnce = 2;
const notifications = 10_000;
/** The better of two counts, since other work on the machine only adds time. */
const rounds = 2;
const settleLimitMs = 2 * minuteMs;

interface Settled {
  ms: number;
  /** Of all workers. */
  cpu: number;
}

/** Adds each row as soon as it is measured. */
export async function benchFleet(add: (row: BenchRow) => void): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "slipway-bench-fleet-"));
  const log = createLog("error");
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: {} });
  const database = openDatabase(postgres.connection, log, { max: 4 });
  const { db } = database;
  try {
    await migrate(database, log);
    await savePlans(db, readCatalogue(), new Date());
    const options = { connection: postgres.connection, hangingProvider: false };
    await addWorkspaces(db, 0, few);
    const small = await withWorkers({ ...options, count: few }, async (workers) => ({
      settled: await best(() => settle(db, workers, few)),
      memory: await memoryMb(workers[0]!),
    }));
    await addWorkspaces(db, few, many);
    await withWorkers({ ...options, count: many }, async (workers) => {
      const large = await best(() => settle(db, workers, many));
      add(changesRow(large, small.settled));
      add(idleRow(await idleCpu(workers)));
      add(memoryRow(await memoryMb(workers[0]!), small.memory));
      add(stormRow(await storm(db, workers)));
      add(takeoverRow(await takeOver(db, workers)));
    });
    await withWorkers({ ...options, count: many, hangingProvider: true }, async (workers) => {
      // In the same processes just before, so that other work on the machine affects both alike.
      const quiet = await best(() => settle(db, workers, many));
      await makeCallsDue(db, calls);
      await until(async () => (await countCallsDue(db)) === 0, "the calls to the provider did not begin");
      add(besideRow("hang", await best(() => settle(db, workers, many)), quiet));
      for (const worker of workers) worker.send("answer");
      add(besideRow("end together", await settle(db, workers, many), quiet));
    });
  } finally {
    await database.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const row = (what: string, ratio: number, most: number, detail: string): BenchRow => ({
  what,
  ratio,
  budget: `≤ ${most}`,
  ok: ratio <= most,
  detail,
});
const both = (one: Settled, other: Settled): string =>
  `${Math.round(one.ms)} ms and ${one.cpu} ms of CPU against ${Math.round(other.ms)} ms and ${other.cpu} ms`;

const changesRow = (large: Settled, small: Settled): BenchRow =>
  row(
    `CPU of ${workersAtOnce} workers for ${changing} changes among ${many} workspaces against the same among ${few}`,
    large.cpu / small.cpu,
    1.5,
    both(large, small),
  );
const idleRow = (cpu: number): BenchRow =>
  row(
    `CPU of ${workersAtOnce} workers beside ${many} quiet workspaces against a tenth of a core`,
    cpu / (minuteMs / 10),
    1,
    `${Math.round(cpu)} ms a minute`,
  );
const memoryRow = (large: number, small: number): BenchRow =>
  row(`memory of a worker beside ${many} workspaces against one beside ${few}`, large / small, 1.5, `${large} MB against ${small} MB`);
const stormRow = ({ ms, cpu }: Settled): BenchRow =>
  row(`one change behind ${notifications} notifications against 5 s`, ms / (5 * secondMs), 1, `${Math.round(ms)} ms, ${cpu} ms of CPU`);
const takeoverRow = (ms: number): BenchRow =>
  row(
    `${changing} changes, one of ${workersAtOnce} workers killed, against a lease`,
    ms / (leaseSeconds * secondMs),
    1.3,
    `${(ms / secondMs).toFixed(1)} s`,
  );
const besideRow = (they: "hang" | "end together", beside: Settled, alone: Settled): BenchRow =>
  row(
    `${changing} changes while ${calls} calls to a payment provider ${they} against the same without`,
    beside.ms / alone.ms,
    they === "hang" ? 1.2 : 2,
    both(beside, alone),
  );

async function withWorkers<T>(options: WorkerOptions, measure: (workers: ChildProcess[]) => Promise<T>): Promise<T> {
  const script = join(import.meta.dirname, "fleet/worker.ts");
  const workers = Array.from({ length: workersAtOnce }, () => fork(script, [JSON.stringify(options)]));
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    return await measure(workers);
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
  }
}

async function best(measure: () => Promise<Settled>): Promise<Settled> {
  const all: Settled[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measure());
  return { ms: Math.min(...all.map(({ ms }) => ms)), cpu: Math.min(...all.map(({ cpu }) => cpu)) };
}

async function measured(workers: ChildProcess[], work: () => Promise<void>): Promise<Settled> {
  const total = async () => (await Promise.all(workers.map(({ pid }) => cpuMs(pid!)))).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  const [begin, cpu] = [performance.now(), await total()];
  await work();
  return { ms: performance.now() - begin, cpu: (await total()) - cpu };
}

const settle = (db: Database, workers: ChildProcess[], count: number): Promise<Settled> =>
  measured(workers, async () => {
    const ids = spreadOver(count);
    await restart(db, ids);
    await untilSettled(db, ids);
  });

const spreadOver = (count: number): string[] => Array.from({ length: changing }, (_, index) => idOf(index * (count / changing)));

const untilSettled = (db: Database, ids: readonly string[]): Promise<void> =>
  until(async () => (await countUnsettled(db, ids)) === 0, "the workspaces did not settle");

async function until(isSo: () => Promise<boolean>, failure: string): Promise<void> {
  const deadline = performance.now() + settleLimitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${failure} within two minutes`);
    await sleep(50);
  }
}

async function idleCpu(workers: ChildProcess[]): Promise<number> {
  const { cpu } = await measured(workers, () => sleep(comparedEveryMs));
  return cpu * (minuteMs / comparedEveryMs);
}

/** A change requested immediately after a flood of notifications. */
const storm = (db: Database, workers: ChildProcess[]): Promise<Settled> =>
  measured(workers, async () => {
    await db.execute(sql`select pg_notify('workspace_changed', id || ' ' || id) from workspaces limit ${notifications}`);
    await restart(db, [idOf(1)]);
    await untilSettled(db, [idOf(1)]);
  });

/** Milliseconds until everything has settled after one worker was killed while handling changes. */
async function takeOver(db: Database, workers: ChildProcess[]): Promise<number> {
  const ids = spreadOver(many);
  await restart(db, ids);
  await sleep(300);
  workers[1]!.kill("SIGKILL");
  const begin = performance.now();
  await untilSettled(db, ids);
  return performance.now() - begin;
}

/** Resident memory; Linux only. */
async function memoryMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024);
}
