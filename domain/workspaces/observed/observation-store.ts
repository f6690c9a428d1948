/** The SQL of a reconcile pass: what it reads of a workspace that its worker holds, and what it writes. */
import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Language } from "#contract/accounts/language.ts";
import type { KeepingPlan } from "#contract/workspaces/kept-executions.ts";
import type { Sentence } from "#contract/sentences/say.ts";
import { accounts, planSpecs, subscriptions, users, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { mainHost } from "../hosts/host-names.ts";
import type { WorkspaceRow } from "../workspace-store.ts";
import { lockedInOrder } from "../in-order.ts";
import { workspaceChanged } from "../workspace-store.ts";
import { leaveStopped } from "./sleep-store.ts";

/** A workspace with the facts about its account that its steps need. */
export interface HeldWorkspace extends WorkspaceRow {
  accountName: string;
  ownerEmail: string;
  ownerFullName: string;
  /** Null: none was chosen. */
  ownerLanguage: Language | null;
  /** The one chosen for the panel, otherwise the workspace's. */
  ownerTimezone: string;
  ownerConfirmed: boolean;
  /** When the account's answers or apps last changed. */
  profileChangedAt: Date | null;
  /** How long the plan keeps executions; null without a plan. */
  executionsMaxAgeHours: number | null;
  /** The whole spec of the plan, of which these parts are read; null without a plan. */
  planFeatures:
    | (KeepingPlan & { enabledFeatures: string[]; n8nLicense?: boolean; sleepAfterMinutes?: number; stopAfterMinutes?: number })
    | null;
}

/** The workspace as it is now, if `worker` holds it. */
export async function readHeld(db: Connection, id: string, worker: string): Promise<HeldWorkspace | null> {
  const found = await db
    .select({
      workspace: workspaces,
      accountName: accounts.name,
      ownerEmail: users.email,
      ownerFullName: users.fullName,
      ownerLanguage: users.language,
      ownerTimezone: sql<string>`coalesce(${users.displayTimezone}, ${workspaces.timezone})`,
      ownerConfirmedAt: users.confirmedAt,
      profileChangedAt: accounts.profileChangedAt,
      executionsMaxAgeHours: sql<number | null>`(${planSpecs.spec}->>'pruneExecutionsInterval')::int`,
      planFeatures: planSpecs.spec,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .innerJoin(users, eq(users.accountId, accounts.id))
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .leftJoin(planSpecs, eq(planSpecs.id, subscriptions.specId))
    .where(and(eq(workspaces.id, id), eq(workspaces.leaseOwner, worker)))
    .orderBy(users.createdAt)
    .limit(1);
  const row = found[0];
  if (!row) return null;
  const { workspace, ownerConfirmedAt, planFeatures, ...account } = row;
  return {
    ...workspace,
    ...account,
    planFeatures: planFeatures as HeldWorkspace["planFeatures"],
    ownerConfirmed: ownerConfirmedAt !== null,
  };
}

/** The account's owner, as needed for their confirmation mail; null if the account has none. */
export async function readOwner(db: Connection, accountId: string) {
  const { id: userId, email, fullName, language, confirmedAt } = users;
  const [owner] = await db
    .select({ userId, accountId: users.accountId, email, fullName, language, confirmedAt })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(users.createdAt)
    .limit(1);
  return owner ?? null;
}

/** Whether what is desired of it is still the same as when it was read. */
export async function isDesiredAsRead(db: Connection, { id, updatedAt }: Pick<HeldWorkspace, "id" | "updatedAt">): Promise<boolean> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, id), sql`date_trunc('milliseconds', ${workspaces.updatedAt}) = ${updatedAt.toISOString()}::timestamptz`));
  return found.length > 0;
}

/** Whether this is its desired state. Reliable only in a transaction that has written to the row. */
export async function isStillDesired(tx: Connection, id: string, state: WorkspaceRow["desiredState"]): Promise<boolean> {
  const found = await tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, id), eq(workspaces.desiredState, state)));
  return found.length > 0;
}

/** Whether `worker` still holds it, its files are present, and it should run with the same generation as when it was read. */
export async function isStillToStart(db: Connection, id: string, generation: number, worker: string): Promise<boolean> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.id, id),
        eq(workspaces.leaseOwner, worker),
        eq(workspaces.generation, generation),
        eq(workspaces.desiredState, "running"),
        isNull(workspaces.arriving),
      ),
    );
  return found.length > 0;
}

/**
 * Makes `version` the desired one again after a change to another was rolled back; false if the owner has since chosen a third one, which
 * stays. Call it in the transaction that ends the change.
 */
