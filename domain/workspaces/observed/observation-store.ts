/** The SQL of workers: which workspaces are due, who holds them, and what was seen. */
import { and, eq, gt, inArray, isNotNull, ne, sql, type SQL } from "drizzle-orm";
import { accounts, planSpecs, subscriptions, users, workKind, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { WorkspaceRow } from "../workspace-row.ts";
import { workspaceChanged } from "../workspace-store.ts";

/** A workspace with the facts about its account that its steps need. */
export interface HeldWorkspace extends WorkspaceRow {
  accountName: string;
  ownerEmail: string;
  ownerFullName: string;
  ownerConfirmed: boolean;
  /** When the account's answers or apps last changed. */
  profileChangedAt: Date | null;
  /** How long the plan keeps executions; null without a plan. */
  executionsMaxAgeHours: number | null;
  /** The parts of the plan that reach the workspace at its start; null without a plan. */
  planFeatures: { enabledFeatures: string[]; n8nLicense?: boolean } | null;
}

/** 15 s: three missed renewals. A killed worker's workspaces are free within that time. */
export const leaseSeconds = 15;

/**
 * What a due workspace waits for, by its row: `stop` (and deletion), `start` (a first try: launch, restart, new version), `retry` after a
 * failure or a silence, and `look` at one that should be healthy. The index workspaces_due_kind uses the same expression.
 */
export const workKinds = ["stop", "start", "retry", "look"] as const;
export type WorkKind = (typeof workKinds)[number];

export interface Claimed {
  id: string;
  kind: WorkKind;
}

const isDue = (now: Date, inHand: readonly string[]): SQL => sql`
  reconcile_at <= ${now.toISOString()}::timestamptz and (lease_until is null or lease_until < clock_timestamp()) and id <> all(${uuids(inHand)})`;
const lease = (worker: string): SQL =>
  sql`lease_owner = ${worker}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})`;
const uuids = (ids: readonly string[]): SQL => sql`${`{${ids.join(",")}}`}::uuid[]`;

/**
 * Claims due workspaces for `worker`, at most `room[kind]` of each kind, the longest due first; skips those that another worker holds.
 * Leases run on the database's clock, which all workers share. It may jump ahead, as the host's does: workspaces that the worker has
 * `inHand` are not claimed again, even if their lease has expired.
 */
export async function claimDue(
  db: Connection,
  worker: string,
  now: Date,
  room: Readonly<Record<WorkKind, number>>,
  inHand: readonly string[] = [],
): Promise<Claimed[]> {
  const kinds = workKinds.filter((kind) => room[kind] > 0);
  if (kinds.length === 0) return [];
  const wanted = sql.join(
    kinds.map((kind) => sql`(${kind}::text, ${room[kind]}::int)`),
    sql`, `,
  );
  const claimed = await db.execute<{ id: string; kind: WorkKind }>(sql`
    update workspaces set ${lease(worker)}
    from (
      select due.id, wanted.kind from (values ${wanted}) wanted (kind, most) cross join lateral (
        select id from workspaces where ${workKind} = wanted.kind and ${isDue(now, inHand)}
        order by reconcile_at limit wanted.most for update skip locked) due
    ) taken
    where workspaces.id = taken.id
    returning workspaces.id, taken.kind`);
  return claimed.rows;
}

/** Like `claimDue`, for these workspaces alone, whatever they wait for. */
export async function claimDueAmong(
  db: Connection,
  worker: string,
  now: Date,
  ids: readonly string[],
  most: number,
  inHand: readonly string[],
): Promise<string[]> {
  const claimed = await db.execute<{ id: string }>(sql`
    update workspaces set ${lease(worker)}
    where id in (select id from workspaces where id = any(${uuids(ids)}) and ${isDue(now, inHand)} order by reconcile_at limit ${most} for update skip locked)
    returning id`);
  return claimed.rows.map(({ id }) => id);
}

/** Renews the leases of `worker` on these workspaces; returns those it still holds. */
export async function renewLeases(db: Connection, worker: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const list = sql.join(
    ids.map((id) => sql`${id}::uuid`),
    sql`, `,
  );
  const renewed = await db.execute<{ id: string }>(sql`
    update workspaces set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id in (${list}) and lease_owner = ${worker} returning id`);
  return renewed.rows.map((row) => row.id);
}

/** Claims one workspace for `worker`, due or not; false while another worker holds it. */
export async function claimWorkspace(db: Connection, id: string, worker: string): Promise<boolean> {
  const claimed = await db.execute(sql`
    update workspaces set lease_owner = ${worker}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and (lease_until is null or lease_until < clock_timestamp()) returning id`);
  return claimed.rows.length > 0;
}

/** Releases it unchanged: if it was due, it stays due. */
export async function giveBackWorkspace(db: Connection, id: string, worker: string): Promise<void> {
  await db
    .update(workspaces)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(eq(workspaces.id, id), eq(workspaces.leaseOwner, worker)));
}

/** The workspace as it is now, if `worker` holds it. */
export async function readHeld(db: Connection, id: string, worker: string): Promise<HeldWorkspace | null> {
  const found = await db
    .select({
      workspace: workspaces,
      accountName: accounts.name,
      ownerEmail: users.email,
      ownerFullName: users.fullName,
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
  const { id: userId, email, fullName, confirmedAt } = users;
  const [owner] = await db
    .select({ userId, accountId: users.accountId, email, fullName, confirmedAt })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(users.createdAt)
    .limit(1);
  return owner ?? null;
}

/** Whether what is wanted of it is still the same as when it was read. */
export async function isStillWanted(db: Connection, { id, updatedAt }: Pick<HeldWorkspace, "id" | "updatedAt">): Promise<boolean> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, id), sql`date_trunc('milliseconds', ${workspaces.updatedAt}) = ${updatedAt.toISOString()}::timestamptz`));
  return found.length > 0;
}

