/** Begins a story, a change of the workspace as a whole, and ends others as the table in stories.ts says. */
import { and, eq, isNull, lt } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import { restores, workspaces, workspaceUpdates } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { toldNothing } from "../observed/never-set-up.ts";
import { endReasons, stories, type OpenStory, type Story } from "./stories.ts";
import { type WorkspaceRow, writeJournal } from "../workspace-store.ts";
import { AppError } from "#platform/app-error.ts";

/** Thrown inside the transaction that would begin a story, so that all of it is undone. */
export class StoryInTheWay extends Error {
  /** The open story. */
  readonly open: "update" | "restore";
  constructor(story: Story, open: OpenStory) {
    super(`${story} cannot begin: there is an open ${open}`);
    this.name = "StoryInTheWay";
    this.open = open.endsWith("restore") ? "restore" : "update";
  }
}

interface OpenRow {
  story: OpenStory;
  id: string;
}

/**
 * In the caller's transaction. Locks the workspace first, so that of two new stories one sees the other, and returns the workspace after
 * others were ended. Throws StoryInTheWay. Open stories of an earlier life, which only older programs left, are ended by any new one.
 */
export async function beginStory(tx: Connection, workspaceId: string, story: Story, now: Date): Promise<WorkspaceRow> {
  const [workspace] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId)).for("update");
  if (!workspace) throw new Error(`there is no workspace ${workspaceId}`);
  await endOfEarlierLives(tx, workspace, now);
  const open = await readOpen(tx, workspace);
  for (const { story: each } of open) if (stories[story][each] === "refuse") throw new StoryInTheWay(story, each);
  const ending = open.filter((each) => stories[story][each.story] === "end");
  for (const row of ending) await endings[row.story](tx, workspaceId, row.id, endReasons[story as keyof typeof endReasons], now, story);
  if (ending.length === 0) return workspace;
  const [after] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  return after!;
}

async function readOpen(tx: Connection, { id: workspaceId, ownerSetUpAt }: WorkspaceRow): Promise<OpenRow[]> {
  const updates = await tx
    .select({ id: workspaceUpdates.id, snapshotAt: workspaceUpdates.snapshotAt, backup: workspaceUpdates.restoreBackupId })
    .from(workspaceUpdates)
    .where(and(eq(workspaceUpdates.workspaceId, workspaceId), isNull(workspaceUpdates.finishedAt)));
  const wishes = await tx
    .select({ id: restores.id, placedAt: restores.placedAt })
    .from(restores)
    .where(and(eq(restores.workspaceId, workspaceId), isNull(restores.finishedAt)));
  return [
    ...updates.map(({ id, snapshotAt, backup }) => {
      const kind = backup ? "rollback" : "update";
      return { id, story: snapshotAt ? (`touched-${kind}` as const) : kind } as const;
    }),
    ...wishes.map(({ id, placedAt }) => ({ id, story: restoreStory(ownerSetUpAt, placedAt) })),
  ];
}

/** Without an owner, the workspace was never used: files in place that are lost before its first start are put there again. */
function restoreStory(ownerSetUpAt: Date | null, placedAt: Date | null): OpenStory {
  if (ownerSetUpAt === null) return "first-restore";
  return placedAt ? "placed-restore" : "restore";
}

type End = (tx: Connection, workspaceId: string, id: string, reason: string, now: Date, story: Story) => Promise<void>;

const endUpdate: End = async (tx, _workspaceId, id, reason, now) => {
  await tx.update(workspaceUpdates).set({ state: "failed", reason, finishedAt: now }).where(eq(workspaceUpdates.id, id));
};

/** Nothing was changed yet, so the running version is desired again. */
const endUntouchedUpdate: End = async (tx, workspaceId, id, reason, now, story) => {
  const [update] = await tx
    .update(workspaceUpdates)
    .set({ state: "failed", reason, finishedAt: now })
    .where(eq(workspaceUpdates.id, id))
    .returning({ from: workspaceUpdates.fromVersion, to: workspaceUpdates.toVersion });
  if (story === "renewal" || story === "removal") return;
  await tx
    .update(workspaces)
    .set({ desiredVersion: update!.from })
    .where(and(eq(workspaces.id, workspaceId), eq(workspaces.desiredVersion, update!.to)));
};

const endRestore: End = async (tx, workspaceId, id, reason, now) => {
  const [restore] = await tx
    .update(restores)
    .set({ state: "failed", reason, finishedAt: now })
    .where(eq(restores.id, id))
    .returning({ attempts: restores.attempts });
  // The files may still be the backup's, if a worker died between placing them and updating the row.
  if (restore!.attempts > 0) await forgetWhatWasTold(tx, workspaceId);
};

/** What happens to each kind of story that is ended early. */
const endings: Readonly<Record<OpenStory, End>> = {
  update: endUntouchedUpdate,
  "touched-update": endUpdate,
  rollback: endUntouchedUpdate,
  "touched-rollback": endUpdate,
  restore: endRestore,
  "first-restore": endRestore,
  "placed-restore": async (tx, workspaceId, id, reason, now, story) => {
    if (story === "renewal" || story === "removal")
      return void (await tx.update(restores).set({ state: "failed", reason, finishedAt: now }).where(eq(restores.id, id)));
    await tx.update(restores).set({ state: "successful", finishedAt: now }).where(eq(restores.id, id));
    await writeJournal(tx, workspaceId, { event: "restored", message: say("restoredAndStopped") }, now);
    await forgetWhatWasTold(tx, workspaceId);
  },
};

/** The tool is told everything again: the restored database may not know it. */
async function forgetWhatWasTold(tx: Connection, workspaceId: string): Promise<void> {
  await tx.update(workspaces).set(toldNothing).where(eq(workspaces.id, workspaceId));
}

async function endOfEarlierLives(tx: Connection, { id, life }: WorkspaceRow, now: Date): Promise<void> {
  const end = { state: "failed", reason: endReasons.renewal, finishedAt: now } as const;
  await tx
    .update(restores)
    .set(end)
    .where(and(eq(restores.workspaceId, id), isNull(restores.finishedAt), lt(restores.life, life)));
  await tx
    .update(workspaceUpdates)
    .set(end)
    .where(and(eq(workspaceUpdates.workspaceId, id), isNull(workspaceUpdates.finishedAt), lt(workspaceUpdates.life, life)));
}

/**
 * Thrown inside a transaction that would continue a restore, an update, a deletion or a start that has since ended, so that all of it
 * is undone.
 */
export class ChangeClosed extends Error {
  constructor(id: string) {
    super(`the restore, update, deletion or start ${id} is not wanted any more`);
    this.name = "ChangeClosed";
  }
}

/**
 * Refuses a request meant for a workspace deleted since, so that it never affects the one in its place. Without `life`, the current one is
 * meant.
 */
export function refuseOtherLife(workspace: Pick<WorkspaceRow, "life">, life: number | undefined): void {
  if (life !== undefined && workspace.life !== life) throw new AppError("workspace_replaced");
}
