/**
 * Restores and changes of version that have not ended when their workspace is stopped or deleted. Left open they would act later on what
 * runs under the same row: on the next workspace, with the deleted one's data.
 */
import { and, eq, gt, isNull } from "drizzle-orm";
import { restores, workspaces, workspaceUpdates } from "#database/tables.ts";
import { after } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { writeJournal } from "./workspace-store.ts";

/** Why, for the owner. */
export const closedBy = {
  stop: "The workspace was stopped before it began.",
  deletion: "The workspace was deleted.",
} as const;

/**
 * Ends every restore, and each change of version that has not touched the workspace's files: the version that ran is wanted again. One that
 * has a snapshot stays, because the new version may have migrated the data: it goes on with that snapshot where the workspace runs again.
 */
export async function closeWaiting(tx: Connection, workspaceId: string, reason: string, now: Date): Promise<void> {
  const closed = await tx.update(restores).set({ state: "failed", reason, finishedAt: now }).where(and(eq(restores.workspaceId, workspaceId), isNull(restores.finishedAt), isNull(restores.placedAt))).returning({ attempts: restores.attempts });
  const placed = await tx.update(restores).set({ state: "successful", finishedAt: now }).where(and(eq(restores.workspaceId, workspaceId), isNull(restores.finishedAt))).returning({ id: restores.id });
  if (placed.length > 0) await writeJournal(tx, workspaceId, { event: "restored", message: "The backup was restored, and the workspace was stopped before it started." }, now);
  // The files may be the backup's all the same, where a worker died between the two: the tool is told everything anew.
  if (placed.length > 0 || closed.some(({ attempts }) => attempts > 0)) await tx.update(workspaces).set({ profilePassedAt: null, ownerPassed: null }).where(eq(workspaces.id, workspaceId));
  const notBegun = and(eq(workspaceUpdates.workspaceId, workspaceId), isNull(workspaceUpdates.finishedAt), isNull(workspaceUpdates.snapshotAt));
  const updates = await tx.update(workspaceUpdates).set({ state: "failed", reason, finishedAt: now }).where(notBegun).returning({ from: workspaceUpdates.fromVersion, to: workspaceUpdates.toVersion });
  for (const { from, to } of updates) await tx.update(workspaces).set({ desiredVersion: from }).where(and(eq(workspaces.id, workspaceId), eq(workspaces.desiredVersion, to)));
}

/**
 * Ends all of them: nothing is left that they could be about. Whatever a clock says that ticks in milliseconds and may have been set back
 * since they began, all of them count as begun before now: by that they are told from those of a workspace that is renewed now.
 */
export async function closeAll(tx: Connection, workspaceId: string, now: Date): Promise<void> {
  const before = after(now, -1);
  await tx.update(restores).set({ createdAt: before }).where(and(eq(restores.workspaceId, workspaceId), gt(restores.createdAt, before)));
  await tx.update(workspaceUpdates).set({ startedAt: before }).where(and(eq(workspaceUpdates.workspaceId, workspaceId), gt(workspaceUpdates.startedAt, before)));
  const end = { state: "failed", reason: closedBy.deletion, finishedAt: now } as const;
  await tx.update(restores).set(end).where(and(eq(restores.workspaceId, workspaceId), isNull(restores.finishedAt)));
  await tx.update(workspaceUpdates).set(end).where(and(eq(workspaceUpdates.workspaceId, workspaceId), isNull(workspaceUpdates.finishedAt)));
}
