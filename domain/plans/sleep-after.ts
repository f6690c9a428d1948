/** When an idle workspace falls asleep, and when it is stopped, by its plan. */
import { minuteMs } from "#platform/clock.ts";

/** For plans that say nothing, such as those in an operator's own catalogue. */
const usualMinutes = 30;

/** How long a workspace of this plan must be unused before it falls asleep. */
export function sleepAfterMs(spec: { sleepAfterMinutes?: number } | null): number {
  return (spec?.sleepAfterMinutes ?? usualMinutes) * minuteMs;
}

/** As the smallest paid plan. */
const usualStopMinutes = 720;

/** How long a workspace of this plan must be unused before it is stopped, so that its next use takes a start. */
export function stopAfterMs(spec: { stopAfterMinutes?: number } | null): number {
  return (spec?.stopAfterMinutes ?? usualStopMinutes) * minuteMs;
}
