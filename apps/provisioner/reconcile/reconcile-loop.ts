/**
 * The loop that collects due workspaces: woken by PostgreSQL for speed, sweeping for truth. Several workers share
 * the fleet by leases; one that dies gives its workspaces up when its leases end.
 */
import { randomUUID } from "node:crypto";
import { claimDue, makeDue, release, renewLeases } from "#domain/workspaces/observation-store.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { reconcileWorkspace } from "./reconcile-workspace.ts";
import type { Reconciler } from "./step.ts";

export interface ReconcileLoop {
  /** Something changed: look now. */
  wake(): void;
  /** This workspace's process ended: it is due now. */
  noticeExit(workspaceId: string): void;
  /** Stops taking workspaces and waits for those in hand. */
  stop(): Promise<void>;
}

/** As many at once as one process follows easily; each waits for something most of the time. */
const mostAtOnce = 16;
/** With nothing to wake it, the loop looks by itself: what was missed is found within this time. */
const sweepMs = 2 * secondMs;
/** A third of the lease. */
const renewMs = 5 * secondMs;
/** Shorter waits are spent holding the workspace: giving it back and taking it again would cost more. */
const heldWaitMs = 500;

/** Starts the loop; it runs until `stop`. */
export function startReconcileLoop(db: Database, reconciler: Reconciler): ReconcileLoop {
  const worker = randomUUID();
  const { log, clock } = reconciler;
  const held = new Map<string, Promise<void>>();
  let stopping = false;
  let ring: (() => void) | undefined;
  let rung = false;
  const wake = () => {
    rung = true;
    ring?.();
  };

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      if (rung) return resolve();
      const timer = setTimeout(resolve, ms);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function work(id: string): Promise<void> {
    for (;;) {
      const pass = await reconcileWorkspace(db, reconciler, id, worker);
      if (!pass) return;
      const now = clock.now();
      const waitMs = pass.next ? pass.next.getTime() - now.getTime() : Infinity;
      if (!stopping && waitMs <= heldWaitMs) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, 0)));
        continue;
      }
      await release(db, pass.held, worker, pass.next, now);
      return;
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      rung = false;
      try {
        const room = mostAtOnce - held.size;
        const ids = room > 0 ? await claimDue(db, worker, clock.now(), room, [...held.keys()]) : [];
        for (const id of ids) {
          const working = work(id)
            .catch((error: unknown) => log.error({ err: error, workspace: id }, "a workspace could not be reconciled"))
            .finally(() => {
              held.delete(id);
              wake();
            });
          held.set(id, working);
        }
      } catch (error) {
        log.warn({ err: error }, "the reconcile loop could not look for due workspaces");
      }
      await pause(sweepMs);
    }
  }

  const renewal = setInterval(() => {
    renewLeases(db, worker, [...held.keys()]).catch((error: unknown) => log.warn({ err: error }, "leases could not be renewed"));
  }, renewMs);
  const running = run();

  return {
    wake,
    noticeExit(id) {
      makeDue(db, id, clock.now()).then(wake, (error: unknown) => log.warn({ err: error, workspace: id }, "an exit could not be recorded"));
    },
    async stop() {
      stopping = true;
      wake();
      await running;
      await Promise.all(held.values());
      clearInterval(renewal);
    },
  };
}
