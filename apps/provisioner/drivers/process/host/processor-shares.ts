/**
 * How much processor time each workspace has. More while it starts; then what it was given, for as long as nobody else needs it; and where
 * others do, half of it once it has asked for all of it for a while. Without that a tenant of a small host that never rests makes every
 * neighbour wait twice as long (measured: 2.1 times with one of two processors, 1.5 times with half of one). Decision 0069.
 */
import os from "node:os";
import { secondMs } from "#platform/clock.ts";

/** n8n is ready within 20 s on a machine that has other work, too. More would be time in which a tenant may take from its neighbours. */
export const startMs = 30 * secondMs;
/** The part of its time that is left to a workspace that never rests. */
export const lastingPart = 0.5;
/** Who uses this part of what there is for it asks for all of it: the kernel's own counts differ by some hundredths. */
const askingPart = 0.9;
/** Seconds for which a workspace may ask for all that it has: twenty times what an execution of n8n takes. */
const burstSeconds = 1;
/** The same after a start, for what n8n still does once it answers, and for its owner's first look at the editor. */
const burstAfterStart = 4;
/** What of that is not used lapses, in seconds per second. */
const lapses = 0.2;
/** The part of the host that may be busy before anybody is held back. */
const busyPart = 0.7;
/** Others who use no more than this part of the host have no work to wait with, however small it is: what nobody needs is not taken away. */
const idlePart = 0.2;
/** Between two looks at the whole host. */
const hostLookMs = secondMs / 2;

export interface Share {
  /** Seconds of all that it has; at 0 they are used up. */
  burst: number;
  /** What it is held to, in processors. */
  cpus: number;
}

/** What one look found: processors that the workspace used since the last, those that everybody else used, and those there are. */
export interface ProcessorUse {
  seconds: number;
  own: number;
  others: number;
  processors: number;
}

/** The share from this look on, of at most `cpus`. */
export function nextShare({ burst, cpus: held }: Share, { seconds, own, others, processors }: ProcessorUse, cpus: number): Share {
  const asksForAll = own >= held * askingPart;
  const most = Math.max(burst - seconds * lapses, burstSeconds);
  // Never a debt that somebody who has come to rest would pay for minutes.
  const next = Math.max(-burstSeconds, Math.min(most, burst + (asksForAll ? -seconds : seconds)));
  const hasRoom = others <= Math.max(processors * busyPart - cpus, processors * idlePart);
  return { burst: next, cpus: next > 0 || hasRoom ? cpus : cpus * lastingPart };
}

/** A running process of a workspace. */
export interface Runner {
  pid: number;
  uid: number;
  startedAt: Date;
}

export interface ProcessorSharesOptions {
  /** Processors' worth of time for each. */
  cpus: number;
  now(): Date;
  /** Processor seconds the workspace has used since its start; nothing where that cannot be told. */
  used(runner: Runner): Promise<number | undefined>;
  hold(runner: Runner, cpus: number): Promise<void>;
}

export interface ProcessorShares {
  /** Looks at one that runs, and holds it to its share. To be called about once a second. */
  look(workspaceId: string, runner: Runner): Promise<void>;
  /** It answers: what it had for its start ends with the next look. */
  endStart(workspaceId: string): void;
  forget(workspaceId: string): void;
}

interface Known {
  pid: number;
  seenAtMs: number;
  lookedAtMs: number;
  used: number | undefined;
  /** None while it starts. */
  share?: Share;
}

export function createProcessorShares({ cpus, now, used, hold }: ProcessorSharesOptions): ProcessorShares {
  const known = new Map<string, Known>();
  const answering = new Set<string>();
  const host = createHostLook();

  const startIsOver = (workspaceId: string, { startedAt }: Runner, { seenAtMs }: Known): boolean =>
    answering.has(workspaceId) || performance.now() - seenAtMs >= startMs || now().getTime() - startedAt.getTime() >= startMs;

  return {
    look: async (workspaceId, runner) => {
      const total = await used(runner);
      const atMs = performance.now();
      const before = known.get(workspaceId);
      if (before?.pid !== runner.pid) {
        if (before) answering.delete(workspaceId);
        known.set(workspaceId, { pid: runner.pid, seenAtMs: atMs, lookedAtMs: atMs, used: total });
        return;
      }
      const { share } = before;
      if (!share) {
        Object.assign(before, { lookedAtMs: atMs, used: total });
        if (!startIsOver(workspaceId, runner, before)) return;
        before.share = { burst: burstAfterStart, cpus };
        return hold(runner, cpus);
      }
      const seconds = (atMs - before.lookedAtMs) / secondMs;
      if (total === undefined || before.used === undefined || seconds < 0.1) return;
      const own = (total - before.used) / seconds;
      const { busy, processors } = host();
      const next = nextShare(share, { seconds, own, others: Math.max(0, busy - own), processors }, cpus);
      Object.assign(before, { lookedAtMs: atMs, used: total, share: next });
      // One that is held back is so anew at each look: another worker of this host, which has not seen as much, may have let it go.
      if (next.cpus < cpus || share.cpus < cpus) await hold(runner, next.cpus);
    },
    endStart: (workspaceId) => void answering.add(workspaceId),
    forget: (workspaceId) => {
      known.delete(workspaceId);
      answering.delete(workspaceId);
    },
  };
}

/** How many processors of the host were busy lately, and how many there are. */
function createHostLook(): () => { busy: number; processors: number } {
  let [atMs, busyMs, busy] = [performance.now(), busyTime(), 0];
  return () => {
    const nowMs = performance.now();
    if (nowMs - atMs >= hostLookMs) {
      const total = busyTime();
      busy = (total - busyMs) / (nowMs - atMs);
      [atMs, busyMs] = [nowMs, total];
    }
    return { busy, processors: os.availableParallelism() };
  };
}

/** Milliseconds that the host's processors have worked, all together. */
const busyTime = (): number => os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
