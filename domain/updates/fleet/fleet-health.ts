/**
 * How updated workspaces are, compared with before: what stops a fleet update. Everything is read from rows that exist anyway: the journal,
 * the observed state, and the executions that workspaces reported.
 */
import { sql, type SQL } from "drizzle-orm";
import { crashEvents, type JournalEvent } from "#domain/workspaces/journal-events.ts";
import { after, dayMs, minuteMs, mostAheadMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { changePlanned, type FleetUpdate, type PlannedWorkspace } from "./fleet-update-store.ts";

/** A week has each weekday's workflows once. */
const beforeMs = 7 * dayMs;
/** A workspace that does not answer for less is noticed by no visitor, because the gateway waits. */
const unhealthyMs = minuteMs;
/** A share of fewer executions says little. */
const leastExecutions = 20;
/** One service that many workflows call may be down: more than this share of the updated workspaces must fail more, and at least one. */
const failingShare = 0.1;

const at = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`;
const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const crashes = sql`array[${sql.join(
  crashEvents.map((event) => sql`${event}`),
  sql`, `,
)}]::text[]`;

type Before = Pick<PlannedWorkspace, "day" | "dayExecutions" | "dayFailed" | "weekExecutions" | "weekFailed" | "hasCrashedBefore">;

/** The figures of a workspace before its update, with which it is compared afterwards. */
export async function readBefore(db: Connection, workspace: { id: string; accountId: string }, now: Date): Promise<Before> {
  const [day, week] = [dayOf(now), dayOf(after(now, -beforeMs))];
  const { rows } = await db.execute<Omit<Before, "day">>(sql`
    select coalesce(sum(executions) filter (where date = ${day}), 0)::int as "dayExecutions",
      coalesce(sum(failed) filter (where date = ${day}), 0)::int as "dayFailed",
      least(coalesce(sum(executions) filter (where date < ${day}), 0), 2000000000)::int as "weekExecutions",
      least(coalesce(sum(failed) filter (where date < ${day}), 0), 2000000000)::int as "weekFailed",
      exists (select from workspace_journal where workspace_id = ${workspace.id} and event = any(${crashes})
        and at >= ${at(after(now, -beforeMs))}) as "hasCrashedBefore"
    from usage_days where account_id = ${workspace.accountId} and date >= ${week}`);
  return { day, ...rows[0]! };
}

/** The id of the line that the end of its last update wrote, in that transaction; without one, of its journal's last line; 0: it is empty. */
export async function updatedJournalId(db: Connection, workspaceId: string): Promise<bigint> {
  const { rows } = await db.execute<{ id: string | null }>(
    sql`select coalesce(max(id) filter (where event = ${"updated" satisfies JournalEvent}), max(id))::text as id
      from workspace_journal where workspace_id = ${workspaceId}`,
  );
  return BigInt(rows[0]?.id ?? 0);
}

interface Seen extends Record<string, unknown> {
  workspaceId: string;
  trouble: "crashed" | "offline" | null;
  /** Neither online nor asleep, whatever the reason. */
  isDown: boolean;
  failsMore: boolean;
}

/** The executions of p's workspace since its update, and the failed ones. */
const since = (column: "executions" | "failed"): SQL =>
  sql`greatest(0, coalesce((select sum(d.${sql.raw(column)}) from usage_days d where d.account_id = w.account_id and d.date >= p.day), 0)
    - p.${sql.raw(column === "executions" ? "day_executions" : "day_failed")})::float8`;

/** Every updated workspace that should run and still has the new version. */
async function look(db: Connection, { id, toVersion, mostFailedPercent }: FleetUpdate, now: Date): Promise<Seen[]> {
  const { rows } = await db.execute<Seen>(sql`
    select workspace_id as "workspaceId", is_down as "isDown",
      case when has_crashed then 'crashed' when is_offline then 'offline' end as trouble,
      executions >= ${leastExecutions} and before >= ${leastExecutions}
        and failed / nullif(executions, 0) > before_failed / nullif(before, 0) + ${mostFailedPercent} / 100.0 as "failsMore"
    from (
      select p.workspace_id,
        not p.has_crashed_before and exists (select from workspace_journal j
          where j.workspace_id = p.workspace_id and j.id > p.journal_id and j.event = any(${crashes})) as has_crashed,
        w.asleep_since is null and (w.observed_state = 'offline' or coalesce(
          w.unhealthy_since < ${at(after(now, -unhealthyMs))} or w.unhealthy_since > ${at(after(now, mostAheadMs))}, false)) as is_offline,
        w.asleep_since is null and (w.observed_state <> 'online' or w.unhealthy_since is not null) as is_down,
        ${since("executions")} as executions, ${since("failed")} as failed,
        (p.week_executions::bigint + p.day_executions)::float8 as before, (p.week_failed::bigint + p.day_failed)::float8 as before_failed
      from fleet_update_workspaces p
      join workspaces w on w.id = p.workspace_id and w.life = p.life
      where p.fleet_update_id = ${id} and p.state = 'updated' and p.trouble is null
        and w.desired_state = 'running' and w.desired_version = ${toVersion}
    ) as seen`);
  return rows;
}

/** Notes what is wrong with updated workspaces now. Returns whether all others are up. */
export async function noteTroubles(tx: Connection, update: FleetUpdate, now: Date): Promise<{ areUp: boolean }> {
  const seen = await look(tx, update, now);
  const { rows } = await tx.execute<{ times: number }>(
    sql`select count(*)::int as times from fleet_update_workspaces where fleet_update_id = ${update.id} and state = 'updated'`,
  );
  const failing = seen.filter(({ trouble, failsMore }) => trouble === null && failsMore);
  const doFail = failing.length > rows[0]!.times * failingShare;
  for (const { workspaceId, trouble, failsMore } of seen) {
    const found = trouble ?? (doFail && failsMore ? "fails-more" : null);
    if (found !== null) await changePlanned(tx, { id: update.id, states: ["updated"], workspaceId }, { trouble: found });
  }
  return { areUp: seen.every(({ isDown, trouble }) => !isDown || trouble !== null) };
}

const mostNamed = 5;

/** Why the fleet update must stop, for operators; null: it may continue. What an operator has accepted is not counted. */
export async function findStopReason(tx: Connection, { id, mostFailures }: FleetUpdate): Promise<string | null> {
  const { rows } = await tx.execute<{ name: string; trouble: string; reason: string | null }>(sql`
    select a.name, coalesce(p.trouble, 'failed') as trouble, case when p.state = 'failed' then p.reason end as reason
    from fleet_update_workspaces p join workspaces w on w.id = p.workspace_id join accounts a on a.id = w.account_id
    where p.fleet_update_id = ${id} and not p.is_accepted and (p.state = 'failed' or p.trouble is not null)
    order by a.name`);
  const more = rows.filter(({ trouble }) => trouble === "fails-more");
  if (rows.length - more.length < mostFailures && more.length === 0) return null;
  const named = rows.slice(0, mostNamed).map(({ name, trouble, reason }) => `${name} ${words[trouble]!}${reason ? `: ${reason}` : ""}`);
  const rest = rows.length - named.length;
  return `${named.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}

const words: Readonly<Record<string, string>> = {
  failed: "could not be updated",
  crashed: "crashed after its update",
  offline: "is offline after its update",
  unfinished: "has not finished its update within 15 minutes",
  "fails-more": "has more failed executions than before its update",
};

/** Executions and webhook calls since the workspace was updated: what a rollback leaves only in its backup. */
export async function countSince(
  db: Connection,
  { fleetUpdateId, workspaceId }: Pick<PlannedWorkspace, "fleetUpdateId" | "workspaceId">,
  now: Date,
): Promise<{ executionsSince: number; webhookCallsSince: number }> {
  // Minutes are kept for two days, hours for a month: those count whole hours.
  const isRecent = sql`p.updated_at > ${at(after(now, -47 * 60 * minuteMs))}`;
  const { rows } = await db.execute<{ executionsSince: number; webhookCallsSince: number }>(sql`
    select ${since("executions")}::bigint::int as "executionsSince",
      coalesce((select sum(c.calls) from webhook_calls c where c.workspace_id = p.workspace_id
        and c.span_minutes = case when ${isRecent} then 1 else 60 end
        and c.at >= date_trunc(case when ${isRecent} then 'minute' else 'hour' end, p.updated_at)), 0)::int as "webhookCallsSince"
    from fleet_update_workspaces p join workspaces w on w.id = p.workspace_id
    where p.fleet_update_id = ${fleetUpdateId} and p.workspace_id = ${workspaceId}`);
  return rows[0]!;
}
