/** The SQL of nightly backups. */
import { and, eq, gt, isNotNull, lte, ne, sql } from "drizzle-orm";
import { backups, workspaces } from "#database/tables.ts";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import type { Connection, Database } from "#platform/database.ts";
import { after, mostAheadMs } from "#platform/clock.ts";
import type { BackupRow } from "./backup-store.ts";
import { type NewBackup, insertBackup } from "./backup-queue.ts";
import { mostPutOffMs } from "./nightly-schedule.ts";

export interface NightlyCandidate {
  workspaceId: string;
  accountId: string;
  engine: BackupRow["engine"];
  engineVersion: string;
  timezone: string;
  /** When it last had one, or was created. */
  lastAt: Date;
}

/** What decides when a workspace's nightly backup is due. */
export interface NightlyTurn extends Pick<NightlyCandidate, "accountId" | "timezone" | "lastAt"> {
  /** Not before that. */
  nightlyAt: Date;
}

/**
 * Begins the nightly backup, unless the workspace had one since, or another process is about to begin it. Two that look at the same moment
 * both see that none was made: the lock on the workspace's row decides between them.
 */
export async function beginNightlyBackup(db: Database, wanted: Omit<NewBackup, "kind">, since: Date, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(eq(workspaces.id, wanted.workspaceId))
      .for("no key update", { skipLocked: true });
    if (!locked[0]) return false;
    const made = await tx
      .select({ id: backups.id })
      .from(backups)
      .where(
        and(
          eq(backups.workspaceId, wanted.workspaceId),
          eq(backups.kind, "nightly"),
          ne(backups.state, "failed"),
          gt(backups.createdAt, since),
          isNoLaterThan(now),
        ),
      )
      .limit(1);
    return !made[0] && (await insertBackup(tx, { ...wanted, kind: "nightly" }, now)) !== null;
  });
}

/** One that seems to be made later was made before a clock was set back, and says nothing about this night. */
const isNoLaterThan = (now: Date) => lte(backups.createdAt, after(now, mostAheadMs));

/** Workspaces that have nightly backups. */
const hasNightly = and(eq(workspaces.desiredState, "running"), eq(workspaces.observedState, "online"), isNotNull(workspaces.ownerSetUpAt));
/** When the workspace had the last one that did not fail. With the table's name, because a bare `id` in the subquery would be the backup's. */
const lastNightly = (now: Date) =>
  sql<Date | null>`(select max(b.created_at) from backups b where b.workspace_id = workspaces.id and b.kind = 'nightly' and b.state <> 'failed' and b.created_at <= ${after(now, mostAheadMs).toISOString()}::timestamptz)`.mapWith(
    (value: string | Date) => new Date(value),
  );

/** Online workspaces of this host whose nightly backup may be due, longest waiting first. The caller postpones each. */
export async function listNightlyCandidates(db: Connection, now: Date, most: number, host: string = mainHost): Promise<NightlyCandidate[]> {
  const rows = await db
    .select({
      workspaceId: workspaces.id,
      accountId: workspaces.accountId,
      engine: workspaces.engine,
      engineVersion: workspaces.observedVersion,
      desiredVersion: workspaces.desiredVersion,
      timezone: workspaces.timezone,
      createdAt: workspaces.createdAt,
      last: lastNightly(now),
    })
    .from(workspaces)
    .where(and(hasNightly, eq(workspaces.host, host), sql`${workspaces.nightlyAt} <= ${now.toISOString()}::timestamptz`))
    .orderBy(workspaces.nightlyAt)
    .limit(most);
  return rows.map(({ engineVersion, desiredVersion, createdAt, last: lastAt, ...row }) => ({
    ...row,
    engineVersion: engineVersion ?? desiredVersion,
    lastAt: lastAt ?? createdAt,
  }));
}

/** Of one workspace; null if it has no nightly backups, because it should not run, is not online or has no owner yet. */
export async function readNightlyTurn(db: Connection, workspaceId: string, now: Date): Promise<NightlyTurn | null> {
  const [row] = await db
    .select({
      accountId: workspaces.accountId,
      timezone: workspaces.timezone,
      createdAt: workspaces.createdAt,
      nightlyAt: workspaces.nightlyAt,
      last: lastNightly(now),
    })
    .from(workspaces)
    .where(and(eq(workspaces.id, workspaceId), hasNightly));
  if (!row) return null;
  const { createdAt, last, ...turn } = row;
  return { ...turn, lastAt: last ?? createdAt };
}

/**
 * Makes the checks due that are further ahead than any is put off: a clock was set back since. Without it, there would be no nightly backup
 * until the clock has caught up.
 */
export async function dropFutureChecks(db: Connection, now: Date, host: string = mainHost): Promise<void> {
  const isTooFar = sql`${workspaces.nightlyAt} > ${after(now, mostPutOffMs).toISOString()}::timestamptz`;
  await db
    .update(workspaces)
    .set({ nightlyAt: now })
    .where(and(hasNightly, eq(workspaces.host, host), isTooFar));
}

/** The workspace's nightly backup is not due before `until`. */
export async function putOffNightly(db: Connection, workspaceId: string, until: Date): Promise<void> {
  await db.update(workspaces).set({ nightlyAt: until }).where(eq(workspaces.id, workspaceId));
}
