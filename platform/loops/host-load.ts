/** Whether this host's processors have free capacity, by the system's own counters. */
import { cpus } from "node:os";

/** A shorter interval would take one process's busy second for a busy host. */
const lookEveryMs = 1_000;
const busyFrom = 0.85;

/** Returns a function that says whether the processors were busy between the last two samples, which are at least a second apart. */
export function createHostLoad(): () => boolean {
  let last = { at: performance.now(), ...readTimes() };
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - last.at < lookEveryMs) return isBusy;
    const times = readTimes();
    isBusy = times.busy - last.busy > busyFrom * (times.all - last.all);
    last = { at: now, ...times };
    return isBusy;
  };
}

function readTimes(): { busy: number; all: number } {
  let [busy, all] = [0, 0];
  for (const { times } of cpus()) {
    const used = times.user + times.nice + times.sys + times.irq;
    busy += used;
    all += used + times.idle;
  }
  return { busy, all };
}
