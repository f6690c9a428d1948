/**
 * What hosts have that a restored database does not explain. The database is older than its hosts: a workspace may have been made, moved,
 * deleted or given another owner since. Each worker compares what it has with the rows once after a restore, before it touches anything.
 * What the rows would end, replace or start twice is kept as it is, running or not, until a person decides. Decision 0239.
 */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { accounts, blanks, restores, serviceState, workspaces, workspaceUpdates } from "#database/tables.ts";
import { refuseHeld } from "#domain/accounts/suspension-store.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { readState, writeState } from "#platform/postgres/service-state.ts";
import { lockedInOrder } from "../in-order.ts";
import { dueNow } from "../observed/due-store.ts";
import { endReasons } from "../stories/stories.ts";
import { isKept, keptLease } from "./kept.ts";

/** What a worker knows of its host before it does anything. */
export interface HostContents {
  /** Ids of the workspaces whose files it has; absent if it cannot tell: any may be there. */
  stored?: readonly string[] | undefined;
  running: readonly string[];
  /** Numbers of the workspaces whose files it has, by id. */
  numbers: ReadonlyMap<string, number>;
}

/** Why a workspace is kept, beside the row's own state. */
const reasons = {
  unknown: "no workspace of this database: it was launched after the dump, or was kept ready for a launch",
  deleted: "deleted, or being deleted, when the dump was made: it may have been created again since",
  elsewhere: "runs here, but was on another host when the dump was made",
  arriving: "its files were being replaced by a backup when the dump was made",
  blank: "was being launched when the dump was made",
  changing: "a restore or a change of version was under way when the dump was made",
} as const;

export type FoundReason = keyof typeof reasons;
export const foundWords: Readonly<Record<FoundReason, string>> = reasons;

interface Found {
  reason: FoundReason;
  isRunning: boolean;
}

/** By host. `restore` is the restore that it was compared for. */
interface HostFindings {
  restore: string;
  found: Record<string, Found>;
}

const restoredKey = "restored";
const findingsPrefix = "found on ";

/** The restore of the database. `at`: by the clock of the program that noted it; absent in one that an earlier release noted. */
interface NotedRestore {
  id: string;
  at?: string;
}

/**
 * The database was restored at `now`: every host compares what it has with it at the next start of its worker. An instance that was ready
 * for a launch may be a customer's by now, so none is handed out or removed any more.
 */
export async function noteRestored(db: Connection, now: Date): Promise<void> {
  await writeState(db, restoredKey, { id: newId(), at: now.toISOString() } satisfies NotedRestore);
  // A dump of an early release has none.
  const { rows } = await db.execute<{ exists: boolean }>(sql`select to_regclass('blanks') is not null as exists`);
  if (rows[0]?.exists) await db.delete(blanks);
}

/** The id of the newest restore; null: the database was never restored, or by a tool that notes nothing. */
export const readRestore = async (db: Connection): Promise<string | null> =>
  ((await readState(db, restoredKey)) as NotedRestore | undefined)?.id ?? null;

/** In the transaction in which the host joins. Once for each restore and host; returns what is kept now. */
export async function keepFound(tx: Connection, host: string, { stored, running }: HostContents): Promise<Record<string, Found>> {
  const restored = (await readState(tx, restoredKey)) as NotedRestore | undefined;
  if (restored === undefined) return {};
  const before = (await readState(tx, findingsPrefix + host)) as HostFindings | undefined;
  if (before?.restore === restored.id) return before.found;
  const here = [...new Set([...(stored ?? []), ...running])];
  const found: Record<string, Found> = {};
  for (const { id, reason } of await explain(tx, { host, here: stored ? here : null, running, at: restored.at }))
    found[id] = { reason, isRunning: running.includes(id) };
  const known = here.length === 0 ? [] : await tx.select({ id: workspaces.id }).from(workspaces).where(inArray(workspaces.id, here));
  for (const id of here) if (!known.some((row) => row.id === id)) found[id] = { reason: "unknown", isRunning: running.includes(id) };
  const kept = Object.keys(found);
  if (kept.length > 0)
    await tx
      .update(workspaces)
      .set(keptLease)
      .where(inArray(workspaces.id, lockedInOrder(tx, inArray(workspaces.id, kept))));
  await writeState(tx, findingsPrefix + host, { restore: restored.id, found } satisfies HostFindings);
  return found;
}

