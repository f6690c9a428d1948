/** For tests whose figures belong to one UTC day, as usage is counted. */
import { setTimeout as sleep } from "node:timers/promises";
import { dayMs, secondMs } from "#platform/clock.ts";

/** Waits for the next UTC day if less than `neededMs` of this one is left: the figures would be divided between the two. */
export async function waitForRoomInDay(neededMs: number): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < neededMs) await sleep(leftMs + secondMs);
}
