/**
 * Takes workspaces from a host that an operator declared dead, each in a separate transaction. From then on the host's worker can neither
 * claim nor start it; a live host takes it and restores its newest backup (apps/provisioner/reconcile/steps/arrive.ts).
 */
import { and, asc, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import { accounts, blanks, hosts, restores, workspaces } from "#database/tables.ts";
import { nothingArrives } from "#domain/workspaces/hosts/host-names.ts";
import { isHostHeard } from "#domain/workspaces/hosts/host-store.ts";
import { isThere } from "#domain/workspaces/observed/fleet-store.ts";
import { neverSetUp } from "#domain/workspaces/observed/never-set-up.ts";
import { announceWorkspace, writeJournal, type WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import type { Connection, Database } from "#platform/database.ts";
import { isOfThisLife } from "../backup-store.ts";
import { holdBackup } from "../expired-backup-store.ts";

/** `no backup`: it stays where it is, because there is nothing to restore. `not there`: it was moved, or the host has come back. */
type Restored = { outcome: "restored"; backupAt: Date | null } | { outcome: "no backup" | "not there" };

/** A workspace of a host, for an operator. */
export interface HostedWorkspace {
  id: string;
  accountName: string;
  desiredState: WorkspaceRow["desiredState"];
  /** Whether it contains anything that could be lost. */
  isInUse: boolean;
  /** When its newest backup was begun; null: it has none. */
  backupAt: Date | null;
}

/** The numbers of a version, which PostgreSQL compares one by one. */
const numbersOf = (version: SQL): SQL => sql`string_to_array(substring(${version} from '^[0-9]+(?:[.][0-9]+)*'), '.')::int[]`;

/**
 * The backup to restore: the newest that its release can open, of what its owner last accepted. Others are taken only if there is none: one
 * of a newer release is from before the owner rolled back to this one, and one from before the owner's last restore has what that restore
 * replaced.
 */
const newest = sql`from backups b
  left join lateral (select r.backup_id, r.placed_at from restores r
    where r.workspace_id = workspaces.id and r.life = workspaces.life and r.state = 'successful'
    order by r.placed_at desc nulls last limit 1) accepted on true
  where b.workspace_id = workspaces.id and b.state = 'successful' and ${isOfThisLife(sql`b`)}
  order by coalesce(${numbersOf(sql`b.engine_version`)} > ${numbersOf(sql`workspaces.desired_version`)}, false),
    coalesce(b.created_at < accepted.placed_at and b.id <> accepted.backup_id, false), b.created_at desc limit 1`;

const newestOf = sql<Date | null>`(select b.created_at ${newest})`.mapWith((value: string | Date) => new Date(value));

/** Workspaces of this host that still have something there, by account name. */
export async function listHosted(db: Connection, host: string): Promise<HostedWorkspace[]> {
  return db
    .select({
      id: workspaces.id,
      accountName: accounts.name,
      desiredState: workspaces.desiredState,
      isInUse: sql<boolean>`${workspaces.ownerSetUpAt} is not null`,
      backupAt: newestOf,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(and(eq(workspaces.host, host), isThere))
    .orderBy(asc(accounts.name));
}

/** A workspace whose files are lost, with the backup that would replace them. */
export interface LostWorkspace {
  accountId: string;
  accountName: string;
  host: string;
  /** `files-missing`: a worker has found none. `host-silent`: its host sends no heartbeat, so its server is lost, or only stopped. */
  reason: "files-missing" | "host-silent";
  /** When its host sent its last heartbeat; null: it never did. */
  seenAt: Date | null;
  /** Null: it has no backup. */
  backup: { id: string; createdAt: Date } | null;
}

const lacksFiles = sql`coalesce(${workspaces.reasonCode} = 'files-missing', false)`;
const isSilent = sql`not coalesce(${isHostHeard}, false)`;

/** On workspaces with their hosts: it was used, should run, has no open restore, and this condition says that its files are lost. */
const isLost = (proof: SQL) =>
  and(
    eq(workspaces.desiredState, "running"),
    isNotNull(workspaces.ownerSetUpAt),
    // Without a host, it waits for one to take it, which brings its files.
    isNotNull(workspaces.host),
    proof,
    sql`not exists (select from ${restores} where ${restores.workspaceId} = ${workspaces.id} and ${restores.finishedAt} is null)`,
  );

/**
 * Workspaces whose files are missing: a worker has found none, or, for the time before a worker runs on the new machine, their host sends no
 * heartbeat. By account name.
 */
export async function listLost(db: Connection): Promise<LostWorkspace[]> {
  const rows = await db
    .select({
      accountId: workspaces.accountId,
      accountName: accounts.name,
      host: workspaces.host,
      lacksFiles: sql<boolean>`${lacksFiles}`,
      seenAt: hosts.seenAt,
      backupId: sql<string | null>`(select b.id ${newest})`,
      backupAt: newestOf,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .leftJoin(hosts, eq(hosts.name, workspaces.host))
    .where(isLost(sql`(${lacksFiles} or ${isSilent})`))
    .orderBy(asc(accounts.name));
  return rows.map(({ accountId, accountName, host, lacksFiles: isWithout, seenAt, backupId, backupAt }) => ({
    accountId,
    accountName,
    host: host!,
    reason: isWithout ? "files-missing" : "host-silent",
    seenAt,
    backup: backupId && backupAt ? { id: backupId, createdAt: backupAt } : null,
  }));
}

/** Thrown inside the transaction that would restore a workspace that is not lost any more, so that all of it is undone. */
export class NotLost extends Error {
  override readonly name = "NotLost";
}

/** What an operator saw of a lost workspace. */
export type LostAs = Pick<LostWorkspace, "host" | "reason">;

/** Keeps the host from joining until the transaction ends. To be called before anything else is locked. */
export async function lockLostHost(tx: Connection, { host }: LostAs): Promise<void> {
  await tx.select({ name: hosts.name }).from(hosts).where(eq(hosts.name, host)).for("share");
}

/** Throws NotLost unless the account's workspace is still lost for the same reason. The caller has locked it, and its host with `lockLostHost`. */
export async function refuseFound(tx: Connection, accountId: string, { host, reason }: LostAs): Promise<void> {
  const [lost] = await tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .leftJoin(hosts, eq(hosts.name, workspaces.host))
    .where(and(eq(workspaces.accountId, accountId), eq(workspaces.host, host), isLost(reason === "files-missing" ? lacksFiles : isSilent)));
  if (!lost) throw new NotLost("it is not lost any more: its files or its host are back, or it was changed");
}

/**
 * Declares the host dead, unless it has sent a heartbeat recently: then false, and nothing is changed. Its blanks can't be taken any more;
 * its worker deletes them if it returns.
 */
export async function declareLost(db: Database, name: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const lost = await tx
      .update(hosts)
      .set({ lostAt: sql`coalesce(${hosts.lostAt}, clock_timestamp())` })
      .where(and(eq(hosts.name, name), sql`not ${isHostHeard}`))
      .returning({ name: hosts.name });
    if (lost.length === 0) return false;
    await tx.update(blanks).set({ state: "leaving", leaseOwner: null, leaseUntil: null }).where(eq(blanks.host, name));
    return true;
  });
}

/** Restores one workspace of a dead host elsewhere, from its newest backup; one that was never used starts from scratch. */
export async function restoreElsewhere(db: Database, { id, host }: { id: string; host: string }, now: Date): Promise<Restored> {
  return db.transaction(async (tx) => {
    // The host's return waits for this transaction, or is seen by it.
    const [dead] = await tx.select({ lostAt: hosts.lostAt }).from(hosts).where(eq(hosts.name, host)).for("share");
    if (!dead?.lostAt) return { outcome: "not there" };
    const [workspace] = await tx
      .select()
      .from(workspaces)
      .where(and(eq(workspaces.id, id), eq(workspaces.host, host)))
      .for("update");
    if (!workspace) return { outcome: "not there" };
    // Also for one that is being deleted: it has the last data that its owner may want, and the owner may want it back until it is gone.
    const backup = workspace.ownerSetUpAt ? await holdNewest(tx, workspace) : null;
    const isKept = workspace.desiredState !== "deleted";
    if (workspace.ownerSetUpAt && isKept && !backup) return { outcome: "no backup" };
    await leaveDead(tx, workspace, backup?.id ?? nothingArrives, now);
    const message =
      backup && isKept ? say("hostLostRestored", { time: asMinute(backup.createdAt) }) : say(isKept ? "hostLost" : "hostLostDeleting");
    await writeJournal(tx, id, { event: "host-lost", message, detail: `host ${host}` }, now);
    const [account] = await tx.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, workspace.accountId));
    await announceWorkspace(tx, id, account!.name);
    return { outcome: "restored", backupAt: (isKept && backup?.createdAt) || null };
  });
}

/** Removes the host once none of its workspaces is left there. A worker that returns under its name joins as a new one. */
export async function forgetLostHost(db: Connection, name: string): Promise<boolean> {
  const isEmpty = sql`not exists (select from ${workspaces} where ${workspaces.host} = ${hosts.name} and ${isThere})`;
  const forgotten = await db
    .delete(hosts)
    .where(and(eq(hosts.name, name), isNotNull(hosts.lostAt), isEmpty))
    .returning({ name: hosts.name });
  return forgotten.length > 0;
}

/** Locked until the transaction has referenced it. */
async function holdNewest(tx: Connection, { id }: WorkspaceRow) {
  const [found] = await tx
    .select({ id: sql<string | null>`(select b.id ${newest})` })
    .from(workspaces)
    .where(eq(workspaces.id, id));
  return found?.id ? holdBackup(tx, found.id) : null;
}

/** The row of a workspace that runs nowhere and has no files: the worker that held it has lost it. */
async function leaveDead(tx: Connection, workspace: WorkspaceRow, arriving: string, now: Date): Promise<void> {
  const { id, desiredState, observedState } = workspace;
  await tx
    .update(workspaces)
    .set({
      host: null,
      // Files that had not arrived there yet, or are the remains of a restore, are not worth coming back for.
      lostFrom: workspace.arriving === null ? workspace.host : null,
      arriving,
      ...ranNowhere,
      ...(arriving === nothingArrives && neverSetUp),
      observedState: desiredState === "running" ? "starting" : observedState,
      reconcileAt: now,
      updatedAt: now,
    })
    .where(eq(workspaces.id, id));
  // Its files were in place only on the dead host.
  await tx
    .update(restores)
    .set({ placedAt: null, state: "waiting" })
    .where(and(eq(restores.workspaceId, id), isNull(restores.finishedAt)));
}

const ranNowhere = {
  leaseOwner: null,
  leaseUntil: null,
  blank: null,
  address: null,
  startedAt: null,
  gatewayOpen: false,
  runningMemoryMb: null,
  asleepSince: null,
  coldSince: null,
  sleepUntil: null,
  asleepRevision: null,
  wakeAskedAt: null,
  unhealthySince: null,
  failures: 0,
  reason: null,
  reasonCode: null,
  progressStep: null,
  progressLabel: null,
  progressPercent: null,
} as const satisfies Partial<WorkspaceRow>;

const asMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
