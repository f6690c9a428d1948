/**
 * Moves the service's time forward, from one due moment to the next: so even if a year passes in one call, the warning is still sent before
 * the end, and renews before it checks the renewal.
 */
import { setTimeout as delay } from "node:timers/promises";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { prolongSessions } from "#domain/accounts/sessions/session-store.ts";
import { moveClockAhead } from "#domain/service-clock/service-clock-store.ts";
import { addMonths } from "#platform/calendar.ts";
import { after, dayMs, hourMs, minuteMs, secondMs, type MovableClock } from "#platform/clock.ts";
import { AppError } from "#platform/app-error.ts";
import type { Database } from "#platform/database.ts";

/** Something that happens at its time. */
export interface DueWork {
  /** When it is next due; in the past while it is being done. Null: nothing waits. */
  nextDueAt(): Promise<Date | null>;
}

export interface TimeTravel {
  clock: MovableClock;
  dueWork: readonly DueWork[];
  /** Wakes this process's loops; other processes get a notification. */
  wake(): void;
}

/** The caller should not wait longer. After this the clock is set to its target, and the remaining work is done there. */
const boundMs = 25 * secondMs;
const lookEveryMs = 20;

const unitMs = { d: dayMs, h: hourMs, m: minuteMs, s: secondMs };

/** The time after a step such as "14d", "3h", "10m", "30s", or "1mo" for a calendar month. */
export function stepFrom(at: Date, step: string): Date {
  const [, count, unit] = /^(\d+)(mo|d|h|m|s)$/.exec(step) ?? [];
  if (count === undefined || unit === undefined) throw new Error(`"${step}" is no step of time`);
  return unit === "mo" ? addMonths(at, Number(count)) : after(at, Number(count) * unitMs[unit as keyof typeof unitMs]);
}

/**
 * Further than anything is tried, and far from year 9999, after which neither PostgreSQL nor the API's own dates could be read: a sandbox
 * moved there would never answer again.
 */
const mostAheadMs = 36_525 * dayMs;

function refuseTooFar(aheadMs: number): void {
  if (aheadMs <= mostAheadMs) return;
  const code: FieldCode = "clock.too_far";
  throw new AppError("validation_failed", { errors: [{ path: "advance", code, message: fieldMessage(code) }] });
}

let lastMove: Promise<unknown> = Promise.resolve();

/** Moves by `step`, to 100 years ahead at most (AppError `validation_failed`); resolves once all due work is done, or after 25 s with `settled` false. Two moves of one process follow each other. */
export function moveClock(db: Database, travel: TimeTravel, step: string): Promise<{ settled: boolean }> {
  const move = lastMove.then(() => moveThrough(db, travel, step));
  lastMove = move.catch(() => undefined);
  return move;
}

async function moveThrough(db: Database, travel: TimeTravel, step: string): Promise<{ settled: boolean }> {
  const now = travel.clock.now();
  const target = stepFrom(now, step);
  // Before the first jump, so that nothing has moved.
  refuseTooFar(travel.clock.aheadMs() + target.getTime() - now.getTime());
  const deadline = performance.now() + boundMs;
  for (;;) {
    await settle(travel, deadline);
    const next = await earliestDue(travel.dueWork);
    const isLate = performance.now() >= deadline;
    const stop = isLate || next === null || next >= target ? target : next;
    await jumpTo(db, travel, stop);
    if (stop === target) return { settled: await settle(travel, isLate ? performance.now() : deadline) };
  }
}

async function jumpTo(db: Database, { clock, wake }: TimeTravel, at: Date): Promise<void> {
  const ms = at.getTime() - clock.now().getTime();
  if (ms > 0) {
    const ahead = await db.transaction(async (tx) => {
      await prolongSessions(tx, ms);
      const total = await moveClockAhead(tx, ms);
      // Another process may have moved it as well.
      refuseTooFar(total);
      return total;
    });
    clock.setAhead(ahead);
  }
  wake();
}

/** Waits until nothing is due; false when the deadline came first. */
export async function settle({ clock, dueWork, wake }: TimeTravel, deadline: number): Promise<boolean> {
  for (;;) {
    const next = await earliestDue(dueWork);
    if (next === null || next > clock.now()) return true;
    if (performance.now() >= deadline) return false;
    wake();
    await delay(lookEveryMs);
  }
}

async function earliestDue(dueWork: readonly DueWork[]): Promise<Date | null> {
  const moments = (await Promise.all(dueWork.map((work) => work.nextDueAt()))).filter((at) => at !== null);
  return moments.length === 0 ? null : new Date(Math.min(...moments.map((at) => at.getTime())));
}
