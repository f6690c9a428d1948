/**
 * The loop that takes due workspaces. PostgreSQL notifications wake it; periodic sweeps find whatever a notification missed. Several
 * workers share the fleet by leases; when one dies, its leases end and the others take over its workspaces.
 * docs/decisions/0070-dealing-slots.md explains how slots are assigned.
 */
import { randomUUID } from "node:crypto";
import { claimDue, claimDueAmong, release, renewLeases, workKinds, type WorkKind } from "#domain/workspaces/observed/claim-workspaces.ts";
import { placeNext } from "#domain/workspaces/hosts/host-store.ts";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import { makeDue } from "#domain/workspaces/observed/due-store.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createSlots, type Slots } from "#platform/loops/slots.ts";
import { createBoots, type Boot } from "./boots.ts";
import { createPauses } from "./pauses.ts";
import { reconcileWorkspace } from "./reconcile-workspace.ts";
import type { Reconciler } from "./step.ts";

export interface ReconcileLoop {
  /** Something may be due: look now. */
  wake(): void;
  /** This workspace's process ended: it is due now. */
  noticeExit(workspaceId: string): void;
  /** Takes no new workspaces and waits for those in hand. */
  stop(): Promise<void>;
}

/** `death`: the driver reported that a process ended. `wait`: a workspace in hand that still waits for something. */
type Lane = WorkKind | "death" | "wait";

/**
 * Each kind has separate slots, so that a flood of one delays no other; together they keep the ten database connections busy. Waiting for a
 * workspace takes no slot.
 */
const slotsOf: Readonly<Record<Lane, number>> = { wake: 2, start: 4, death: 3, stop: 3, look: 3, retry: 1, wait: 2 };
/** Without notifications, the loop finds missed work within this time. */
const sweepMs = 2 * secondMs;
/** A third of the lease. */
const renewMs = 5 * secondMs;
/** Workspaces that one look places on this host before it takes other work; the next look places more. */
const mostPlaced = 10;
/** For how long a workspace is left to other workers after a pass that could not do what is next. */
const leftMs = 10 * secondMs;
/** Shorter waits keep the workspace in hand: releasing and claiming it again would cost more. */
const heldWaitMs = 500;

/** Starts the loop; it runs until `stop`. */
export function startReconcileLoop(db: Database, reconciler: Reconciler, rounds?: Rounds): ReconcileLoop {
  const worker = randomUUID();
  const { log, clock, host } = reconciler;
  const hostName = host?.name ?? mainHost;
  const held = new Map<string, Promise<void>>();
  /** Left to other workers, each with the timer that ends it. */
  const left = new Map<string, NodeJS.Timeout>();
  const notNow = () => [...held.keys(), ...left.keys()];
  const pauses = createPauses();
  const boots = createBoots(reconciler.isHostBusy, () => reconciler.driver.shortOf?.() === "memory");
  /** Workspaces whose process has ended since they were last taken. A hint: the row says whether they are due. */
  const ended = new Set<string>();
  /** Kinds for which the last look filled all slots: there may be more. */
  const mayHaveMore = new Set<Lane>();
  let stopping = false;
  let ring: (() => void) | undefined;
  let rung = false;
  const wake = () => {
    rung = true;
    ring?.();
  };
  const lane = (kind: Lane): Slots => createSlots({ most: slotsOf[kind], onFree: () => mayHaveMore.has(kind) && wake() });
  const lanes: Readonly<Record<Lane, Slots>> = {
    wake: lane("wake"),
    start: lane("start"),
    death: lane("death"),
    stop: lane("stop"),
    look: lane("look"),
    retry: lane("retry"),
    wait: lane("wait"),
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

  async function work(id: string, kind: Lane, boot: Boot): Promise<void> {
    for (let own: Lane = kind; ;) {
      const pass = await lanes[own].run((slot) => reconcileWorkspace(db, reconciler, id, worker, { slot, boot }));
      if (!pass) return;
      if (pass.leaves) {
        left.set(
          id,
          setTimeout(() => left.delete(id), leftMs),
        );
        return release(db, pass.held, worker, pass.next, clock.now());
      }
      const waitMs = pass.next ? pass.next.getTime() - clock.now().getTime() : Infinity;
      // What it waited for has happened: it gets a slot of its kind. If only time has passed, it queues with all others that wait.
      if (pass.until || pass.told || waitMs <= heldWaitMs) own = (await pauses.pause(id, waitMs, pass)) ? kind : "wait";
      else return release(db, pass.held, worker, pass.next, clock.now());
      if (stopping) return release(db, pass.held, worker, pass.next, clock.now());
    }
  }

  function take(id: string, kind: Lane): void {
    ended.delete(id);
    const boot = boots.of(kind, id);
    const working = work(id, kind, boot)
      .catch((error: unknown) => log.error({ err: error, workspaceId: id }, "a workspace could not be reconciled"))
      .finally(() => {
        boot.end();
        held.delete(id);
        wake();
      });
    held.set(id, working);
  }

  /** First, and separately: a flood of other due work must not keep a crashed workspace offline. */
  async function takeEnded(): Promise<void> {
    const room = lanes.death.free();
    const here = [...ended].filter((id) => !held.has(id));
    if (here.length === 0 || room === 0) return;
    const taken = await claimDueAmong(db, worker, clock.now(), here, room, notNow(), hostName);
    taken.forEach((id) => take(id, "death"));
    note("death", taken.length, room);
    // The others belong to another worker, or are no longer due.
    if (taken.length < room) here.forEach((id) => ended.delete(id));
  }

  async function takeDue(): Promise<void> {
    // Of several hosts, the one with the most free memory takes the next.
    for (let placed = 0; placed < mostPlaced && host?.mayPlace() && (await placeNext(db, host.name, clock.now()));) placed += 1;
    const room = Object.fromEntries(workKinds.map((kind) => [kind, lanes[kind].free()])) as Record<WorkKind, number>;
    const taken = await claimDue(db, worker, clock.now(), room, notNow(), hostName);
    taken.forEach(({ id, kind }) => take(id, kind));
    for (const kind of workKinds) note(kind, taken.filter((each) => each.kind === kind).length, room[kind]);
  }

  const note = (kind: Lane, taken: number, room: number): void => void (taken < room ? mayHaveMore.delete(kind) : mayHaveMore.add(kind));

  const round = rounds?.follow("workspaces", sweepMs);
  async function run(): Promise<void> {
    while (!stopping) {
      round?.went();
      rung = false;
      try {
        await takeEnded();
        await takeDue();
        round?.ended(true);
      } catch (error) {
        round?.ended(false);
        log.warn({ err: error }, "the reconcile loop could not look for due workspaces");
      }
      await pause(sweepMs);
    }
  }

  const renewal = setInterval(() => {
    renewLeases(db, worker, [...held.keys()]).catch((error: unknown) => log.warn({ err: error }, "leases could not be renewed"));
  }, renewMs);
  const running = run();

  async function noteExit(id: string): Promise<void> {
    if (!(await makeDue(db, id, clock.now()))) return;
    ended.add(id);
    pauses.end(id);
    wake();
  }

  return {
    wake,
    noticeExit: (id) =>
      void noteExit(id).catch((error: unknown) => log.warn({ err: error, workspaceId: id }, "an exit could not be recorded")),
    async stop() {
      stopping = true;
      boots.stop();
      pauses.endAll();
      wake();
      await running;
      await Promise.all(held.values());
      clearInterval(renewal);
      left.forEach((timer) => clearTimeout(timer));
      round?.end();
    },
  };
}
