import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { reclaimWhenIdle } from "./workspace-side/reclaim-space.mts";

const lookEveryMs = 20;
const mb = 1024 ** 2;
const secret = "the-body-that-was-deleted";

/** A database in n8n's mode with this many rows of 1 MB, as n8n's connection. */
function makeDatabase(rows: number) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-reclaim-"));
  const path = join(folder, "database.sqlite");
  const db = new DatabaseSync(path);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  db.exec("pragma journal_mode = wal; create table execution_data (id integer primary key, data text)");
  const insert = db.prepare("insert into execution_data (data) values (?)");
  for (let row = 0; row < rows; row += 1) insert.run(secret.padEnd(mb, "."));
  const asked: string[] = [];
  const query = async (sql: string): Promise<unknown> => {
    asked.push(sql);
    return db.prepare(sql).all();
  };
  const bytes = () => readFileSync(path).toString("latin1") + readFileSync(`${path}-wal`).toString("latin1");
  const vacuums = () => asked.filter((sql) => sql === "VACUUM").length;
  return {
    db,
    query,
    vacuums,
    looks: () => asked.filter((sql) => sql.includes("freelist")).length,
    bytes,
    size: () => statSync(path).size,
  };
}

test("once idle, the space of deleted rows is given back, and nothing of them is left in the files", async () => {
  const { db, query, vacuums, looks, bytes, size } = makeDatabase(8);
  db.exec("delete from execution_data where id <= 7");
  let isBusy = true;
  onTestFinished(reclaimWhenIdle({ query, isBusy: async () => isBusy, lookEveryMs }));
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(2));
  expect(vacuums()).toBe(0);
  expect(bytes().split(secret).length).toBeGreaterThan(2);
  isBusy = false;
  await vi.waitFor(() => expect(size()).toBeLessThan(2 * mb));
  await vi.waitFor(() => expect(bytes().split(secret)).toHaveLength(2));
  // Not at each look, even if there is more.
  db.prepare("insert into execution_data (data) values (?)").run("x".repeat(8 * mb));
  db.exec("delete from execution_data where id > 8");
  const before = looks();
  await delay(5 * lookEveryMs);
  expect([vacuums(), looks()]).toEqual([1, before]);
});

test("few free pages are left alone", async () => {
  const { db, query, vacuums, looks } = makeDatabase(16);
  db.exec("delete from execution_data where id <= 3");
  onTestFinished(reclaimWhenIdle({ query, isBusy: async () => false, lookEveryMs }));
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(2));
  expect(vacuums()).toBe(0);
});
