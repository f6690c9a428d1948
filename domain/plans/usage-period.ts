/** When a plan's execution count restarts. Months follow the day the subscription began; a trial is one period. */

import { addMonths } from "#platform/calendar.ts";
import { after, hourMs } from "#platform/clock.ts";

interface UsageAnchor {
  /** When the subscription, or the trial, began. */
  startedAt: Date;
  isTrial: boolean;
  /** From when on nothing is paid; null: all is. */
  unpaidFrom: Date | null;
}

/** A year and a month of periods: a workspace that is not updated for that long still restarts its count on time. */
const toldPeriods = 13;

/** Providers round the start of a period. */
const roundedMs = hourMs;

/**
 * The starts of the period containing `now` and of later ones, oldest first; a trial has one. No period begins before its payment: until
 * then, the last paid one continues.
 */
export function periodStarts({ startedAt, isTrial, unpaidFrom }: UsageAnchor, now: Date): Date[] {
  if (isTrial) return [startedAt];
  const paidUntil = unpaidFrom && after(unpaidFrom, -roundedMs);
  if (paidUntil && paidUntil <= now) return [addMonths(startedAt, monthsSince(startedAt, after(paidUntil, -1)))];
  const first = monthsSince(startedAt, now);
  return Array.from({ length: toldPeriods }, (_, index) => addMonths(startedAt, first + index));
}

/** The usual delay of events and workers. */
const usualDelayMs = hourMs;

/**
 * The anchor for periods after a change to lower limits, due at `at` and granted at `now`. It stays the same if a period begins at `at`
 * anyway. A late grant begins a period now, since the higher limits applied until now.
 */
export function anchorOfLess(startedAt: Date, at: Date, now: Date): Date {
  const begins = now.getTime() - at.getTime() > usualDelayMs ? now : at;
  return begins >= startedAt && addMonths(startedAt, monthsSince(startedAt, begins)).getTime() === begins.getTime() ? startedAt : begins;
}

/** Whole months between the two; zero while `now` is before the start. */
function monthsSince(startedAt: Date, now: Date): number {
  const guess = (now.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + now.getUTCMonth() - startedAt.getUTCMonth();
  return Math.max(0, addMonths(startedAt, guess) > now ? guess - 1 : guess);
}
