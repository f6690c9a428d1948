/**
 * Compares a workspace's report with independent counts. A tenant can run any code there, so the workspace may report less than it ran. The
 * gateway's count cannot be changed from inside; the tool's statistics can, but only by changing more than our counters.
 */
import { isDeepStrictEqual } from "node:util";
import { say } from "#contract/sentences/say.ts";
import { after, dayMs, minuteMs, sinceMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { writeJournal } from "#domain/workspaces/workspace-store.ts";
import { findAccountName, newCheck, saveChecks, type CheckRow, type Difference } from "./check-store.ts";
import { count, type NewlyCounted, type UsedWorkspace } from "./newly-counted.ts";
import { settleDay, type SaidStatistics } from "./settle-day.ts";
import { readPeriod, type CounterRow } from "./usage-store.ts";

export interface SeenElsewhere {
  /** Whether the workspace reported its usage. */
  answered: boolean;
  /** By day, read before the workspace was called. */
  gateway: ReadonlyMap<string, number>;
  /** With the day, by the machine's clock, if it was the same before and after the call; null if unknown. */
  statistics: (SaidStatistics & { date: string }) | null;
}

/** Tells operators of a lasting difference. `isFirst` is false if it continues from the day before. */
export type TellOperators = (difference: Difference & { isFirst: boolean }) => void;

interface CheckedDays {
  seen: SeenElsewhere;
  /** The workspace's reports so far, and at the previous check. */
  counters: readonly CounterRow[];
  countersBefore: readonly CounterRow[];
  checks: ReadonlyMap<string, CheckRow>;
  /** Incremented here. */
  counted: NewlyCounted;
  limit: number;
  /** Start of the current usage period. */
  period: Date;
  periodOf: (date: string) => Date;
  isBelievable: (date: string) => boolean;
  tell: TellOperators;
  now: Date;
}

/** A refused call may be recorded this late: the gateway writes every 10 s, and keeps trying while the database is unreachable. */
const limitedMs = 15 * minuteMs;

/**
 * Compares each day, counts the larger figure, and reports a lasting difference: once in the journal, and to operators once a day. Returns
 * whether there is a difference that may still turn out to be a lasting one.
 */
export async function checkDays(
  tx: Connection,
  workspace: UsedWorkspace,
  { seen, counters, countersBefore, checks, counted, limit, period, periodOf, isBelievable, tell, now }: CheckedDays,
): Promise<boolean> {
  const used = ((await readPeriod(tx, workspace.accountId, period))?.executions ?? 0) + (counted.byPeriod.get(period.getTime()) ?? 0);
  const isLimitedNow = limit >= 0 && used >= limit;
  const isLimited = isLimitedNow || [...checks.values()].some(({ limitedAt }) => limitedAt && sinceMs(limitedAt, now) < limitedMs);
  const days = new Set([...seen.gateway.keys(), ...checks.keys(), ...(seen.statistics ? [seen.statistics.date] : [])].filter(isBelievable));
  const settled: CheckRow[] = [];
  const newest = [...days].toSorted().at(-1);
  for (const date of [...days].toSorted()) {
    const last = checks.get(date) ?? newCheck(date);
    const reported = reportedOn(date, counters);
    const gateway = seen.gateway.get(date) ?? 0;
    const statistics = seen.statistics?.date === date ? seen.statistics : null;
    const { check, claimed, isNews } = settleDay(last, {
      answered: seen.answered,
      reported,
      reportedBefore: reportedOn(date, countersBefore),
      gateway,
      statistics,
      isLimited,
      now,
    });
    if (claimed > 0) count(counted, periodOf(date), date, claimed, 0);
    const row = { ...check, date, reported, gateway, limitedAt: isLimitedNow && date === newest ? now : last.limitedAt };
    settled.push(row);
    if (isNews) await tellOf(tx, workspace, row, { before: settled.at(-2) ?? checks.get(dayBefore(date)), tell, now });
  }
  await saveChecks(
    tx,
    workspace.id,
    settled.filter((row) => !isDeepStrictEqual(row, checks.get(row.date))),
  );
  return settled.some(({ differsSince, toldAt }) => differsSince !== null && toldAt === null);
}

const reportedOn = (date: string, counters: readonly CounterRow[]): number =>
  counters.reduce((sum, counter) => sum + (counter.date === date ? counter.executions : 0), 0);

const dayBefore = (date: string): string => after(new Date(date), -dayMs).toISOString().slice(0, 10);

interface News {
  before: CheckRow | undefined;
  tell: TellOperators;
  now: Date;
}

/** A difference that continues from one day to the next counts as one, and is in the journal once. */
async function tellOf(
  tx: Connection,
  { id }: UsedWorkspace,
  { date, reported, gateway, added, succeeded }: CheckRow,
  { before, tell, now }: News,
): Promise<void> {
  const isFirst = !(before?.toldAt && before.date === dayBefore(date));
  const difference = {
    workspaceId: id,
    accountName: await findAccountName(tx, id),
    date,
    reported,
    gateway,
    succeeded,
    added,
    toldAt: now,
    isFirst,
  };
  if (isFirst) {
    await writeJournal(
      tx,
      id,
      {
        event: "usage-differs",
        message: say("usageDiffers"),
        detail: `On ${date} it reported ${reported} executions. Through the gateway at least ${gateway} began, by its tool's own statistics at least ${succeeded}; ${added} were added.`,
      },
      now,
    );
  }
  tell(difference);
}
