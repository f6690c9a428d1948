/** Whether this host's processors have free capacity, by the system's own counters; in a container with a limit, also its own. */
import { readGroupProcessors, readHostProcessors, type Processors } from "./host-limits.ts";

/** A shorter interval would take one process's busy second for a busy host. */
const lookEveryMs = 1_000;
const busyFrom = 0.85;

type Times = Pick<Processors, "busyMs" | "allMs">;

/** What tests replace. */
interface Counters {
  /** The folder of the control groups. */
  groups: string;
  host(): Times;
  now(): number;
}

/** Returns a function that says whether the processors were busy between the last two samples, which are at least a second apart. */
export function createHostLoad(counters: Partial<Counters> = {}): () => boolean {
  const { groups, host, now } = { groups: undefined, host: readHostProcessors, now: () => performance.now(), ...counters };
  const readAll = () => [host(), readGroupProcessors(groups, now())];
  let last = { at: now(), times: readAll() };
  let isBusy = false;
  return () => {
    const at = now();
    if (at - last.at < lookEveryMs) return isBusy;
    const times = readAll();
    isBusy = times.some((each, index) => each !== undefined && isBusySince(last.times[index], each));
    last = { at, times };
    return isBusy;
  };
}

const isBusySince = (before: Times | undefined, { busyMs, allMs }: Times): boolean =>
  before ? busyMs - before.busyMs > busyFrom * (allMs - before.allMs) : false;
