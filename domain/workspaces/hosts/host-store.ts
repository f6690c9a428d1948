/** The SQL of hosts: which there are, which of them are alive, and where a new workspace goes. docs/decisions/0147-several-hosts.md */
import { and, asc, count, eq, inArray, isNull, ne, not, notInArray, sql } from "drizzle-orm";
import { accounts, hosts, workKind, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { isFree } from "#platform/postgres/claim-rows.ts";
import { isThere } from "../observed/fleet-store.ts";
import { mainHost } from "./host-names.ts";
import { isKept } from "./kept.ts";

type HostRow = typeof hosts.$inferSelect;

/** Four missed heartbeats. A restart of its worker takes less. */
const silentAfterSeconds = 20;

/** A condition on a row of `hosts`. */
export const isHostHeard = sql`(${hosts.lostAt} is null and ${hosts.seenAt} > clock_timestamp() - make_interval(secs => ${sql.raw(String(silentAfterSeconds))}))`;

/** A condition on a row of `hosts`: it may get workspaces. */
export const isHostOpen = sql`(${isHostHeard} and ${hosts.drainingSince} is null)`;

/**
 * The host of a new workspace if there is only one, even if that is silent; null if there are several, which are compared when the
 * workspace is due.
 */
export const hostOfNew = sql<string | null>`(select case
    when count(*) = 0 then ${sql.raw(`'${mainHost}'`)}
    when count(*) filter (where lost_at is null and draining_since is null) = 1 then min(name) filter (where lost_at is null and draining_since is null) end
  from hosts)`;

/** What a host's worker reports about it. */
export interface HostState {
  name: string;
  /** `host:port` of its gateway; null: gateways of other hosts cannot reach it. */
  address: string | null;
  /** Memory that is free or can be freed without paging out, in MB. */
  freeMb: number;
}

/** What the host's worker is told at each heartbeat. */
export interface Heartbeat {
  /** Hosts of the service, this one included. */
  hosts: number;
  isDraining: boolean;
  /** Whether workspaces wait for a host. */
  hasUnplaced: boolean;
  /** Other hosts without a recent heartbeat, in order. */
  silent: string[];
}

/**
 * Records a heartbeat of the worker. The host's free memory is what the worker measured, minus that of workspaces placed there and not
 * started yet. Null once an operator has declared the host dead: then its worker must end, and join again before it does anything.
 */
export async function beatHost(db: Connection, { name, address, freeMb }: HostState): Promise<Heartbeat | null> {
  const starting = sql`(select coalesce(sum(memory_mb), 0) from workspaces
    where host = ${name} and ${workKind} = 'start' and reconcile_at is not null)`;
  const beaten = await db
    .update(hosts)
    .set({ address, freeMb: sql`${freeMb}::int - ${starting}`, seenAt: sql`clock_timestamp()` })
    .where(and(eq(hosts.name, name), isNull(hosts.lostAt)))
    .returning({
      isDraining: sql<boolean>`${hosts.drainingSince} is not null`,
      hosts: sql<number>`(select count(*)::int from hosts)`,
      silent: sql<string[]>`(select coalesce(json_agg(other.name order by other.name), '[]') from hosts other
        where other.name <> ${name} and other.seen_at <= clock_timestamp() - make_interval(secs => ${silentAfterSeconds}))`,
      hasUnplaced: sql<boolean>`exists (select from workspaces where host is null and reconcile_at is not null)`,
    });
  return beaten[0] ?? null;
}

/**
 * Assigns to this host the workspace that has waited longest for one, if this host has the most free memory of all that are alive. One at a
 * time, because another host may have more afterwards. False if no workspace waits, or it is another host's turn.
 */
export async function placeNext(db: Connection, host: string, now: Date): Promise<boolean> {
  // Not by `claimRows`, because the host's free memory is part of the decision and of what changes.
  const placed = await db.execute(sql`
    with best as (select name from hosts where ${isHostOpen} order by free_mb desc, name limit 1),
    chosen as (
      select id from workspaces
      where host is null and reconcile_at <= ${now.toISOString()}::timestamptz
        and ${isFree(workspaces.leaseUntil)} and (select name from best) = ${host}
      order by reconcile_at limit 1 for no key update skip locked),
    placed as (update workspaces set host = ${host}, lost_from = null from chosen where workspaces.id = chosen.id returning workspaces.memory_mb)
    update hosts set free_mb = free_mb - placed.memory_mb from placed where hosts.name = ${host} returning hosts.name`);
  return placed.rows.length > 0;
}

/** Which of these ids are workspaces of another host, or of none yet. */
export async function listElsewhere(db: Connection, ids: readonly string[], host: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(inArray(workspaces.id, [...ids]), sql`${workspaces.host} is distinct from ${host}`, not(isKept)));
  return found.map(({ id }) => id);
}

