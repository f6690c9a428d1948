/** What moving the service's clock needs: the clock, and whatever waits for a time. */
import type { MovableClock } from "#platform/clock.ts";

/** Something that happens at its time. */
export interface DueWork {
  /** When it next has something to do; in the past while that is being done. Null: nothing waits. */
  nextDueAt(): Promise<Date | null>;
}

export interface TimeTravel {
  clock: MovableClock;
  dueWork: readonly DueWork[];
  /** Lets this process's loops look at once; others hear a notification. */
  wake(): void;
}
