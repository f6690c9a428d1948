/** The SQL of what customers request. observed/observation-store.ts writes what workers observe. */
import { and, desc, eq, inArray, isNull, lt, not, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Sentence } from "#contract/sentences/say.ts";
import { accounts, hosts, planSpecs, subscriptions, workspaceJournal, workspaces } from "#database/tables.ts";
import { refuseHeld } from "#domain/accounts/suspension-store.ts";
import type { Connection, Database } from "#platform/database.ts";
import { after, minuteMs, mostAheadMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";
import { hostOfNew, isHostHeard } from "./hosts/host-store.ts";
import type { JournalEvent } from "./journal-events.ts";

export type WorkspaceRow = typeof workspaces.$inferSelect;

/**
 * PostgreSQL channel: a workspace changed in a way that matters to workers, gateways or open panels. Payload: `workspaceId accountName`.
 */
export const workspaceChanged = "workspace_changed";

/** Notifies every process of the service, once the transaction commits. */
export async function announceWorkspace(db: Connection, workspaceId: string, accountName: string): Promise<void> {
  await db.execute(sql`select pg_notify(${workspaceChanged}, ${`${workspaceId} ${accountName}`})`);
}

export interface NewWorkspace {
  accountId: string;
  engine: WorkspaceRow["engine"];
  version: string;
  timezone: string;
  memoryMb: number;
  /** Encrypted. */
  secrets: string;
}

/**
 * Requests a running workspace for the account, due immediately. An account has at most one; a second insert returns null. Throws AppError
 * `account_suspended` or `account_closed`.
 */
export async function insertWorkspace(db: Connection, wanted: NewWorkspace, now: Date): Promise<string | null> {
  await refuseHeld(db, wanted.accountId);
  const id = newId(now.getTime());
  const inserted = await db
    .insert(workspaces)
    .values({
      id,
      accountId: wanted.accountId,
      engine: wanted.engine,
      desiredState: "running",
      desiredVersion: wanted.version,
      timezone: wanted.timezone,
      memoryMb: wanted.memoryMb,
      secrets: wanted.secrets,
      host: hostOfNew,
      reconcileAt: now,
      traceparent: currentTraceparent(),
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: workspaces.accountId })
    .returning({ id: workspaces.id });
  return inserted[0]?.id ?? null;
}

/** A second click comes within this time; a later request is for another restart. */
const sameRequestMs = 10 * secondMs;

/** A workspace that keeps failing is started this often at its owner's request; after that, its pauses apply. */
const retryAtMostEveryMs = minuteMs;

/**
 * Requests a restart: the generation grows, and the workspace is due now. The count of failures stays, so that repeated restarts do not get
 * around the pauses: a second restart within a minute, after two failures or more, waits for the current pause. Returns the new row; null
 * without a running workspace, or if a restart requested moments ago is still under way: that one serves both requests. It does not where
 * `mayMerge` is false, for what changed since: the process may have started without it.
 */
export async function requestRestart(
  db: Connection,
  accountId: string,
  now: Date,
  { mayMerge = true }: { mayMerge?: boolean } = {},
): Promise<WorkspaceRow | null> {
  // One that was requested in the future, before a clock was set back, says nothing.
  const isPossible = sql`${workspaces.restartAskedAt} <= ${after(now, mostAheadMs).toISOString()}::timestamptz`;
  const isTooSoon = sql`${workspaces.failures} > 1 and ${workspaces.restartAskedAt} > ${after(now, -retryAtMostEveryMs).toISOString()}::timestamptz and ${isPossible}`;
  // Leaving both times unchanged keeps the pause, whichever worker holds the workspace now.
  const unlessTooSoon = (kept: AnyPgColumn) => sql`case when ${isTooSoon} then ${kept} else ${now.toISOString()}::timestamptz end`;
  const changed = await db
    .update(workspaces)
    .set({
      generation: sql`${workspaces.generation} + 1`,
      restartAskedAt: now,
      reconcileAt: unlessTooSoon(workspaces.reconcileAt),
      traceparent: currentTraceparent(),
      updatedAt: unlessTooSoon(workspaces.updatedAt),
    })
    .where(
      and(
        eq(workspaces.accountId, accountId),
        eq(workspaces.desiredState, "running"),
        mayMerge
          ? or(
              eq(workspaces.observedGeneration, workspaces.generation),
              isNull(workspaces.restartAskedAt),
              lt(workspaces.restartAskedAt, after(now, -sameRequestMs)),
              not(isPossible),
            )
          : undefined,
      ),
    )
    .returning();
  return changed[0] ?? null;
}

/** The account's workspace, or null. */
export async function findWorkspace(db: Connection, accountId: string): Promise<WorkspaceRow | null> {
  const found = await db.select().from(workspaces).where(eq(workspaces.accountId, accountId)).limit(1);
  return found[0] ?? null;
}

export interface RouteFacts {
  workspaceId: string;
  desiredState: WorkspaceRow["desiredState"];
  observedState: WorkspaceRow["observedState"];
  generation: number;
  observedGeneration: number;
  address: string | null;
  gatewayOpen: boolean;
  asleepSince: Date | null;
  coldSince: Date | null;
  /** What it may use while it runs. */
  memoryMb: number;
  /** The host that has it; null: none yet. */
  host: string | null;
  /** Where that host's gateway can be reached; null: unknown. */
  hostAddress: string | null;
  /** The host's worker has sent no recent heartbeat, or an operator declared it dead. */
  isHostSilent: boolean;
  /** How far its start is, from 0 to 100; null while none is under way. */
  progressPercent: number | null;
  reason: string | null;
  /** Of the account's subscription; null: there is none. */
  subscription: "active" | "trialing" | "paused" | "past_due" | "deleted" | null;
  /** Whether the plan that it grants, or granted last, is a trial. */
  isTrial: boolean;
  /** Whether its account is suspended. */
  isSuspended: boolean;
}

/** What the gateway must know of the workspace at this account name; prepared, because it runs for every uncached name. */
export function prepareRouteLookup(db: Database): (accountName: string) => Promise<RouteFacts | null> {
  const query = db
    .select({
      workspaceId: workspaces.id,
      desiredState: workspaces.desiredState,
      observedState: workspaces.observedState,
      generation: workspaces.generation,
      observedGeneration: workspaces.observedGeneration,
      address: workspaces.address,
      gatewayOpen: workspaces.gatewayOpen,
      asleepSince: workspaces.asleepSince,
      coldSince: workspaces.coldSince,
      memoryMb: workspaces.memoryMb,
      host: workspaces.host,
      hostAddress: hosts.address,
      isHostSilent: sql<boolean>`coalesce(not ${isHostHeard}, false)`,
      progressPercent: workspaces.progressPercent,
      reason: workspaces.reason,
      subscription: subscriptions.status,
      isTrial: sql<boolean>`coalesce(${planSpecs.spec}->'metadata'->>'group' = 'trial', false)`,
      isSuspended: sql<boolean>`${accounts.suspendedAt} is not null`,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .leftJoin(hosts, eq(hosts.name, workspaces.host))
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .leftJoin(planSpecs, eq(planSpecs.id, subscriptions.specId))
    .where(eq(accounts.name, sql.placeholder("name")))
    .limit(1)
    .prepare("workspace_route");
  return async (name) => (await query.execute({ name }))[0] ?? null;
}

export interface JournalLine {
  event: JournalEvent;
  /** For the owner. */
  message: Sentence;
  /** May be technical. */
  detail?: string | undefined;
  /** The name of the person who did it; absent if the service did it automatically. */
  actor?: string | undefined;
}

/** Adds an entry to the journal of a workspace. */
export async function writeJournal(
  db: Connection,
  workspaceId: string,
  { event, message, detail, actor }: JournalLine,
  now: Date,
): Promise<void> {
  // 8,000 characters are enough for the end of any useful log.
  await db
    .insert(workspaceJournal)
    .values({ workspaceId, at: now, event, message, detail: detail?.slice(-8000) ?? null, actor: actor ?? null });
}

interface JournalPage {
  most: number;
  /** Only entries older than this id. */
  before?: bigint | undefined;
  /** Only entries with these events. */
  events?: readonly string[] | undefined;
}

/** Journal entries, newest first. */
export async function readJournal(
  db: Connection,
  workspaceId: string,
  { most, before, events }: JournalPage,
): Promise<(typeof workspaceJournal.$inferSelect)[]> {
  return db
    .select()
    .from(workspaceJournal)
    .where(
      and(
        eq(workspaceJournal.workspaceId, workspaceId),
        before === undefined ? undefined : lt(workspaceJournal.id, before),
        events && inArray(workspaceJournal.event, [...events]),
      ),
    )
    .orderBy(desc(workspaceJournal.id))
    .limit(most);
}
