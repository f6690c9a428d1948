/** The SQL that makes workspaces due, so that they are looked at before their time. */
import { and, eq, gt, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { workKind, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";
import { mainHost } from "../hosts/host-names.ts";
import { lockedInOrder } from "../in-order.ts";

/**
 * The columns with which the current call makes a workspace due, besides those that it changes anyway: a worker looks now, and continues
 * the call's trace.
 */
export const dueNow = (now: Date) => ({ reconcileAt: now, traceparent: currentTraceparent(), updatedAt: now });

/**
 * Makes a workspace due now because its process ended. False for one without an address: we ended that process, and the workspace keeps its
 * pause.
 */
export async function makeDue(db: Connection, id: string, now: Date): Promise<boolean> {
  const changed = await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(and(eq(workspaces.id, id), isNotNull(workspaces.address)))
    .returning({ id: workspaces.id });
  return changed.length > 0;
}

/** Makes the account's workspace due, if there is one: account data that the workspace uses has changed. */
export async function makeAccountDue(db: Connection, accountId: string, now: Date): Promise<void> {
  await db
    .update(workspaces)
    .set(dueNow(now))
    .where(and(eq(workspaces.accountId, accountId), eq(workspaces.desiredState, "running")));
}

/** A look that is this far ahead or less is soon enough after a visit, which is saved within 10 s: together a minute. */
const afterVisitSeconds = 50;
/** A workspace in use is looked at a minute after its last look: until this long before the next, that was less than 5 s ago. */
const justLookedSeconds = 55;

/** Brings the next look at the account's online workspace forward to now, at most every 5 s, without a change to it. */
export async function lookSoon(db: Connection, accountId: string, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await db.execute(sql`
    update workspaces set reconcile_at = ${at}
    where account_id = ${accountId} and desired_state = 'running' and observed_state = 'online' and asleep_since is null and reconcile_at >= ${at}
      and not (reconcile_at > ${at} + make_interval(secs => ${justLookedSeconds}) and reconcile_at <= ${at} + interval '1 minute')
      and (usage_read_at is null or usage_read_at not between ${at} - interval '5 seconds' and ${at})`);
}

/**
 * Visitors used these workspaces: they are looked at within a minute. Writes nothing for those that would be looked at by then anyway, so
 * that steady traffic costs no writes. A workspace that is being looked at now gets another look, because the current one may have read too
 * early. It stays due: if its worker dies, another takes it over as soon as the lease ends.
 */
export async function noteVisits(db: Connection, workspaceIds: readonly string[], now: Date): Promise<void> {
  if (workspaceIds.length === 0) return;
  const at = sql`${now.toISOString()}::timestamptz`;
  const soon = sql`${at} + make_interval(secs => ${afterVisitSeconds})`;
  // A different time from the one that its worker read, and not a later one.
  const again = sql`least(reconcile_at, ${at}) - interval '1 millisecond'`;
  // In a fixed order, so that two gateways never deadlock, and without waiting for rows that only refer to
  // these, such as samples of memory.
  await db.execute(sql`
    update workspaces set active_at = ${at}, reconcile_at = case when lease_until > clock_timestamp() then ${again} else ${soon} end
    where id in (
      select id from workspaces
      where id = any(${`{${workspaceIds.join(",")}}`}::uuid[]) and desired_state = 'running' and observed_state = 'online' and asleep_since is null
        and (reconcile_at > ${soon} or lease_until > clock_timestamp())
      order by id for no key update)`);
}

/** Makes the failing workspaces of this host that wait for their next try due now. */
export async function retryFailing(db: Connection, now: Date, host: string = mainHost): Promise<void> {
  const failing = lockedInOrder(
    db,
    and(
      // The part that an index can answer; the other conditions make it exact.
      eq(workspaces.host, host),
      eq(workKind, sql`'retry'`),
      gt(workspaces.failures, 0),
      gt(workspaces.reconcileAt, now),
      ne(workspaces.observedState, "online"),
    ),
  );
  await db.update(workspaces).set({ reconcileAt: now }).where(inArray(workspaces.id, failing));
}
