/** What one check of a workspace adds to the account's usage. */

export interface UsedWorkspace {
  id: string;
  accountId: string;
}

export interface NewlyCounted {
  /** Executions by the start of their usage period, in milliseconds. */
  byPeriod: Map<number, number>;
  byDay: Map<string, { executions: number; failed: number }>;
}

/** Counts executions for a period and a day. */
export function count({ byPeriod, byDay }: NewlyCounted, periodStartsAt: Date, date: string, executions: number, failed: number): void {
  byPeriod.set(periodStartsAt.getTime(), (byPeriod.get(periodStartsAt.getTime()) ?? 0) + executions);
  const day = byDay.get(date) ?? { executions: 0, failed: 0 };
  byDay.set(date, { executions: day.executions + executions, failed: day.failed + failed });
}
