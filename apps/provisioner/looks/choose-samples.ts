/**
 * Which measurements of memory are worth a row. Most workspaces have nothing to do and use the same for hours: a row for each of 100,000 of
 * them in each minute would be 1,700 a second.
 */

/** Measurements of one moment, in MB by workspace. */
export interface Measured {
  at: Date;
  memoryMb: ReadonlyMap<string, number>;
}

export interface SampleChoice {
  /** What to save of these measurements, and of the previous ones. Workspaces that are missing from them have stopped. */
  choose(measured: Measured): Measured[];
  /** What was chosen last could not be saved: the next measurements all count as new. */
  forget(): void;
}

/** Less cannot be seen in a graph. */
const changedShare = 0.05;
const leastChangeMb = 16;
/** The panel's graph takes longer pauses for a time in which nothing ran (memory-plot.ts). */
const mostPauseMs = 10 * 60_000;

interface Known {
  savedMb: number;
  savedAt: Date;
  /** The newest one, if it was not saved. */
  skippedMb?: number;
}

/** Remembers in memory what was saved: after a restart of the program, each running workspace has one row more. */
export function createSampleChoice(): SampleChoice {
  let known = new Map<string, Known>();
  let previousAt = new Date(0);
  return {
    choose({ at, memoryMb }) {
      const before = new Map<string, number>();
      const now = new Map<string, number>();
      const next = new Map<string, Known>();
      for (const [id, mb] of memoryMb) {
        const last = known.get(id);
        const isChanged = last && Math.abs(mb - last.savedMb) > Math.max(leastChangeMb, last.savedMb * changedShare);
        // The value until then is saved with it: the graph shows a step instead of a slope.
        if (isChanged && last.skippedMb !== undefined) before.set(id, last.skippedMb);
        const isSaved = !last || isChanged || at.getTime() - last.savedAt.getTime() >= mostPauseMs;
        if (isSaved) now.set(id, mb);
        next.set(id, isSaved ? { savedMb: mb, savedAt: at } : { ...last, skippedMb: mb });
      }
      const chosen = [
        { at: previousAt, memoryMb: before },
        { at, memoryMb: now },
      ];
      known = next;
      previousAt = at;
      return chosen.filter((each) => each.memoryMb.size > 0);
    },
    forget() {
      known = new Map();
    },
  };
}