interface Comparison {
  host: string;
  /** Null: the host cannot tell what it stores, and any workspace of it may be there. */
  here: readonly string[] | null;
  running: readonly string[];
  /** When the database was restored; undefined: not known. */
  at: string | undefined;
}

/** Rows whose next step would end, replace or start twice what the host has. */
async function explain(tx: Connection, { host, here, running, at }: Comparison) {
  // What was requested after the restore of the database is not from the dump, such as restores of workspaces whose server is lost.
  const isOpen = (table: typeof restores | typeof workspaceUpdates, begunAt: PgColumn) => sql`exists (select from ${table}
    where ${table.workspaceId} = ${workspaces.id} and ${table.finishedAt} is null
      and ${at === undefined ? sql`true` : sql`${begunAt} <= ${at}::timestamptz`})`;
  const isRunningHere = running.length === 0 ? sql`false` : inArray(workspaces.id, [...running]);
  // A host that cannot tell what it stores would list every account that ever deleted its workspace, and after the loss of a server every
  // workspace that is being restored. There, only what runs speaks for a later one.
  const mayBeGone = here === null ? sql`(${workspaces.observedState} <> 'deleted' or ${isRunningHere})` : sql`true`;
  const mayBeChanged = here === null ? isRunningHere : sql`true`;
  const reason = sql<FoundReason | null>`case
    when ${isRunningHere} and ${workspaces.host} is distinct from ${host} then 'elsewhere'
    when ${workspaces.desiredState} = 'deleted' and ${mayBeGone} then 'deleted'
    when not ${mayBeChanged} then null
    when ${workspaces.arriving} is not null then 'arriving'
    when ${workspaces.blank} is not null then 'blank'
    when ${isOpen(restores, restores.createdAt)} or ${isOpen(workspaceUpdates, workspaceUpdates.startedAt)} then 'changing' end`;
  const isOfHostOrRuns = sql`(${workspaces.host} = ${host} or ${isRunningHere})`;
  const isHere = here === null ? isOfHostOrRuns : here.length === 0 ? sql`false` : inArray(workspaces.id, [...here]);
  const rows = await tx
    .select({ id: workspaces.id, reason })
    .from(workspaces)
    .where(and(isHere, sql`${reason} is not null`));
  return rows.map(({ id, reason: why }) => ({ id, reason: why! }));
}

/**
 * Moves the numbers past those that hosts have already given to workspaces, by taking numbers, so that it never goes back. A workspace
 * that got such a number between the restore and this, and has never started, gets another one.
 */
export async function passNumbers(tx: Connection, { numbers }: HostContents): Promise<void> {
  const sequence = sql`pg_get_serial_sequence('workspaces', 'number')`;
  const highest = Math.max(0, ...numbers.values());
  await tx.execute(sql`select count(nextval(${sequence})) from generate_series(
    (select coalesce(pg_sequence_last_value(${sequence}::regclass), 0)) + 1, ${highest}::bigint)`);
  const taken = [...numbers].map(([id, number]) => sql`(${id}::uuid, ${number}::bigint)`);
  if (taken.length === 0) return;
  await tx.execute(sql`update workspaces set number = nextval(${sequence}) from (values ${sql.join(taken, sql`, `)}) as taken (id, number)
    where workspaces.number = taken.number and workspaces.id <> taken.id and workspaces.observed_version is null and workspaces.address is null
      and not exists (select from (values ${sql.join(taken, sql`, `)}) as here (id, number) where here.id = workspaces.id)`);
}

export interface FoundWorkspace extends Found {
  id: string;
  host: string;
  /** Null: no account of this database has it. */
  account: { id: string; name: string } | null;
}

