/**
 * Chooses which workspaces leave a host that is being drained, a few at a time: each is offline from its stop until it has started
 * elsewhere. The remaining work is recorded in the rows, so nothing is lost if a worker dies.
 */
import { listStillToMove, listToMove, makeMoveDue } from "#domain/workspaces/hosts/host-store.ts";
import { hourMs, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { KeptHost } from "./keep-host.ts";

export interface MovingOut {
  /** Whether this workspace should leave now. */
  has(workspaceId: string): boolean;
  /** It could not be copied: it stays for a while, and others go first. */
  putOff(workspaceId: string): void;
  stop(): Promise<void>;
}

const mostAtOnce = 2;
const everyMs = 2 * secondMs;
/** Longer than a stop and a copy may take. One that has not left by then does not answer, and others go first. */
const patienceMs = 75 * minuteMs;
/** Each attempt takes it offline for as long as its copy takes: one that can't be copied at all is tried a few times a day. */
const firstPutOffMs = 10 * minuteMs;
const longestPutOffMs = 6 * hourMs;

interface MoveOutOptions {
  db: Database;
  host: Pick<KeptHost, "name" | "isDraining">;
  clock: Clock;
  log: Log;
  rounds?: Rounds | undefined;
}

export function startMovingOut({ db, host, clock, log, rounds }: MoveOutOptions, lookMs = everyMs): MovingOut {
  /** Since when, by `performance.now`. */
  const chosen = new Map<string, number>();
  /** `until` by `performance.now`. */
  const puttingOff = new Map<string, { until: number; times: number }>();
  const putOff = (id: string): void => {
    chosen.delete(id);
    const times = (puttingOff.get(id)?.times ?? 0) + 1;
    puttingOff.set(id, { until: performance.now() + Math.min(firstPutOffMs * 2 ** (times - 1), longestPutOffMs), times });
  };
  const loop = createWakeLoop({
    async work() {
      if (!host.isDraining()) {
        chosen.clear();
        return puttingOff.clear();
      }
      const now = performance.now();
      const here = new Set(await listStillToMove(db, host.name, [...chosen.keys()]));
      for (const [id, since] of chosen) {
        if (!here.has(id)) chosen.delete(id);
        else if (since < now - patienceMs) putOff(id);
      }
      if (chosen.size >= mostAtOnce) return;
      const resting = [...puttingOff].filter(([, { until }]) => until >= now).map(([id]) => id);
      const except = [...resting, ...chosen.keys()];
      for (const id of await listToMove(db, host.name, { most: mostAtOnce - chosen.size, except })) {
        chosen.set(id, now);
        await makeMoveDue(db, id, host.name, clock.now());
      }
    },
    followed: { by: rounds, name: "drain" },
    onError: (err) => log.warn({ err }, "the next workspaces to move could not be chosen"),
  });
  loop.start(lookMs);
  return {
    has: (id) => chosen.has(id),
    putOff,
    stop: () => loop.stop(),
  };
}
