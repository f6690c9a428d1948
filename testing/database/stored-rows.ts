/** The rows of finished backups, exports and updates, as workers leave them, for tests of what can be done with them. */
import { pipeline, Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { backups, exports, workspaceUpdates, type workspaces } from "#database/tables.ts";
import { insertBackup } from "#domain/backups/backup-queue.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { insertExport } from "#domain/exports/export-store.ts";
import { insertUpdate } from "#domain/updates/update-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { TestApi } from "../test-api.ts";

type Workspace = typeof workspaces.$inferSelect;

/** The id of a backup as made by a worker; its file does not exist, see `storeFile`. */
export async function backupOf(
  { database, clock }: TestApi,
  { id: workspaceId, accountId }: Workspace,
  engineVersion = "2.40.7",
): Promise<string> {
  const now = clock.now();
  const { id } = (await insertBackup(database.db, { accountId, workspaceId, kind: "manual", engine: "n8n", engineVersion }, now))!;
  await database.db.update(backups).set(madeBackup(now)).where(eq(backups.id, id));
  return id;
}

/** What a worker records about a backup that it has made. */
export const madeBackup = (now: Date) =>
  ({
    state: "successful",
    dueAt: null,
    size: 1234,
    workflows: 3,
    credentials: 2,
    executions: 1,
    verifiedAt: now,
    finishedAt: now,
    keptUntil: after(now, dayMs),
  }) as const;

/** The id of an export that is ready. */
export async function exportOf({ database, clock }: TestApi, { id: workspaceId, accountId }: Workspace): Promise<string> {
  const now = clock.now();
  const { id } = await insertExport(
    database.db,
    { accountId, workspaceId, withCredentials: false, credentialsKey: null, keptUntil: after(now, dayMs) },
    now,
  );
  await database.db.update(exports).set({ state: "ready", dueAt: null }).where(eq(exports.id, id));
  return id;
}

/** A successful update, with the backup before it. */
export async function updatedWorkspace(api: TestApi, workspace: Workspace, { from, to }: { from: string; to: string }): Promise<void> {
  const now = api.clock.now();
  const backupId = await backupOf(api, workspace, from);
  const row = await insertUpdate(
    api.database.db,
    { workspaceId: workspace.id, fromVersion: from, toVersion: to, askedBy: "owner", backupId },
    now,
  );
  await api.database.db.update(workspaceUpdates).set({ state: "successful", finishedAt: now }).where(eq(workspaceUpdates.id, row!.id));
}

/** Encrypts the content under the name, as a worker does. */
export async function storeFile({ services }: TestApi, name: string, content: Buffer): Promise<void> {
  const { storage, keys } = services.stored;
  await storage.write(
    name,
    pipeline(Readable.from([content], { objectMode: false }), sealStream(keys.current, name), () => undefined),
  );
}
