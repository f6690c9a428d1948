/** How many blanks there should be. */
import { readHostMemory } from "#platform/loops/host-limits.ts";
import { countLaunches } from "#domain/workspaces/blanks/blank-store.ts";
import { after, hourMs } from "#platform/clock.ts";
import type { Pool } from "./pool.ts";

/** Demand is the average over so many hours: a wave of sign-ups lasts hours, and a blank takes a minute. */
const demandHours = 6;

/** As a fraction of a workspace's memory: with less free, the host gives up blanks kept for launches that may never come. */
const scarcePart = 0.5;

/**
 * The limit for `WORKSPACE_POOL=auto`. A blank takes up to 140 MB (7 MB, and 130 MB of compressed pages): of the smallest host
 * with one, 3.5 %; of the smallest with two, 1.7 %. Two serve launches that come within the minute that the next blank takes.
 * @param totalMb of the host or its container.
 */
export function usualMost(totalMb = readHostMemory().totalMb): number {
  // A little is reserved by the machine: 4 GB are 3.8 here.
  if (totalMb >= 15_000) return 2;
  return totalMb >= 3_500 ? 1 : 0;
}

/** One, and one more for each launch an hour; none on a host that is short of memory. */
export async function wantedBlanks({ db, clock, driver, most, availableMb }: Pool, memoryMb: number): Promise<number> {
  if (most === 0 || (!driver.startsElsewhere && availableMb() < memoryMb * scarcePart)) return 0;
  const launches = await countLaunches(db, after(clock.now(), -demandHours * hourMs));
  return Math.min(most, 1 + Math.ceil(launches / demandHours));
}

/** Whether one more may start: beside it, a workspace of the same size could. A cluster knows that itself, and lets it wait. */
export const hasRoomForBlank = ({ driver, availableMb }: Pool, memoryMb: number): boolean =>
  driver.startsElsewhere === true || availableMb() >= 2 * memoryMb;
