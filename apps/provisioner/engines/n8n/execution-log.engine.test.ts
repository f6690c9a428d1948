/** What a plan sells as its execution log, in a real n8n: nothing within its days and number is lost, and nothing beyond them stays. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { executionsToKeepOf } from "#contract/workspaces/kept-executions.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { dayMs } from "#platform/clock.ts";
import { runBare } from "#testing/engines/run-bare.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";

const planCalled = (id: string) => readCatalogue().specs.find((spec) => spec.id === id)!;

/** n8n tidies up once an hour, by default; here every three seconds. */
const tidiesOften = { EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: "0.05" };

test("Pro 50K keeps its whole month's quota for 30 days, and Starter after it its own for 7", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-execution-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const engine = createTestN8n();
  const version = engine.releases[0]!.version;
  await engine.install(version, () => undefined);
  const secrets = engine.createSecrets();
  const start = (plan: ReturnType<typeof planCalled>) => {
    const spec = engine.runSpec(
      {
        id: "0199a000-0000-7000-8000-000000000003",
        number: 1,
        generation: 1,
        run: true,
        timezone: "Etc/UTC",
        executions: { keep: executionsToKeepOf(null, plan), maxAgeHours: plan.pruneExecutionsInterval },
        memoryMb: plan.memoryMb ?? 1024,
        features: plan,
        publicUrl: "http://acme.localhost:3000",
        panelUrl: "http://localhost:3000",
        secrets,
      },
      version,
    );
    return runBare(engine, { ...spec, env: { ...spec.env, ...tidiesOften } }, folder);
  };
  const open = () => {
    const database = new DatabaseSync(join(folder, ".n8n", "database.sqlite"));
    database.exec("pragma busy_timeout = 30000");
    return database;
  };
  /** As if this many had run, spread over the days before `newestDay`. */
  const execute = (count: number, { newestDay, oldestDay }: { newestDay: number; oldestDay: number }) => {
    using database = open();
    const insert = database.prepare(
      "insert into execution_entity (workflowId, finished, mode, status, createdAt, startedAt, stoppedAt, storedAt) values ('w', 1, 'webhook', 'success', ?1, ?1, ?1, 'db')",
    );
    database.exec("begin");
    database.exec(
      "insert or ignore into workflow_entity (id, name, active, nodes, connections, versionId) values ('w', 'Logged', 0, '[]', '{}', 'v')",
    );
    for (let index = 0; index < count; index += 1) {
      const day = oldestDay - ((oldestDay - newestDay) * index) / count;
      insert.run(new Date(Date.now() - day * dayMs).toISOString().replace("T", " ").replace("Z", ""));
    }
    database.exec("commit");
  };
  const kept = () => {
    using database = open();
    const { count, oldest } = database
      .prepare(
        "select count(*) as count, coalesce(max(julianday('now') - julianday(stoppedAt)), 0) as oldest from execution_entity where deletedAt is null",
      )
      .get() as { count: number; oldest: number };
    return { count, days: Math.floor(oldest) };
  };
  const within = { timeout: 60_000, interval: 500 };

  const pro = planCalled("pro-2");
  expect([pro.executionsKept, pro.pruneExecutionsInterval]).toEqual([pro.monthlyExecutionsLimit, 30 * 24]);
  const first = await start(pro);
  await first.stop();
  execute(100, { oldestDay: 33, newestDay: 31 });
  execute(pro.monthlyExecutionsLimit - 1000, { oldestDay: 29, newestDay: 1 });
  const run = await start(pro);
  try {
    await expect.poll(kept, within).toEqual({ count: pro.monthlyExecutionsLimit - 1000, days: 29 });
    execute(1500, { oldestDay: 0.9, newestDay: 0 });
    await expect
      .poll(kept, within)
      .toMatchObject({ count: pro.monthlyExecutionsLimit, days: expect.toSatisfy((days: number) => days < 30) });
  } finally {
    await run.stop();
  }

  const starter = planCalled("starter");
  expect([starter.executionsKept, starter.pruneExecutionsInterval]).toEqual([starter.monthlyExecutionsLimit, 7 * 24]);
  const smaller = await start(starter);
  try {
    await expect.poll(kept, within).toMatchObject({ count: starter.monthlyExecutionsLimit });
    expect(kept().days).toBeLessThan(7);
  } finally {
    await smaller.stop();
  }
});
