/**
 * The last backup of a workspace that was deleted because nobody paid: what a payment brings back, and what mails and pages may promise.
 * Nothing else knows whether there is one, and until when.
 */
import { and, desc, eq, gt, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { backups, subscriptions, workspaces } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { isOfThisLife, type BackupRow } from "./backup-store.ts";
import { holdBackup, keepAtLeast } from "./expired-backup-store.ts";
import { insertRestore } from "./restores/restore-store.ts";

/** A deleted workspace: the account's row of workspaces, in that life. */
export interface DeletedWorkspace {
  accountId: string;
  life: number;
}

/** A life may end before its restore was carried out, and then it has none of its own: what it was to begin with is still all there is. */
const isWhatItBeganWith = (backup: SQL) => sql`exists (select from restores began
  where began.workspace_id = workspaces.id and began.life = workspaces.life and began.backup_id = ${backup}.id)`;

/**
 * The one made for the deletion; where an operator gave that one up, the newest of the workspace's others, and one that a restore had
 * replaced only if there is no other. Null if none is kept any more, or once the next workspace has begun.
 */
export async function findLastBackup(db: Connection, { accountId, life }: DeletedWorkspace, now: Date): Promise<BackupRow | null> {
  const [found] = await db
    .select({ backup: backups })
    .from(backups)
    .innerJoin(workspaces, eq(workspaces.id, backups.workspaceId))
    .where(
      and(
        eq(workspaces.accountId, accountId),
        eq(workspaces.life, life),
        eq(workspaces.desiredState, "deleted"),
        eq(backups.accountId, accountId),
        eq(backups.state, "successful"),
        gt(backups.keptUntil, now),
        sql`(${isOfThisLife(sql`backups`)} or ${isWhatItBeganWith(sql`backups`)})`,
      ),
    )
    .orderBy(
      desc(isOfThisLife(sql`backups`)),
      desc(sql`${backups.kind} = 'before-deletion'`),
      sql`${backups.kind} = 'before-restore'`,
      desc(backups.createdAt),
    )
    .limit(1);
  return found?.backup ?? null;
}

/**
 * The same, for a query that joins the account's subscription and workspace; null while the workspace is there or still being deleted.
 * Looked up only for accounts whose workspace was deleted because nobody paid.
 */
export const lastBackupColumn = (now: SQLWrapper) => sql<{ madeAt: string; keptUntil: string } | null>`case
  when ${subscriptions.deletedLife} = ${workspaces.life} and ${workspaces.desiredState} = 'deleted' and ${workspaces.observedState} = 'deleted'
  then (select json_build_object('madeAt', b.created_at, 'keptUntil', b.kept_until) from backups b
    where b.workspace_id = ${workspaces.id} and b.state = 'successful' and b.kept_until > ${now}::timestamptz
      and (${isOfThisLife(sql`b`)} or ${isWhatItBeganWith(sql`b`)})
    order by ${isOfThisLife(sql`b`)} desc, b.kind = 'before-deletion' desc, b.kind = 'before-restore', b.created_at desc limit 1) end`;

/** Like the first; kept from being removed until the transaction ends, in which `restoreLastBackup` refers to it. */
export async function holdLastBackup(tx: Connection, deleted: DeletedWorkspace, now: Date): Promise<BackupRow | null> {
  for (;;) {
    const found = await findLastBackup(tx, deleted, now);
    // Removed in this moment: there may be an older one.
    const held = found && (await holdBackup(tx, found.id));
    if (held || !found) return held;
  }
}

/** For a workspace that is deleted before it was ever used: what it was to begin with is kept until then, unless it is kept for longer. */
export async function keepWhatItBeganWith(db: Connection, workspaceId: string, until: Date): Promise<void> {
  await db
    .update(backups)
    .set({ keptUntil: sql`greatest(${backups.keptUntil}, ${until.toISOString()}::timestamptz)` })
    .where(
      and(
        eq(backups.workspaceId, workspaceId),
        eq(backups.state, "successful"),
        sql`exists (select from ${workspaces} where ${workspaces.id} = ${workspaceId} and ${isWhatItBeganWith(sql`backups`)})`,
      ),
    );
}

/**
 * In the transaction that began the next workspace: its first start restores the backup. The backup is kept for as long as after the
 * deletion, so that a restore that fails can be repeated. One workspace has one open restore: a second request changes nothing.
 */
export async function restoreLastBackup(
  tx: Connection,
  { id, workspaceId }: Pick<BackupRow, "id" | "workspaceId">,
  { actor, days, now }: { actor: string; days: number; now: Date },
): Promise<void> {
  await keepAtLeast(tx, id, after(now, days * dayMs));
  await insertRestore(tx, { workspaceId, backupId: id, actor }, now);
}
