/**
 * When a workspace has its nightly backup: during its local night, at a minute that depends on the account, so that a fleet's backups are
 * spread.
 */
import { createHash } from "node:crypto";
import type { NightlyCandidate, NightlyTurn } from "./nightly-store.ts";
import { after, hourMs, minuteMs, sinceMs } from "#platform/clock.ts";

/** Local minutes, from midnight. */
const nightMinutes = 6 * 60;
const dayMinutes = 24 * 60;
/** Prevents two in one night, even when clocks change or a customer changes the timezone. */
export const leastPauseMs = 18 * hourMs;
/** The night was missed because the service was down or the workspace asleep: any time is acceptable now. */
const longestPauseMs = 30 * hourMs;

/** No check is put off for longer: such a time was written before a clock was set back. */
export const mostPutOffMs = longestPauseMs + 6 * hourMs;

/** The account's minute of the night: the same each night. */
export function nightlyMinute(accountId: string): number {
  return createHash("sha256").update(accountId).digest().readUInt32BE(0) % nightMinutes;
}

/** Whether the nightly backup is due. */
export function isNightlyDue(
  { accountId, timezone, lastAt }: Pick<NightlyCandidate, "accountId" | "timezone" | "lastAt">,
  now: Date,
): boolean {
  const pauseMs = sinceMs(lastAt, now);
  if (pauseMs < leastPauseMs) return false;
  const minute = localMinute(timezone, now);
  return pauseMs >= longestPauseMs || (minute < nightMinutes && minute >= nightlyMinute(accountId));
}

/** Until when a workspace whose nightly backup is not due now can be left alone. After that, it may have to wait again. */
export function nextNightlyCheck(
  { accountId, timezone, lastAt }: Pick<NightlyCandidate, "accountId" | "timezone" | "lastAt">,
  now: Date,
): Date {
  const allowedAt = after(lastAt, leastPauseMs);
  if (sinceMs(lastAt, now) < leastPauseMs) return allowedAt;
  const minutes = (nightlyMinute(accountId) - localMinute(timezone, now) + dayMinutes) % dayMinutes;
  const atNight = after(now, Math.max(1, minutes) * minuteMs);
  const overdueAt = after(lastAt, longestPauseMs);
  return overdueAt < atNight ? overdueAt : atNight;
}

/** A few checks find the next night; more than this many mean that the schedule never reaches one. */
const mostChecks = 10;

/** When the next nightly backup becomes due: the checks that the worker would make, made ahead. Now if it is due already. */
export function nextNightlyAt({ nightlyAt, ...candidate }: NightlyTurn, now: Date): Date {
  let at = nightlyAt > now ? nightlyAt : now;
  for (let checks = 0; checks < mostChecks && !isNightlyDue(candidate, at); checks += 1) at = nextNightlyCheck(candidate, at);
  return at;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localMinute(timezone: string, now: Date): number {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    formats.set(timezone, format);
  }
  const [hours = 0, minutes = 0] = format.format(now).split(":").map(Number);
  return hours * 60 + minutes;
}