/** Everything that waits for a person, by host and account. */
export async function listFound(db: Connection): Promise<FoundWorkspace[]> {
  const states = await db
    .select({ key: serviceState.key, value: serviceState.value })
    .from(serviceState)
    .where(sql`starts_with(${serviceState.key}, ${findingsPrefix})`)
    .orderBy(serviceState.key);
  const all = states.flatMap(({ key, value }) =>
    Object.entries((value as HostFindings).found).map(([id, found]) => ({ id, host: key.slice(findingsPrefix.length), ...found })),
  );
  if (all.length === 0) return [];
  const named = await db
    .select({ id: workspaces.id, account: { id: accounts.id, name: accounts.name } })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(
      inArray(
        workspaces.id,
        all.map(({ id }) => id),
      ),
    );
  const accountOf = new Map(named.map(({ id, account }) => [id, account]));
  return all.map((found) => ({ ...found, account: accountOf.get(found.id) ?? null }));
}

/**
 * A person has decided: `row`: the database is right, and what the row says is done next. `host`: what the host has is right; the workspace
 * runs there with it, also one that was deleted, and what was open is over. `listed`: it stays as it is and leaves the list, such as a
 * workspace of no account. In the caller's transaction. False if nothing is kept under this id. Throws AppError `account_suspended` or
 * `account_closed` for `host`: what holds an account keeps its workspace from running, and one that ran would keep an account from being
 * erased.
 */
export async function settleFound(
  tx: Connection,
  { id, host }: Pick<FoundWorkspace, "id" | "host">,
  right: "row" | "host" | "listed",
  now: Date,
): Promise<boolean> {
  if (right === "host") {
    const [workspace] = await tx.select({ accountId: workspaces.accountId }).from(workspaces).where(eq(workspaces.id, id));
    if (!workspace) return false;
    // Before anything else is locked: a suspension and a closing lock the account before its workspace, too.
    await refuseHeld(tx, workspace.accountId);
  }
  const key = findingsPrefix + host;
  const [state] = await tx.select({ value: serviceState.value }).from(serviceState).where(eq(serviceState.key, key)).for("update");
  const findings = state?.value as HostFindings | undefined;
  if (!findings?.found[id]) return false;
  const { [id]: _settled, ...found } = findings.found;
  await writeState(tx, key, { ...findings, found } satisfies HostFindings);
  if (right === "listed") return true;
  if (right === "host") {
    const ended = { state: "failed", reason: endReasons.overruled, finishedAt: now } as const;
    for (const table of [restores, workspaceUpdates])
      await tx
        .update(table)
        .set(ended)
        .where(and(eq(table.workspaceId, id), sql`${table.finishedAt} is null`));
    const wasDeleted = sql`${workspaces.desiredState} = 'deleted'`;
    await tx
      .update(workspaces)
      .set({
        life: sql`${workspaces.life} + case when ${wasDeleted} then 1 else 0 end`,
        desiredState: sql`case when ${wasDeleted} then 'running' else ${workspaces.desiredState} end`,
        // Nothing holds the account.
        resumesAs: null,
        host,
        lostFrom: null,
        arriving: null,
        blank: null,
        observedState: sql`case when ${wasDeleted} then 'starting' else ${workspaces.observedState} end`,
        observedVersion: sql`coalesce(${workspaces.observedVersion}, ${workspaces.desiredVersion})`,
        ownerSetUpAt: sql`coalesce(${workspaces.ownerSetUpAt}, ${now.toISOString()}::timestamptz)`,
        generation: sql`${workspaces.generation} + 1`,
        address: null,
        gatewayOpen: false,
      })
      .where(eq(workspaces.id, id));
  }
  // Another host may have found it, too.
  const others = (await listFound(tx)).some((each) => each.id === id);
  if (!others)
    await tx
      .update(workspaces)
      .set({ leaseOwner: null, leaseUntil: null, failures: 0, ...dueNow(now) })
      .where(and(eq(workspaces.id, id), isKept));
  return true;
}
