/** The timers of a subscription, derived from its row. Days and hours: docs/product.md. */
import type { timerKinds } from "#database/tables.ts";
import { arrangedNoticeDays, deletionAfterEndDays, deletionAfterPauseDays } from "#contract/billing/plans/plan-days.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { isArranged, stateOf, type SubscriptionFields } from "./subscription-states.ts";

export type TimerKind = (typeof timerKinds)[number];
type Timers = ReadonlyMap<TimerKind, Date>;

/** These ask the provider, or wait for the workspace, so they run outside a transaction, under a lease. */
const asking: ReadonlySet<string> = new Set<TimerKind>([
  "trial-end",
  "truth-check",
  "scheduled-change",
  "deletion",
  "deletion-report",
  "end-at-provider",
]);
export const asksProvider = (kind: string): boolean => asking.has(kind);

/** How long before an arranged plan ends its owner is told, by mail and in the panel (decision 0089). */
const arrangedNoticeMs = arrangedNoticeDays * dayMs;
export const deletionAfterEndMs = deletionAfterEndDays * dayMs;
export const deletionAfterPauseMs = deletionAfterPauseDays * dayMs;
/** The warning (on day 4 after a trial): three days before any deletion. */
const warningBeforeDeletionMs = 3 * dayMs;
/** Providers charge within minutes of a period's end; their event nearly always comes first. */
const truthCheckAfterMs = 10 * minuteMs;
/**
 * Late enough that little can change in between, and early enough to outlast an outage: some providers accept
 * nothing in the last half hour.
 */
export const changeBeforeRenewalMs = 3 * hourMs;

/** Everything due for the row, by kind. */
export function timersOf(row: SubscriptionFields | null): Timers {
  const timers = new Map<TimerKind, Date>();
  if (!row) return timers;
  const set = (kind: TimerKind, from: Date | null, ms = 0) => from && timers.set(kind, after(from, ms));
  const endsSoon = (end: Date | null) => {
    set("ending-in-3-days", end, -3 * dayMs);
    set("ending-in-1-day", end, -dayMs);
  };
  switch (stateOf(row)) {
    case "trial":
      endsSoon(row.periodEndsAt);
      set("trial-end", row.periodEndsAt);
      break;
    case "cancelling":
      endsSoon(row.cancelAt);
      if (isArranged(row)) {
        set("ending-in-30-days", row.cancelAt, -arrangedNoticeMs);
        set("arranged-end", row.cancelAt);
        break;
      }
      set("truth-check", row.cancelAt, truthCheckAfterMs);
      break;
    case "active":
      if (row.provider && row.periodEndsAt) timers.set("truth-check", nextTruthCheck(row.periodStartsAt, row.periodEndsAt));
      if (row.scheduledPlanId) {
        if (!row.scheduledToldAt) set("scheduled-change", row.scheduledAt, -changeBeforeRenewalMs);
        set("period-end", row.scheduledAt);
      }
      break;
    case "past-due":
      set("truth-check", row.pastDueAt ?? row.periodStartsAt, dayMs);
      break;
    case "paused":
    case "ended":
      if (!row.warnedAt) set("deletion-warning", row.deletionAt, -warningBeforeDeletionMs);
      set("deletion", row.deletionAt);
      break;
    case "gone":
      if (row.deletedLife !== null) set("deletion-report", row.deletedAt);
      if (row.provider && !row.endedAt) set("end-at-provider", row.deletedAt);
      break;
    case "none":
      break;
  }
  return timers;
}

/** Weekly, and when the period is over: a missed event is made up for within that time. */
export function nextTruthCheck(from: Date, periodEndsAt: Date): Date {
  const [week, end] = [after(from, 7 * dayMs), after(periodEndsAt, truthCheckAfterMs)];
  return week < end ? week : end;
}

export interface TimerChanges {
  arm: [TimerKind, Date][];
  clear: TimerKind[];
}

/** Reminders are not sent late, after their day. */
const reminders: ReadonlySet<TimerKind> = new Set(["ending-in-30-days", "ending-in-3-days", "ending-in-1-day"]);

/** Only what the change itself moved: an unrelated change does not rearm a timer that has run. */
export function timerChanges(before: SubscriptionFields | null, next: SubscriptionFields, now: Date): TimerChanges {
  const old = timersOf(before);
  const wanted = timersOf(next);
  const tooLate = ([kind, dueAt]: [TimerKind, Date]) => reminders.has(kind) && dueAt <= now;
  const moved = [...wanted].filter(([kind, dueAt]) => old.get(kind)?.getTime() !== dueAt.getTime());
  return {
    arm: moved.filter((timer) => !tooLate(timer)),
    clear: [...[...old.keys()].filter((kind) => !wanted.has(kind)), ...moved.filter(tooLate).map(([kind]) => kind)],
  };
}
