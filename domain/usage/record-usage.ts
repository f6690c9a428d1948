/**
 * Records the usage that a workspace reports. The workspace keeps counters that only grow; the difference to each one's last value is added
 * here, in one transaction. However often a counter is read, and whichever process dies in between, everything counts once. The report is
 * compared with independent counts, and the larger figure counts.
 */
import { dayMs, minuteMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { checkDays, type SeenElsewhere, type TellOperators } from "./check-usage.ts";
import { forgetChecks, newCheck, readChecks, type CheckRow } from "./check-store.ts";
import { count, type NewlyCounted, type UsedWorkspace } from "./newly-counted.ts";
import { mostADay, takeReport } from "./settle-day.ts";
import {
  addToDay,
  addToPeriod,
  forgetCounters,
  lockCounters,
  readCounters,
  readHeardAt,
  readPeriodStarts,
  saveBusiest,
  saveCounters,
  saveReading,
  type CounterRow,
} from "./usage-store.ts";

/** A counter as a workspace reported it: see EngineUsageCounter. */
export interface SaidCounter {
  epoch: string;
  periodStart: Date | null;
  date: string;
  executions: number;
  failed: number;
}

/** How often a workflow ran in the usage period, as the workspace reported it; `name` is its customer's text. */
interface SaidWorkflow {
  id: string;
  name: string;
  executions: number;
  failed: number;
}

interface SaidUsage {
  activeWorkflows: number;
  /** Absent if the tool does not report it. */
  workflows?: number | undefined;
  counters: readonly SaidCounter[];
  /** Its busiest workflows in the period that begins then; absent if the tool does not report them. */
  busiest?: { periodStart: Date; workflows: readonly SaidWorkflow[] } | undefined;
}

/** Facts that do not come from the workspace's report. */
interface UsageRecord {
  /** The account's current usage period and later ones. */
  periodStarts: readonly Date[];
  /** Executions in the current period; -1 is unlimited. */
  limit: number;
  /** Null: there are no independent counts to compare with. */
  seen: SeenElsewhere | null;
  /** Called before the transaction ends: after a crash, notifying twice is better than never. */
  tell: TellOperators;
  now: Date;
}

/** A tool keeps its counters for 8 days; older days are closed. */
const oldestDays = 10;
/**
 * Days are UTC. If a workspace's clock is further ahead, its counters are accepted once the day has begun here: they are reported again.
 */
const mostAheadMs = 5 * minuteMs;
/** As many as from restarts every five minutes for ten days; more would only fill our disk. */
const mostCounters = 3000;

const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * Adds what is new. Implausible counters are ignored. `said` null: the workspace did not answer. Returns whether more is to be expected
 * soon: something was new, or the workspace reports too little and operators have not been told yet.
 */
export async function recordUsage(
  db: Database,
  workspace: UsedWorkspace,
  said: SaidUsage | null,
  { periodStarts, limit, seen, tell, now }: UsageRecord,
): Promise<boolean> {
  const since = dateOf(new Date(now.getTime() - oldestDays * dayMs));
  const until = dateOf(new Date(now.getTime() + mostAheadMs));
  const isBelievable = (date: string): boolean => date >= since && date <= until;
  const believable = (said?.counters ?? []).filter(
    ({ date, executions, failed }) => isBelievable(date) && executions <= mostADay && failed <= mostADay,
  );
  return db.transaction(async (tx) => {
    await lockCounters(tx, workspace.id);
    await forgetCounters(tx, workspace.id, since);
    await forgetChecks(tx, workspace.id, since);
    const counters = new Map((await readCounters(tx, workspace.id, since)).map((row) => [keyOf(row), row]));
    const countersBefore = [...counters.values()];
    const checks = await readChecks(tx, workspace.id, since);
    const heardAt = await readHeardAt(tx, workspace.id);
    const past = (await readPeriodStarts(tx, workspace.accountId)).filter((start) => start < periodStarts[0]!);
    const periods = { starts: [...past, ...periodStarts], current: periodStarts[0]!, now };
    // The current period has a row even if nothing is used in it.
    const counted: NewlyCounted = { byPeriod: new Map([[periodStarts[0]!.getTime(), 0]]), byDay: new Map() };
    const grown = takeCounters({
      workspaceId: workspace.id,
      believable,
      counters,
      checks,
      counted,
      periodOf: (counter) => periodOf(counter, periods, heardAt),
    });
    const isDisputed = seen
      ? await checkDays(tx, workspace, {
          seen,
          counters: [...counters.values()],
          countersBefore,
          checks,
          counted,
          limit,
          period: periodStarts[0]!,
          isBelievable,
          tell,
          now,
          periodOf: (date) => periodOf({ periodStart: null, date }, periods, null),
        })
      : false;
    for (const [startsAtMs, executions] of counted.byPeriod) await addToPeriod(tx, workspace.accountId, new Date(startsAtMs), executions);
    for (const [date, { executions, failed }] of counted.byDay) await addToDay(tx, workspace.accountId, date, executions, failed);
    await saveCounters(tx, grown);
    const hasGrown = grown.length > 0 || counted.byDay.size > 0;
    if (said)
      await saveReading(tx, workspace.id, { activeWorkflows: said.activeWorkflows, workflows: said.workflows ?? null, hasGrown }, now);
    if (said?.busiest) await saveBusiest(tx, workspace.id, said.busiest, now);
    return hasGrown || isDisputed;
  });
}

interface TakenCounters {
  workspaceId: string;
  believable: readonly SaidCounter[];
  /** The last value of each; updated here. */
  counters: Map<string, CounterRow>;
  /** Updated when something is reported late. */
  checks: Map<string, CheckRow>;
  counted: NewlyCounted;
  periodOf: (counter: SaidCounter) => Date;
}

/** Updates the counters; returns those that grew. */
function takeCounters({ workspaceId, believable, counters, checks, counted, periodOf }: TakenCounters): CounterRow[] {
  const grown: CounterRow[] = [];
  for (const counter of believable) {
    const saidPeriod = counter.periodStart?.toISOString() ?? "";
    const key = keyOf({ ...counter, saidPeriod });
    const last = counters.get(key);
    const executions = Math.max(0, counter.executions - (last?.executions ?? 0));
    const failed = Math.max(0, counter.failed - (last?.failed ?? 0));
    if ((executions === 0 && failed === 0) || (!last && counters.size >= mostCounters)) continue;
    const { epoch, date } = counter;
    // For what is new: the counter's own start says nothing about when this ran.
    const period = periodOf(counter);
    const row = {
      workspaceId,
      epoch,
      saidPeriod,
      date,
      periodStartsAt: last?.periodStartsAt ?? period,
      executions: (last?.executions ?? 0) + executions,
      failed: (last?.failed ?? 0) + failed,
    };
    counters.set(key, row);
    grown.push(row);
    const taken = takeReport(checks.get(date) ?? newCheck(date), executions);
    if (checks.has(date)) checks.set(date, { ...checks.get(date)!, ...taken.check });
    count(counted, period, date, taken.counted, failed);
  }
  return grown;
}

const keyOf = ({ epoch, saidPeriod, date }: Pick<CounterRow, "epoch" | "saidPeriod" | "date">): string => `${epoch} ${saidPeriod} ${date}`;

interface Periods {
  /** Oldest first; each period ends where the next begins. */
  starts: readonly Date[];
  current: Date;
  now: Date;
}

/**
 * The period in which a counter's growth ran. A workspace may claim any, so its claim is accepted only for a period that overlaps the
 * counter's day and had not ended at the workspace's last report (`heardAt`): everything in an older one was reported by then. Otherwise it
 * is the last such period of the day, or the current one.
 */
function periodOf(
  { periodStart, date }: Pick<SaidCounter, "periodStart" | "date">,
  { starts, current, now }: Periods,
  heardAt: Date | null,
): Date {
  const dayBegins = new Date(`${date}T00:00:00.000Z`);
  const dayEnds = new Date(Math.min(now.getTime(), dayBegins.getTime() + dayMs - 1));
  const since = heardAt && heardAt > dayBegins ? heardAt : dayBegins;
  const possible = starts.filter((start, index) => start <= dayEnds && !(starts[index + 1] && starts[index + 1]! <= since));
  return possible.find((start) => start.getTime() === periodStart?.getTime()) ?? possible.at(-1) ?? current;
}
