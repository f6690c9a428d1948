/** Whether this host's processors have anything left, as the system itself counts. */
import { cpus } from "node:os";

/** A shorter look would take one process's second for a busy host. */
const lookEveryMs = 1_000;
const busyFrom = 0.85;

/** The function it returns says whether the processors were busy from the look before last to the last one, each a second or more apart. */
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
