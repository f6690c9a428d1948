import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { readConfig } from "../settings/config.ts";
import { openData } from "./open-data.ts";

test("a process never has more sessions in its pool than DATABASE_POOL_MAX, however much work there is", async () => {
  await using database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), "slipway pool-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = readConfig({
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: database.url,
    ROLES: "api",
    DATABASE_POOL_MAX: "6",
  });
  const { database: opened, close } = await openData(config, createLog("silent"));
  const blocker = await database.pool.connect();
  try {
    await blocker.query("select pg_advisory_lock(1)");
    const backends = new Set<number>();
    const work = Array.from({ length: 40 }, async () => {
      const { rows } = await opened.pool.query<{ pid: number }>("select pg_backend_pid() as pid, pg_advisory_xact_lock_shared(1)");
      backends.add(rows[0]!.pid);
    });
    const waiting = async () =>
      (await blocker.query("select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'")).rowCount;
    await expect.poll(waiting).toBe(6);
    expect([opened.pool.totalCount, opened.pool.waitingCount]).toEqual([6, 34]);
    await blocker.query("select pg_advisory_unlock(1)");
    await Promise.all(work);
    expect([opened.pool.totalCount, backends.size]).toEqual([6, 6]);
  } finally {
    // With its lock.
    blocker.release(true);
    await close();
  }
});
