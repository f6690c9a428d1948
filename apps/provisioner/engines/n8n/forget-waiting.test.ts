import { lstat, mkdir, mkdtemp, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { secondMs } from "#platform/clock.ts";
import { forgetWaiting } from "./workspace-side/claim/forget-waiting.mts";
import type { HookContext } from "./workspace-side/internals.mts";

const tables = ["user", "project", "project_relation", "instance_version_history", "deployment_key"];

/** n8n's connection as far as it is used: outside a transaction, each statement waits for the disk. */
function pretendConnection(db: DatabaseSync): { context: HookContext; commits(): number } {
  let commits = 0;
  const query = async (sql: string): Promise<unknown> => db.prepare(sql).all();
  const transaction = async <Result>(work: (tx: { query: typeof query }) => Promise<Result>): Promise<Result> => {
    const result = await work({ query });
    commits += 1;
    return result;
  };
  const alone = async (sql: string): Promise<unknown> => {
    commits += 1;
    return query(sql);
  };
  const User = { query: alone, manager: { transaction } };
  return { context: { dbCollections: { User } } as unknown as HookContext, commits: () => commits };
}

test("all rows and files of the workspace get the current time, and the disk is waited for once", async () => {
  const root = await mkdtemp(join(tmpdir(), "slipway-forget-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [folder, shared] = [join(root, "own"), join(root, "shared")];
  for (const each of [folder, shared]) {
    await mkdir(each);
    await writeFile(join(each, "config"), "{}");
    await utimes(join(each, "config"), new Date(0), new Date(0));
  }
  await symlink(shared, join(folder, "editor"));
  const db = new DatabaseSync(":memory:");
  for (const table of tables) {
    db.exec(`create table "${table}" (id text, "createdAt" text, "updatedAt" text)`);
    db.exec(`insert into "${table}" values ('1', '2020-01-01 00:00:00.000', '2020-01-01 00:00:00.000')`);
  }
  const { context, commits } = pretendConnection(db);
  const beganMs = Date.now();
  await forgetWaiting(context, folder);
  expect(commits()).toBe(1);
  for (const table of tables)
    for (const at of Object.values(db.prepare(`select "createdAt", "updatedAt" from "${table}"`).get()!))
      expect(Date.parse(`${String(at).replace(" ", "T")}Z`), table).toBeGreaterThanOrEqual(beganMs - secondMs);
  for (const name of ["config", "editor"])
    expect((await lstat(join(folder, name))).mtimeMs, name).toBeGreaterThanOrEqual(beganMs - secondMs);
  // The target of a link is shared with other workspaces.
  expect((await stat(join(shared, "config"))).mtimeMs).toBe(0);
});
