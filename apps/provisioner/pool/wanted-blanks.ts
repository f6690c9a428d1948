/** How many blanks there should be. */
import { countLaunches } from "#domain/workspaces/blanks/blank-store.ts";
import { after, hourMs } from "#platform/clock.ts";
import type { Pool } from "./pool.ts";

/** Demand is the average of so many hours: a wave of sign-ups lasts hours, and a blank takes a minute. */
const demandHours = 6;

/** Part of a workspace's memory: below that, the host gives up what it keeps for launches that may never come. */
const scarcePart = 0.5;

/** One, and one more for each launch an hour; none on a host that is short of memory. */
export async function wantedBlanks({ db, clock, most, availableMb }: Pool, memoryMb: number): Promise<number> {
  if (most === 0 || availableMb() < memoryMb * scarcePart) return 0;
  const launches = await countLaunches(db, after(clock.now(), -demandHours * hourMs));
  return Math.min(most, 1 + Math.ceil(launches / demandHours));
}

/** Whether one more may start: beside it, a workspace of the same size could. */
export const hasRoomForBlank = ({ availableMb }: Pool, memoryMb: number): boolean => availableMb() >= 2 * memoryMb;
