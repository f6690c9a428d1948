/**
 * How much processor time each workspace gets: more while it starts, then its normal share as long as no others need it. If others do, it
 * gets half its share once it has used all of it for a while. Otherwise, on a small host, one tenant that is always busy makes every
 * neighbour wait twice as long (measured: 2.1 times with one of two processors, 1.5 times with half of one). Decision 0069.
 */
import { secondMs } from "#platform/clock.ts";
import { readProcessors } from "#platform/loops/host-limits.ts";

/**
 * How long a start may have its larger share: 20 s are enough even on a busy machine (measured with n8n, the slowest to start). Longer, a
 * tenant could take more from its neighbours.
 */
export const startMs = 30 * secondMs;
/** The part of its share that an always busy workspace keeps. */
export const lastingPart = 0.5;
/** Using 90 % of its share counts as wanting all of it, because the kernel's counts vary by a few percent. */
const askingPart = 0.9;
/** Seconds for which a workspace may use its full share: twenty times what an execution takes. */
const burstSeconds = 1;
/** The burst after a start, for the work that an engine still does once it answers, and for its owner's first look at the editor. */
const burstAfterStart = 4;
/** Unused burst above the normal maximum expires at this rate, in seconds per second. */
const lapses = 0.2;
/** The part of the host that may be busy before any workspace is limited. */
const busyPart = 0.7;
/** If the others use less than this part of the host, they have no waiting work, however small the host is, and no workspace is limited. */
const idlePart = 0.2;
/** Time between two looks at the whole host. */
const hostLookMs = secondMs / 2;

export interface Share {
  /** Seconds at the full share that remain; at 0 they are used up. */
  burst: number;
  /** The current limit, in processors. */
  cpus: number;
}

/** Processors in use since the last look, by the workspace and by everything else, and the number of processors. */
interface ProcessorUse {
  seconds: number;
  own: number;
  others: number;
  processors: number;
}

/** The share from this look on, of at most `cpus`. */
export function nextShare({ burst, cpus: held }: Share, { seconds, own, others, processors }: ProcessorUse, cpus: number): Share {
  const asksForAll = own >= held * askingPart;
  const most = Math.max(burst - seconds * lapses, burstSeconds);
  // Never below zero: a debt would take a workspace minutes to pay off after it becomes idle.
  const next = Math.max(-burstSeconds, Math.min(most, burst + (asksForAll ? -seconds : seconds)));
  const hasRoom = others <= Math.max(processors * busyPart - cpus, processors * idlePart);
  return { burst: next, cpus: next > 0 || hasRoom ? cpus : cpus * lastingPart };
}

/** A running process of a workspace. */
interface Runner {
  pid: number;
  uid: number;
  startedAt: Date;
}

interface ProcessorSharesOptions {
  /** Processors for each workspace. */
  cpus: number;
  now(): Date;
  /** Processor seconds that the workspace has used since its start, if known. */
  used(runner: Runner): number | undefined;
  hold(runner: Runner, cpus: number): Promise<void>;
}

export interface ProcessorShares {
  /** Looks at a running workspace and limits it to its share. Call it about once a second. */
  look(workspaceId: string, runner: Runner): Promise<void>;
  /** The workspace answers: its larger share for the start ends with the next look. */
  endStart(workspaceId: string): void;
  forget(workspaceId: string): void;
}

interface Known {
  pid: number;
  seenAtMs: number;
  lookedAtMs: number;
  used: number | undefined;
  /** None during the start. */
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
      const total = used(runner);
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
      // A limit is set again at each look: another worker of this host with less information may have lifted it.
      if (next.cpus < cpus || share.cpus < cpus) await hold(runner, next.cpus);
    },
    endStart: (workspaceId) => void answering.add(workspaceId),
    forget: (workspaceId) => {
      known.delete(workspaceId);
      answering.delete(workspaceId);
    },
  };
}

/** How many processors of the host were busy recently, and how many there are. */
function createHostLook(): () => { busy: number; processors: number } {
  let [atMs, last, busy] = [performance.now(), readProcessors(), 0];
  return () => {
    const nowMs = performance.now();
    if (nowMs - atMs >= hostLookMs) {
      const now = readProcessors();
      busy = (now.busyMs - last.busyMs) / (nowMs - atMs);
      [atMs, last] = [nowMs, now];
    }
    return { busy, processors: last.count };
  };
}
