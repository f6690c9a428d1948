import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts, backups, hosts, restores, workspaces } from "#database/tables.ts";
import { after, hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import type { OpsContext } from "../command.ts";
import { restoreWorkspaces } from "./restore-workspaces.ts";

test("after a lost server each workspace that should run is restored from its newest backup, on record, and only while no worker runs", async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const now = new Date("2026-11-29T12:00:00Z");
  const run = async (yes = false): Promise<string[]> => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const context = { db, clock: { now: () => now }, operator: "ada", reason: "ticket 7", print } as unknown as OpsContext;
    await restoreWorkspaces.run(context, { arguments: [], options: yes ? { yes } : {} });
    return lines;
  };
  const add = async (
    name: string,
    kinds: readonly (typeof backups.$inferInsert)["kind"][],
    desiredState: "running" | "stopped" = "running",
  ) => {
    const [id, accountId] = [newId(), newId()];
    await db.insert(accounts).values({ id: accountId, name, createdAt: now });
    const usual = { engine: "n8n", desiredVersion: "2.1.0", timezone: "Etc/UTC", memoryMb: 512, secrets: "-" } as const;
    await db.insert(workspaces).values({ id, accountId, ...usual, desiredState, createdAt: now, updatedAt: now });
    const ids = kinds.map(() => newId());
    for (const [index, kind] of kinds.entries()) {
      const createdAt = after(now, (index - 10) * hourMs);
      const row = {
        id: ids[index]!,
        accountId,
        workspaceId: id,
        engine: "n8n",
        engineVersion: "2.1.0",
        state: "successful",
        kind,
      } as const;
      await db.insert(backups).values({ ...row, createdAt, finishedAt: createdAt });
    }
    return ids;
  };
  const [, newest] = await add("acme", ["nightly", "nightly", "before-restore"]);
  await add("bare", []);
  await add("stopped", ["nightly"], "stopped");

  expect(await run()).toEqual([
    `acme  2026-11-29 03:00 UTC  ${newest}`,
    "bare  has no backup: only its owner can delete it and begin again",
    "Nothing was changed. Whatever was made since these backups is lost; to restore them, add --yes.",
  ]);
  expect(await db.select().from(restores)).toEqual([]);

  await db.insert(hosts).values({ name: "main", seenAt: new Date() } as typeof hosts.$inferInsert);
  await expect(run(true)).rejects.toThrow("A worker runs on main. This is for a server whose files are lost");
  await db
    .update(hosts)
    .set({ seenAt: after(new Date(), -hourMs) })
    .where(eq(hosts.name, "main"));

  expect(await run(true)).toContain("Requested: 1. Start the service: each is restored, and starts.");
  expect(await db.select({ backupId: restores.backupId, state: restores.state }).from(restores)).toEqual([
    { backupId: newest, state: "waiting" },
  ]);
  const { rows } = await database.pool.query("select after from audit_log where action = 'backup.restored'");
  expect(rows).toEqual([{ after: { operator: "ada", reason: "ticket 7", backup: newest } }]);
  // What is under way is not requested twice.
  expect(await run(true)).toContain("Requested: 0. Start the service: each is restored, and starts.");
});
