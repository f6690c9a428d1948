/** The SQL of version changes. */
import { and, count, desc, eq, gt, inArray, isNull, lt, notInArray, or, sql, type SQL } from "drizzle-orm";
import { backups, workspaces, workspaceUpdates } from "#database/tables.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import { endReasons, unplacedReasons } from "#domain/workspaces/stories/stories.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

export type UpdateRow = typeof workspaceUpdates.$inferSelect;
export type UpdateAsker = UpdateRow["askedBy"];

type NewUpdate = Pick<UpdateRow, "workspaceId" | "fromVersion" | "toVersion" | "askedBy"> &
  Partial<Pick<UpdateRow, "restoreBackupId" | "backupId" | "snapshotAt">>;

const lifeOf = (workspaceId: string): SQL<number> =>
  sql<number>`(select ${workspaces.life} from ${workspaces} where ${workspaces.id} = ${workspaceId})`;

/**
 * Excludes a workspace that was deleted since, whose row serves the next one. Read once, not by row: the planner would expect few rows of
 * this life, and sort all of them.
 */
const isOfLifeNow = (workspaceId: string): SQL => sql`${workspaceUpdates.life} = ${lifeOf(workspaceId)}`;

/** The same for several workspaces. */
const isOfThisWorkspace = sql`${workspaceUpdates.life} = (select w.life from workspaces w where w.id = ${workspaceUpdates.workspaceId})`;

/** Records a change of version; null while another is under way. */
export async function insertUpdate(db: Connection, wanted: NewUpdate, now: Date): Promise<UpdateRow | null> {
  const [row] = await db
    .insert(workspaceUpdates)
    .values({ ...wanted, id: newId(now.getTime()), life: lifeOf(wanted.workspaceId), startedAt: now })
    .onConflictDoNothing({ target: workspaceUpdates.workspaceId, where: sql`${workspaceUpdates.finishedAt} is null` })
    .returning();
  return row ?? null;
}

/** The one under way, if any. */
export async function findOpenUpdate(db: Connection, workspaceId: string): Promise<UpdateRow | null> {
  const [row] = await db
    .select()
    .from(workspaceUpdates)
    .where(and(eq(workspaceUpdates.workspaceId, workspaceId), isNull(workspaceUpdates.finishedAt), isOfLifeNow(workspaceId)));
  return row ?? null;
}

/** The newest, and until when its snapshot is kept; null if it does not, or no longer, exist. */
export async function newestUpdate(db: Connection, workspaceId: string): Promise<{ update: UpdateRow; keptUntil: Date | null } | null> {
  const [row] = await db
    .select({ update: workspaceUpdates, state: backups.state, keptUntil: backups.keptUntil })
    .from(workspaceUpdates)
    .leftJoin(backups, eq(backups.id, workspaceUpdates.backupId))
    .where(and(eq(workspaceUpdates.workspaceId, workspaceId), isOfLifeNow(workspaceId)))
    .orderBy(desc(workspaceUpdates.startedAt))
    .limit(1);
  return row ? { update: row.update, keptUntil: row.state === "successful" ? row.keptUntil : null } : null;
}

/** The changes begun before `before`, newest first. */
export async function listUpdates(
  db: Connection,
  workspaceId: string,
  { before, most }: { before: Date | null; most: number },
): Promise<UpdateRow[]> {
  const isOlder = before ? lt(workspaceUpdates.startedAt, before) : undefined;
  return db
    .select()
    .from(workspaceUpdates)
    .where(and(eq(workspaceUpdates.workspaceId, workspaceId), isOfLifeNow(workspaceId), isOlder))
    .orderBy(desc(workspaceUpdates.startedAt))
    .limit(most);
}

/** Changes an open update. Throws ChangeClosed if it has ended: the workspace was stopped or deleted. */
export async function changeUpdate(
  db: Connection,
  id: string,
  change: Partial<Pick<UpdateRow, "state" | "reason" | "backupId" | "snapshotAt" | "restoredAt" | "finishedAt">>,
): Promise<void> {
  const changed = await db
    .update(workspaceUpdates)
    .set(change)
    .where(and(eq(workspaceUpdates.id, id), isNull(workspaceUpdates.finishedAt)))
    .returning({ id: workspaceUpdates.id });
  if (changed.length === 0) throw new ChangeClosed(id);
}

/** How many changes of version begun after `since` are under way on this host. */
export async function countOpenUpdates(db: Connection, host: string | null, since: Date): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(workspaceUpdates)
    .innerJoin(workspaces, eq(workspaces.id, workspaceUpdates.workspaceId))
    .where(
      and(isNull(workspaceUpdates.finishedAt), gt(workspaceUpdates.startedAt, since), sql`${workspaces.host} is not distinct from ${host}`),
    );
  return row?.n ?? 0;
}

export interface UpdateCandidate {
  id: string;
  accountId: string;
  desiredVersion: string;
  channel: "stable" | "newest";
  timezone: string;
  maintenanceWindow: (typeof workspaces.$inferSelect)["maintenanceWindow"];
  /** Since when it runs this version: its last change of version, or its first day. */
  since: Date;
}

const runsSince = sql<Date>`greatest(workspaces.created_at, workspaces.renewed_at,
  (select max(u.finished_at) from workspace_updates u where u.workspace_id = workspaces.id and u.state = 'successful'))`.mapWith(
  workspaces.createdAt,
);

/** Healthy workspaces of the host, without an open change, whose owners chose automatic updates. */
export async function listUpdateCandidates(db: Connection, host: string): Promise<UpdateCandidate[]> {
  const { id, accountId, desiredVersion, channel, timezone, maintenanceWindow } = workspaces;
  return db
    .select({ id, accountId, desiredVersion, channel, timezone, maintenanceWindow, since: runsSince })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.desiredState, "running"),
        eq(workspaces.observedState, "online"),
        sql`${workspaces.observedVersion} = ${workspaces.desiredVersion}`,
        eq(workspaces.autoUpdate, true),
        eq(workspaces.host, host),
        sql`not exists (select 1 from workspace_updates u where u.workspace_id = ${workspaces.id} and u.finished_at is null)`,
      ),
    )
    .orderBy(workspaces.id);
}

/** Reasons that say nothing about the version. */
const saysNothing = [...Object.values(endReasons), ...Object.values(unplacedReasons)].map(String);

/** Versions that a workspace was once rolled back from automatically: only a person may request them again. */
export async function listFailedVersions(db: Connection, workspaceIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const failed = new Map<string, Set<string>>();
  if (workspaceIds.length === 0) return failed;
  const rows = await db
    .select({ workspaceId: workspaceUpdates.workspaceId, toVersion: workspaceUpdates.toVersion })
    .from(workspaceUpdates)
    .where(
      and(
        inArray(workspaceUpdates.workspaceId, [...workspaceIds]),
        inArray(workspaceUpdates.state, ["rolled-back", "failed"]),
        isOfThisWorkspace,
        or(isNull(workspaceUpdates.reason), notInArray(workspaceUpdates.reason, saysNothing)),
      ),
    );
  for (const { workspaceId, toVersion } of rows) failed.set(workspaceId, (failed.get(workspaceId) ?? new Set()).add(toVersion));
  return failed;
}
