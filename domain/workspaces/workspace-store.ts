/** The SQL of what customers asked for. What workers observe is written by observation-store.ts. */
import { and, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { accounts, planSpecs, subscriptions, workspaceJournal, workspaces } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import type { JournalEvent } from "./journal-events.ts";
import type { WorkspaceRow } from "./workspace-row.ts";

/** PostgreSQL channel: a workspace changed in a way that workers, gateways or watching panels care about. Payload: `workspaceId accountName`. */
export const workspaceChanged = "workspace_changed";

/** Tells every process of the service, once the transaction commits. */
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

/** Records that the account wants a running workspace, due at once. An account has at most one; a second insert returns null. */
export async function insertWorkspace(db: Connection, wanted: NewWorkspace, now: Date): Promise<string | null> {
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
      reconcileAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: workspaces.accountId })
    .returning({ id: workspaces.id });
  return inserted[0]?.id ?? null;
}

/** A second click comes within this time; whoever asks later wants another restart. */
const sameRequestMs = 10 * secondMs;

/** A workspace that fails again and again is started this often on its owner's word; beyond that it keeps its pauses. */
const retryAtMostEveryMs = minuteMs;

/**
 * Asks for a restart: the generation grows, and a worker looks now. The count of failures stays, so that a loop of restarts is no way
 * around the pauses: a second one within a minute, after two failures or more, waits for the pause under way. Returns the new row; null without a running workspace,
 * and where one was asked for moments ago and is still under way: that one is the restart.
 */
export async function requestRestart(db: Connection, accountId: string, now: Date): Promise<WorkspaceRow | null> {
  const isTooSoon = sql`${workspaces.failures} > 1 and ${workspaces.restartAskedAt} > ${after(now, -retryAtMostEveryMs).toISOString()}::timestamptz`;
  // What changes neither time does not end the pause, whoever holds the workspace now.
  const unlessTooSoon = (kept: AnyPgColumn) => sql`case when ${isTooSoon} then ${kept} else ${now.toISOString()}::timestamptz end`;
  const changed = await db
    .update(workspaces)
    .set({
      generation: sql`${workspaces.generation} + 1`,
      restartAskedAt: now,
      reconcileAt: unlessTooSoon(workspaces.reconcileAt),
      updatedAt: unlessTooSoon(workspaces.updatedAt),
    })
    .where(
      and(
        eq(workspaces.accountId, accountId),
        eq(workspaces.desiredState, "running"),
        or(
          eq(workspaces.observedGeneration, workspaces.generation),
          isNull(workspaces.restartAskedAt),
          lt(workspaces.restartAskedAt, after(now, -sameRequestMs)),
        ),
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
  reason: string | null;
  /** Of the account's subscription; null: there is none. */
  subscription: "active" | "trialing" | "paused" | "past_due" | "deleted" | null;
  /** Whether what it grants, or granted last, is a trial. */
  isTrial: boolean;
}

/** What the gateway must know of the workspace at this account name; prepared, because every cold name asks. */
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
      reason: workspaces.reason,
      subscription: subscriptions.status,
      isTrial: sql<boolean>`coalesce(${planSpecs.spec}->'metadata'->>'group' = 'trial', false)`,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
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
  message: string;
  /** May be technical. */
  detail?: string | undefined;
  /** Who did it, by name; nobody where the service did it by itself. */
  actor?: string | undefined;
}

/** Adds a line to the journal of a workspace. */
export async function writeJournal(
  db: Connection,
  workspaceId: string,
  { event, message, detail, actor }: JournalLine,
  now: Date,
): Promise<void> {
  // 8,000 characters hold the end of any log worth reading.
  await db
    .insert(workspaceJournal)
    .values({ workspaceId, at: now, event, message, detail: detail?.slice(-8000) ?? null, actor: actor ?? null });
}

export interface JournalPage {
  most: number;
  /** Only lines older than the one of this id. */
  before?: bigint | undefined;
  /** Only lines of these events. */
  events?: readonly string[] | undefined;
}

/** Journal lines, newest first. */
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
