/** Figures over all workspaces, for operators. */
import { and, count, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { restores, workKind, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { JournalEvent } from "../journal-events.ts";
import { isFree } from "#platform/postgres/claim-rows.ts";

interface FleetCounts {
  /** Workspaces by state: `asleep` are those that are online and frozen. Deleted ones whose folder is gone are not counted. */
  states: Record<string, number>;
  /** Workspaces that wait for a worker, by what they wait for: how many, and for how many seconds the first has waited. */
  due: { kind: string; waiting: number; seconds: number }[];
  /** Workspaces that should run and whose start has waited longer than it may, by what it waits for. */
  startsOverdue: Record<OverdueCause, number>;
  /** Workspaces that are not deleted yet, because their last backup did not succeed. */
  lastBackupsFailing: number;
  /** Workspaces that should run and have no data yet, because their last backup, or their start with it, failed at the first try. */
  firstRestoresWaiting: number;
}

/** A condition on a row of `workspaces`: it was not deleted completely, so its host may still have something of it. */
export const isThere = sql`not (${workspaces.desiredState} = 'deleted' and ${workspaces.observedState} = 'deleted')`;

/** The events of starts that have reached their limit. */
const overdue = { image: "no-image", place: "no-place", install: "install-failed" } as const satisfies Record<string, JournalEvent>;
type OverdueCause = keyof typeof overdue;

const lastBackupFailed: JournalEvent = "last-backup-failed";

/** Reads every row: for a scrape every 15 s or so, not for a request. */
export async function countFleet(db: Connection, now: Date): Promise<FleetCounts> {
  const state = sql<string>`case
    when ${workspaces.desiredState} = 'deleted' then 'deleted'
    when ${workspaces.asleepSince} is not null then 'asleep'
    else ${workspaces.observedState} end`.as("state");
  const states = await db
    .select({ state, times: count() })
    .from(workspaces)
    .where(isThere)
    .groupBy(sql`1`);
  const at = sql`${now.toISOString()}::timestamptz`;
  const due = await db
    .select({
      kind: sql<string>`${workKind}`,
      waiting: count(),
      seconds: sql<number>`extract(epoch from ${at} - min(${workspaces.reconcileAt}))::float8`,
    })
    .from(workspaces)
    .where(sql`${workspaces.reconcileAt} <= ${at} and ${isFree(workspaces.leaseUntil)}`)
    .groupBy(sql`1`);
  const starts = await db
    .select({ event: workspaces.reasonCode, times: count() })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.desiredState, "running"),
        eq(workspaces.observedState, "offline"),
        inArray(workspaces.reasonCode, Object.values(overdue)),
      ),
    )
    .groupBy(workspaces.reasonCode);
  const overdueBy = (cause: OverdueCause): number => starts.find(({ event }) => event === overdue[cause])?.times ?? 0;
  const failing = await db
    .select({ times: count() })
    .from(workspaces)
    .where(and(isThere, eq(workspaces.desiredState, "deleted"), eq(workspaces.reasonCode, lastBackupFailed)));
  // By its tries, which no new try resets, and by starts that fail with the files in place.
  const returning = await db
    .select({ times: count() })
    .from(restores)
    .innerJoin(workspaces, and(eq(workspaces.id, restores.workspaceId), eq(workspaces.life, restores.life)))
    .where(
      and(
        isNull(restores.finishedAt),
        or(gt(restores.attempts, 1), gt(workspaces.failures, 1)),
        eq(workspaces.desiredState, "running"),
        isNull(workspaces.ownerSetUpAt),
      ),
    );
  return {
    startsOverdue: { image: overdueBy("image"), place: overdueBy("place"), install: overdueBy("install") },
    lastBackupsFailing: failing[0]!.times,
    firstRestoresWaiting: returning[0]!.times,
    states: Object.fromEntries(states.map((row) => [row.state, row.times])),
    due,
  };
}
