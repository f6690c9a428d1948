/** When the executions of a plan begin to count anew. Months follow the day the subscription began on; a trial is one period. */

import { addMonths } from "#platform/calendar.ts";
import { hourMs } from "#platform/clock.ts";

export interface UsageAnchor {
  /** When the subscription, or the trial, began. */
  startedAt: Date;
  isTrial: boolean;
}

/** A year and a month of periods: a workspace that hears nothing for so long still starts anew in time. */
const toldPeriods = 13;

/** Starts of the period that `now` is in and of those after it, oldest first; a trial has one. */
export function periodStarts({ startedAt, isTrial }: UsageAnchor, now: Date): Date[] {
  if (isTrial) return [startedAt];
  const first = monthsSince(startedAt, now);
  return Array.from({ length: toldPeriods }, (_, index) => addMonths(startedAt, first + index));
}

/** Events and workers are that much late where nothing is wrong. */
const usualDelayMs = hourMs;

/**
 * The anchor of periods of which one begins where less is allowed than before, due at `at` and granted `now`: the same, where one begins
 * then already. Granted late, it begins now: until now there was more to use.
 */
export function anchorOfLess(startedAt: Date, at: Date, now: Date): Date {
  const begins = now.getTime() - at.getTime() > usualDelayMs ? now : at;
  return begins >= startedAt && addMonths(startedAt, monthsSince(startedAt, begins)).getTime() === begins.getTime() ? startedAt : begins;
}

/** Whole months between; none while `now` is before the start. */
function monthsSince(startedAt: Date, now: Date): number {
  const guess = (now.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + now.getUTCMonth() - startedAt.getUTCMonth();
  return Math.max(0, addMonths(startedAt, guess) > now ? guess - 1 : guess);
}
