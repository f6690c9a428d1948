/**
 * When to look at a healthy workspace again, if nothing else makes it due earlier. docs/reconciler.md says what each guarantee of the
 * reconciler relies on between two looks.
 */
import { after, hourMs, minuteMs } from "#platform/clock.ts";

/** While it is in use. */
const leastMs = minuteMs;
/** Four looks a day: 100,000 quiet workspaces cost five passes a second. */
const mostMs = 6 * hourMs;
/** Workspaces that were started together are not looked at together: the wait is up to this share shorter. */
const spread = 0.25;

/** For a step whose work should be repeated or continued soon. */
export const lookAgainMs = leastMs;

/**
 * As far ahead as the workspace has been quiet, so that an unreported change is found after at most the time in which nothing had changed
 * before. A workspace with recent failures is looked at each minute, so that they are forgiven in time.
 */
export function nextLook(
  { number, activeAt, updatedAt }: { number: number; activeAt: Date | null; updatedAt: Date },
  { startedAt, failures }: { startedAt: Date | null; failures: number },
  now: Date,
): Date {
  const quietSince = Math.max(activeAt?.getTime() ?? 0, startedAt?.getTime() ?? 0, updatedAt.getTime());
  // Negative after the clock was set back.
  const quietMs = failures > 0 ? 0 : now.getTime() - quietSince;
  const wholeMs = Math.min(Math.max(quietMs, leastMs), mostMs);
  return after(now, Math.max(leastMs, wholeMs * (1 - spread * shareOf(number))));
}

/** Between 0 and 1, far apart for consecutive numbers: the multiples of the golden ratio. */
const shareOf = (number: number): number => (number * 0.618_033_988_749_895) % 1;