export async function revertDesiredVersion(tx: Connection, id: string, { from, to }: { from: string; to: string }): Promise<boolean> {
  const changed = await tx
    .update(workspaces)
    .set({ desiredVersion: from })
    .where(and(eq(workspaces.id, id), inArray(workspaces.desiredVersion, [from, to])))
    .returning({ id: workspaces.id });
  return changed.length > 0;
}

/** Another version for a workspace that has never run; false if its owner has chosen one since. */
export async function replaceDesiredVersion(tx: Connection, id: string, { from, to }: { from: string; to: string }): Promise<boolean> {
  const changed = await tx
    .update(workspaces)
    .set({ desiredVersion: to })
    .where(and(eq(workspaces.id, id), eq(workspaces.desiredVersion, from), isNull(workspaces.observedVersion)))
    .returning({ id: workspaces.id });
  return changed.length > 0;
}

/** What runs is what should run, so nothing is to be restarted; false if something was changed since. Only where no process of `to` ever ran. */
export async function revertGeneration(tx: Connection, id: string, { from, to }: { from: number; to: number }): Promise<boolean> {
  const changed = await tx
    .update(workspaces)
    .set({ generation: from })
    .where(and(eq(workspaces.id, id), eq(workspaces.generation, to)))
    .returning({ id: workspaces.id });
  return changed.length > 0;
}

/** The columns with observations: the only ones that a reconcile pass may write. */
const observedColumns = [
  "observedGeneration",
  "observedState",
  "observedVersion",
  "address",
  "gatewayOpen",
  "progressStep",
  "progressLabel",
  "progressPercent",
  "reason",
  "reasonCode",
  "failures",
  "startedAt",
  "runningMemoryMb",
  "finishingSince",
  "unhealthySince",
  "ownerSetUpAt",
  "ownerPassed",
  "profilePassedAt",
  "variablesPassed",
  "asleepSince",
  "coldSince",
  "sleepUntil",
  "asleepRevision",
  "wakeAskedAt",
  "blank",
  "host",
  "arriving",
] as const satisfies readonly (keyof WorkspaceRow)[];

/** What was observed of a workspace. */
export type Observed = Pick<WorkspaceRow, (typeof observedColumns)[number]>;

/** Changes of it. */
export type Observation = Partial<Omit<Observed, "reason" | "progressLabel">> & {
  reason?: Sentence | null;
  progressLabel?: Sentence | null;
};

/** What is desired of a workspace, and what is known of its account: read-only for the reconciler. */
export type Desired = Readonly<Omit<HeldWorkspace, keyof Observed>>;

/** Splits a row into what is desired and what was observed. */
export function partHeld(held: HeldWorkspace): { desired: Desired; observed: Observed } {
  const columns: ReadonlySet<string> = new Set(observedColumns);
  const pick = (isObserved: boolean) => Object.fromEntries(Object.entries(held).filter(([name]) => columns.has(name) === isObserved));
  return { desired: pick(false) as Desired, observed: pick(true) as Observed };
}

/** Writes observations and notifies gateways and panels, only while `worker` holds the workspace; false otherwise. */
export async function writeObservation(
  db: Connection,
  held: Pick<HeldWorkspace, "id" | "accountName">,
  worker: string,
  seen: Observation,
): Promise<boolean> {
  const written = await db
    .update(workspaces)
    .set(seen)
    .where(and(eq(workspaces.id, held.id), eq(workspaces.leaseOwner, worker)))
    .returning({ told: sql`pg_notify(${workspaceChanged}, ${`${held.id} ${held.accountName}`})` });
  return written.length > 0;
}

/** Workspaces last seen running on this host. */
export async function listAddressed(db: Connection, host: string = mainHost): Promise<string[]> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.host, host), isNotNull(workspaces.address)));
  return found.map(({ id }) => id);
}

/** Those of them that are awake. */
export async function listSampled(db: Connection, host: string = mainHost): Promise<string[]> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.host, host), isNotNull(workspaces.address), isNull(workspaces.asleepSince)));
  return found.map(({ id }) => id);
}

/**
 * An operator ended these workspaces' processes on purpose: this does not count as a crash, and they start again when requested. Those that
 * slept stay stopped until their next use.
 */
export async function forgetProcesses(db: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await leaveStopped(db, ids);
  await db
    .update(workspaces)
    .set({
      address: null,
      startedAt: null,
      gatewayOpen: false,
      observedState: "none",
      unhealthySince: null,
      coldSince: null,
      sleepUntil: null,
      wakeAskedAt: null,
      reconcileAt: sql`${workspaces.updatedAt}`,
    })
    .where(inArray(workspaces.id, lockedInOrder(db, and(inArray(workspaces.id, [...ids]), isNull(workspaces.asleepSince)))));
}
