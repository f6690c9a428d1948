/**
 * Which measurements of workspaces' usage are worth a row. Most workspaces are idle and use the same for hours: a row for each of 100,000
 * of them in each minute would be 1,700 a second.
 */
import { sinceMs } from "#platform/clock.ts";
import type { LoadSample } from "#domain/workspaces/observed/load-store.ts";

/** Measurements taken at one moment, by workspace. */
interface Measured {
  at: Date;
  load: ReadonlyMap<string, LoadSample>;
}

export interface SampleChoice {
  /** Which of these measurements, and of the previous ones, to save. Workspaces that are missing from them have stopped. */
  choose(measured: Measured): Measured[];
  /** The last choice could not be saved: the next measurements all count as new. */
  forget(): void;
}

/** Smaller differences cannot be seen in a graph. */
const changedShare = 0.05;
const leastChangeMb = 16;
/** In percent of one processor: an idle n8n uses 1 to 3, and each look at it a little. */
const leastCpuChange = 10;
/** The panel's graph takes longer pauses for a time in which nothing ran (plot.ts). */
const mostPauseMs = 10 * 60_000;

interface Known {
  saved: LoadSample;
  savedAt: Date;
  /** The newest one, if it was not saved. */
  skipped?: LoadSample;
}

/** Remembers in memory what was saved: after a restart of the program, each running workspace gets one extra row. */
export function createSampleChoice(): SampleChoice {
  let known = new Map<string, Known>();
  let previousAt = new Date(0);
  return {
    choose({ at, load }) {
      const before = new Map<string, LoadSample>();
      const now = new Map<string, LoadSample>();
      const next = new Map<string, Known>();
      for (const [id, sample] of load) {
        const last = known.get(id);
        const changed = last && isChanged(last.saved, sample);
        // The value until then is saved with it, so that the graph shows a step instead of a slope.
        if (changed && last.skipped !== undefined) before.set(id, last.skipped);
        const isSaved = !last || changed || sinceMs(last.savedAt, at) >= mostPauseMs;
        if (isSaved) now.set(id, sample);
        next.set(id, isSaved ? { saved: sample, savedAt: at } : { ...last, skipped: sample });
      }
      const chosen = [
        { at: previousAt, load: before },
        { at, load: now },
      ];
      known = next;
      previousAt = at;
      return chosen.filter((each) => each.load.size > 0);
    },
    forget() {
      known = new Map();
    },
  };
}

function isChanged(saved: LoadSample, now: LoadSample): boolean {
  const moved = (before: number | null, mb: number | null, least: number) =>
    (before === null) !== (mb === null) || Math.abs((mb ?? 0) - (before ?? 0)) > Math.max(least, (before ?? 0) * changedShare);
  return (
    moved(saved.memoryMb, now.memoryMb, leastChangeMb) ||
    moved(saved.diskMb, now.diskMb, leastChangeMb) ||
    moved(saved.cpuPercent, now.cpuPercent, leastCpuChange)
  );
}