/** A host and what runs on it. */
export interface HostView extends HostRow {
  isHeard: boolean;
  /** Seconds since its worker's last heartbeat, by the database's clock. */
  silentSeconds: number;
  /** Workspaces on it, except those deleted completely. */
  workspaces: number;
  /** Of these, those that a visitor can reach now, or wakes. */
  online: number;
  /** Of these, those that are not started because their files are missing. */
  withoutFiles: number;
}

const lacksFiles = sql`${workspaces.reasonCode} = 'files-missing'`;

/** The accounts whose workspaces are assigned to this host but have no files on it, by name. */
export async function listWithoutFiles(db: Connection, host: string): Promise<string[]> {
  const found = await db
    .select({ accountName: accounts.name })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(and(eq(workspaces.host, host), isThere, lacksFiles))
    .orderBy(asc(accounts.name));
  return found.map(({ accountName }) => accountName);
}

/** All hosts, by name. Reads every workspace: for operators and scrapes, not for requests. */
export async function listHosts(db: Connection): Promise<HostView[]> {
  const counted = await db
    .select({
      host: workspaces.host,
      all: count(),
      online: sql<number>`(count(*) filter (where ${workspaces.observedState} = 'online'))::int`,
      withoutFiles: sql<number>`(count(*) filter (where ${lacksFiles}))::int`,
    })
    .from(workspaces)
    .where(isThere)
    .groupBy(workspaces.host);
  const byHost = new Map(counted.map((each) => [each.host, each]));
  const rows = await db
    .select({
      host: hosts,
      isHeard: sql<boolean>`${isHostHeard}`,
      silentSeconds: sql<number>`extract(epoch from clock_timestamp() - ${hosts.seenAt})::float8`,
    })
    .from(hosts)
    .orderBy(asc(hosts.name));
  return rows.map(({ host, ...heard }) => {
    const { all: there = 0, online = 0, withoutFiles = 0 } = byHost.get(host.name) ?? {};
    return { ...host, ...heard, workspaces: there, online, withoutFiles };
  });
}

/** Starts or stops moving the host's workspaces to others. False if there is no such host, or it was declared dead. */
export async function setDraining(db: Connection, name: string, isDraining: boolean): Promise<boolean> {
  const set = await db
    .update(hosts)
    .set({ drainingSince: isDraining ? sql`coalesce(${hosts.drainingSince}, clock_timestamp())` : null })
    .where(and(eq(hosts.name, name), isNull(hosts.lostAt)))
    .returning({ name: hosts.name });
  return set.length > 0;
}

/** The workspaces of this host to move next, least recently used first, without those that are being deleted anyway. */
export async function listToMove(
  db: Connection,
  host: string,
  { most, except }: { most: number; except: readonly string[] },
): Promise<string[]> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.host, host), ne(workspaces.desiredState, "deleted"), notInArray(workspaces.id, [...except])))
    .orderBy(sql`${workspaces.usedAt} nulls first`, workspaces.id)
    .limit(most);
  return found.map(({ id }) => id);
}

/** Those of the given workspaces that this host still has, without those that are being deleted. */
export async function listStillToMove(db: Connection, host: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(inArray(workspaces.id, [...ids]), eq(workspaces.host, host), ne(workspaces.desiredState, "deleted")));
  return found.map(({ id }) => id);
}

/** Makes a workspace of this host due, to be moved. */
export async function makeMoveDue(db: Connection, id: string, host: string, now: Date): Promise<void> {
  await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(and(eq(workspaces.id, id), eq(workspaces.host, host)));
}

/**
 * Call it in the transaction that records that the workspace has left its host: any host may take it now, and the old worker's lease ends.
 */
export async function leaveToOthers(tx: Connection, id: string, now: Date): Promise<void> {
  await tx.update(workspaces).set({ leaseOwner: null, leaseUntil: null, reconcileAt: now }).where(eq(workspaces.id, id));
}
