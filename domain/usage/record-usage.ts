/**
 * Takes over what a workspace says it used. The workspace keeps counters that only grow; here the difference to what each
 * last said is added, in one transaction: however often one is read, and whoever dies meanwhile, everything counts once.
 */
import { dayMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { addToDay, addToPeriod, forgetCounters, lockCounters, readCounters, readPeriodStarts, saveCounters, saveReading, type CounterRow } from "./usage-store.ts";

/** A counter as a workspace told it: see EngineUsageCounter. */
export interface SaidCounter {
  epoch: string;
  periodStart: Date | null;
  date: string;
  executions: number;
  failed: number;
}

export interface SaidUsage {
  activeWorkflows: number;
  counters: readonly SaidCounter[];
}

export interface UsedWorkspace {
  id: string;
  accountId: string;
}

/** A tool keeps its counters for 8 days; older days are closed, and no day comes before it has begun anywhere. */
const oldestDays = 10;
/** Times ten the executions of a workspace that does nothing else all day: more is a lie, or a fault. */
const mostADay = 10_000_000;

/** A workspace that starts again every five minutes for ten days has as many; more would only fill our disk. */
const mostCounters = 3000;

const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Adds what is new. `periodStarts`: the account's period now and those after it. What is not believable is left out. */
export async function recordUsage(db: Database, workspace: UsedWorkspace, said: SaidUsage, periodStarts: readonly Date[], now: Date): Promise<void> {
  const since = dateOf(new Date(now.getTime() - oldestDays * dayMs));
  const until = dateOf(new Date(now.getTime() + dayMs));
  const believable = said.counters.filter(({ date, executions, failed }) => date >= since && date <= until && executions <= mostADay && failed <= mostADay);
  await db.transaction(async (tx) => {
    await lockCounters(tx, workspace.id);
    await forgetCounters(tx, workspace.id, since);
    const known = new Map((await readCounters(tx, workspace.id, since)).map((row) => [keyOf(row), row]));
    const starts = [...(await readPeriodStarts(tx, workspace.accountId)), ...periodStarts].toSorted((one, other) => one.getTime() - other.getTime());
    const grown: CounterRow[] = [];
    // The period now has a row also where nothing is used in it.
    const byPeriod = new Map([[periodStarts[0]!.getTime(), 0]]);
    const byDay = new Map<string, { executions: number; failed: number }>();
    for (const counter of believable) {
      const saidPeriod = counter.periodStart?.toISOString() ?? "";
      const last = known.get(keyOf({ ...counter, saidPeriod }));
      const executions = Math.max(0, counter.executions - (last?.executions ?? 0));
      const failed = Math.max(0, counter.failed - (last?.failed ?? 0));
      if ((executions === 0 && failed === 0) || (!last && known.size + grown.length >= mostCounters)) continue;
      const periodStartsAt = last?.periodStartsAt ?? periodOf(counter, starts, now);
      byPeriod.set(periodStartsAt.getTime(), (byPeriod.get(periodStartsAt.getTime()) ?? 0) + executions);
      const day = byDay.get(counter.date) ?? { executions: 0, failed: 0 };
      byDay.set(counter.date, { executions: day.executions + executions, failed: day.failed + failed });
      const { epoch, date } = counter;
      grown.push({ workspaceId: workspace.id, epoch, saidPeriod, date, periodStartsAt, executions: (last?.executions ?? 0) + executions, failed: (last?.failed ?? 0) + failed });
    }
    for (const [startsAtMs, executions] of byPeriod) await addToPeriod(tx, workspace.accountId, new Date(startsAtMs), executions);
    for (const [date, { executions, failed }] of byDay) await addToDay(tx, workspace.accountId, date, executions, failed);
    await saveCounters(tx, grown);
    await saveReading(tx, workspace.id, said.activeWorkflows, now);
  });
}

const keyOf = ({ epoch, saidPeriod, date }: Pick<CounterRow, "epoch" | "saidPeriod" | "date">): string => `${epoch} ${saidPeriod} ${date}`;

/** The period a counter names, if the account has it and it has begun; else the one its day ends in. */
function periodOf({ periodStart, date }: SaidCounter, starts: readonly Date[], now: Date): Date {
  const named = starts.find((start) => start.getTime() === periodStart?.getTime() && start <= now);
  const dayEnds = new Date(Math.min(now.getTime(), Date.parse(`${date}T23:59:59.999Z`)));
  return named ?? starts.findLast((start) => start <= dayEnds) ?? starts[0]!;
}
