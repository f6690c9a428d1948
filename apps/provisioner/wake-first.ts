/**
 * Wakes a workspace before a worker calls it outside a reconcile pass: for backups, exports, and looks. Such a call counts as a use, so the
 * workspace falls asleep again according to its plan.
 */
import { isAsleep, recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Engine } from "./engines/engine.ts";

interface Waker {
  /** Resolves once the workspace is awake, and online if it had to be started; rejects after 90 s. */
  wake(workspaceId: string): Promise<void>;
  /** The workspace's row changed. */
  changed(workspaceId: string): void;
}

/** A cold start takes 23 s on a busy host, and may wait for others. */
const mostMs = 90 * secondMs;
/** For a missed notification. */
const lookEveryMs = secondMs;
/** A long export is recorded as a use repeatedly. */
const useEveryMs = 30 * secondMs;

export function createWaker({ db, clock }: { db: Database; clock: Clock }): Waker {
  const waiting = new Map<string, Set<() => void>>();
  const nextChange = (id: string): Promise<void> =>
    new Promise((resolve) => {
      const rings = waiting.get(id) ?? new Set();
      waiting.set(id, rings);
      const ring = (): void => {
        clearTimeout(timer);
        rings.delete(ring);
        if (rings.size === 0) waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(ring, lookEveryMs);
      rings.add(ring);
    });
  return {
    async wake(workspaceId) {
      const deadline = performance.now() + mostMs;
      // Subscribed before the first look, so that no change is missed.
      let change = nextChange(workspaceId);
      await recordUse(db, [workspaceId], clock.now());
      while (await isAsleep(db, workspaceId)) {
        if (performance.now() > deadline) throw new Error("the workspace could not be woken in time");
        await change;
        change = nextChange(workspaceId);
      }
    },
    changed: (workspaceId) => waiting.get(workspaceId)?.forEach((ring) => ring()),
  };
}

/** The engine for work outside reconcile passes: each call of a workspace wakes it first. */
export function wakeFirst(engine: Engine, waker: Waker): Engine {
  const { members, communityNodes, backups, exports } = engine;
  const awake =
    <Args extends [address: string, workspaceId: string, ...rest: unknown[]], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await waker.wake(args[1]);
      return call(...args);
    };
  return {
    ...engine,
    ...(members && { members: { invite: awake(members.invite), revoke: awake(members.revoke), list: awake(members.list) } }),
    ...(communityNodes && { communityNodes: { list: awake(communityNodes.list) } }),
    ...(backups && { backups: { ...backups, freeze: awake(backups.freeze), thaw: awake(backups.thaw) } }),
    ...(exports && {
      exports: {
        ...exports,
        async *read(address, workspaceId, key) {
          await waker.wake(workspaceId);
          const keeping = setInterval(() => void waker.wake(workspaceId).catch(() => undefined), useEveryMs);
          try {
            yield* exports.read(address, workspaceId, key);
          } finally {
            clearInterval(keeping);
          }
        },
      },
    }),
  };
}