/** Whether this is its wanted state. Reliable only in a transaction that has written to the row. */
export async function isStillDesired(tx: Connection, id: string, state: WorkspaceRow["desiredState"]): Promise<boolean> {
  const found = await tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, id), eq(workspaces.desiredState, state)));
  return found.length > 0;
}

/** Whether `worker` still holds it, and it should run as when it was read, under the same generation. */
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
      ),
    );
  return found.length > 0;
}

/**
 * Makes `version` the wanted one again after a change to another was rolled back; false if the owner meanwhile chose a third one, which
 * stays. In the transaction that ends the change.
 */
export async function wantVersionAgain(tx: Connection, id: string, { from, to }: { from: string; to: string }): Promise<boolean> {
  const changed = await tx
    .update(workspaces)
    .set({ desiredVersion: from })
    .where(and(eq(workspaces.id, id), inArray(workspaces.desiredVersion, [from, to])))
    .returning({ id: workspaces.id });
  return changed.length > 0;
}

/** The columns with observations: all that a reconcile pass may write of a workspace. */
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
  "unhealthySince",
  "ownerSetUpAt",
  "ownerPassed",
  "profilePassedAt",
] as const satisfies readonly (keyof WorkspaceRow)[];

/** What was observed of a workspace. */
export type Observed = Pick<WorkspaceRow, (typeof observedColumns)[number]>;
/** Changes of it. */
export type Observation = Partial<Observed>;
/** What is wanted of a workspace, and what is known of its account: read-only for the reconciler. */
export type Wanted = Readonly<Omit<HeldWorkspace, keyof Observed>>;

/** Splits a row into what is wanted and what was observed. */
export function partHeld(held: HeldWorkspace): { wanted: Wanted; observed: Observed } {
  const columns: ReadonlySet<string> = new Set(observedColumns);
  const pick = (isObserved: boolean) => Object.fromEntries(Object.entries(held).filter(([name]) => columns.has(name) === isObserved));
  return { wanted: pick(false) as Wanted, observed: pick(true) as Observed };
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

/**
 * Releases the workspace, to be checked again at `next` (null: after a change). If what is wanted changed since `held` was read, or it was
 * made due because its process ended, it is due immediately. Two changes may be in the same millisecond, and the clock may be set back: the
 * generation distinguishes them.
 */
export async function release(
  db: Connection,
  held: Pick<HeldWorkspace, "id" | "generation" | "updatedAt" | "reconcileAt">,
  worker: string,
  next: Date | null,
  now: Date,
): Promise<void> {
  await db
    .update(workspaces)
    .set({
      leaseOwner: null,
      leaseUntil: null,
      reconcileAt: sql`case when ${workspaces.generation} = ${held.generation} and date_trunc('milliseconds', ${workspaces.updatedAt}) = ${held.updatedAt.toISOString()}::timestamptz
        and date_trunc('milliseconds', ${workspaces.reconcileAt}) is not distinct from ${held.reconcileAt?.toISOString() ?? null}::timestamptz then ${next?.toISOString() ?? null}::timestamptz else ${now.toISOString()}::timestamptz end`,
    })
    .where(and(eq(workspaces.id, held.id), eq(workspaces.leaseOwner, worker)));
}

/** Makes a workspace due now because its process ended; false for one without an address: we ended it, and it keeps its pause. */
export async function makeDue(db: Connection, id: string, now: Date): Promise<boolean> {
  const changed = await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(and(eq(workspaces.id, id), isNotNull(workspaces.address)))
    .returning({ id: workspaces.id });
  return changed.length > 0;
}

/** Makes the account's workspace due, if there is one: what it should know of its account changed. */
export async function makeAccountDue(db: Connection, accountId: string, now: Date): Promise<void> {
  await db
    .update(workspaces)
    .set({ reconcileAt: now, updatedAt: now })
    .where(and(eq(workspaces.accountId, accountId), eq(workspaces.desiredState, "running")));
}

/** A workspace checked less than 5 s ago (its next check is a minute after the last) is skipped. */
const lookSoonWithinSeconds = 55;

/** Makes the account's online workspace due before its minute is over, at most every 5 s, without a change to it. */
export async function lookSoon(db: Connection, accountId: string, now: Date): Promise<void> {
  const at = now.toISOString();
  await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(
      and(
        eq(workspaces.accountId, accountId),
        eq(workspaces.desiredState, "running"),
        eq(workspaces.observedState, "online"),
        sql`${workspaces.reconcileAt} between ${at}::timestamptz and ${at}::timestamptz + make_interval(secs => ${lookSoonWithinSeconds})`,
      ),
    );
}

/** Workspaces last seen running, on any host. */
export async function listAddressed(db: Connection): Promise<string[]> {
  const found = await db.select({ id: workspaces.id }).from(workspaces).where(isNotNull(workspaces.address));
  return found.map(({ id }) => id);
}

/** Makes failing workspaces that wait for their next try due now. */
export async function retryFailing(db: Connection, now: Date): Promise<void> {
  await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(
      and(
        eq(workspaces.desiredState, "running"),
        gt(workspaces.failures, 0),
        gt(workspaces.reconcileAt, now),
        ne(workspaces.observedState, "online"),
      ),
    );
}

/** The operator ended these workspaces' processes on purpose: it is not a death, and they start again when requested. */
export async function forgetProcesses(db: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(workspaces)
    .set({
      address: null,
      startedAt: null,
      gatewayOpen: false,
      observedState: "none",
      unhealthySince: null,
      reconcileAt: sql`${workspaces.updatedAt}`,
    })
    .where(inArray(workspaces.id, [...ids]));
}
