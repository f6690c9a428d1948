/**
 * How many workspaces start at the same moment. A starting tool needs a whole processor for seconds: after a reboot of the host, starting
 * all together would be so slow that each start times out. One that hangs needs no processor, and must not delay the others.
 */
import { minuteMs, secondMs } from "#platform/clock.ts";
import { createSlots, type Slots } from "#platform/loops/slots.ts";

/** Starts of each kind have a separate queue; 16 in total. */
const mostOf = { start: 6, death: 6, other: 4 } as const;
/**
 * Besides them, and as many for the blanks of launches, and for thaws without a waiting visitor: a thaw must not wait behind starts, which
 * take a hundred times as long.
 */
const mostWaking = 4;
/** Wakes that take a start: a storm of them must not delay launches, nor launches them. */
export const mostCold = 3;
/**
 * One that took longer than this to answer queues apart from the others at its next wake, until it is quick again. A wake that is slow for
 * the first time holds up the others no longer. A start usually takes 5 s, and 23 s were measured on a host with other work; a thaw 0.1 s,
 * and 2.4 s from a cold disk.
 */
const slowMs = { start: 30 * secondMs, thaw: 5 * secondMs } as const;
const mostSlow = 1;
/** How long a start or a thaw waits for memory. A request that waits for it is answered after 28 s at the latest. */
const roomMs = 10 * secondMs;
const lookForRoomMs = 100;
/** A place is kept until the workspace answers; beyond this time only while the host's processors are busy … */
const patienceMs = 2 * secondMs;
/** … and never longer than this, because even on a busy host most have answered by then. */
const mostMs = minuteMs;

/** `wake`: the start of one that slept without a process. */
export type BootOf = "start" | "wake" | "thaw";

/** The start of one workspace. */
export interface Boot {
  /**
   * Resolves when it may start or thaw, immediately if it already has a place. Rejects with Stopping if the worker stops before its turn.
   */
  begin(what?: BootOf): Promise<void>;
  /** It answers, or its start is given up. May be called at any time. */
  end(): void;
}

export interface Boots {
  /** For this workspace, counted as work of this kind. */
  of(kind: string, workspaceId: string): Boot;
  /** Begins none of the queued starts. */
  stop(): void;
}

/** The worker stops: starts that have not begun are left to the next one. */
export class Stopping extends Error {
  override readonly name = "Stopping";
}

/** The places of one worker. While the host is short of memory, each waits for a moment, one after the other. */
export function createBoots(isHostBusy: () => boolean, isShort: () => boolean = () => false): Boots {
  const places = (most: number, limitMs = mostMs): Slots =>
    createSlots({ most, patienceMs, keeps: (heldMs) => heldMs < limitMs && isHostBusy() });
  const byKind = { start: places(mostOf.start), death: places(mostOf.death), other: places(mostOf.other) };
  const thaws = (): Slots => places(mostWaking, slowMs.thaw);
  const [waking, launching, thawing, slowThaws] = [thaws(), thaws(), thaws(), places(mostSlow)];
  const [cold, slowCold] = [places(mostCold, slowMs.start), places(mostSlow)];
  /** Whose last start or thaw by this worker was slow. At most as many as there are workspaces. */
  const slow = { start: new Set<string>(), thaw: new Set<string>() } as const;
  const placesOf = (kind: string, what: BootOf, workspaceId: string): Slots => {
    if (what === "thaw") {
      if (slow.thaw.has(workspaceId)) return slowThaws;
      return kind === "wake" ? waking : kind === "start" ? launching : thawing;
    }
    // By its row, a wake that another worker has begun is a start.
    if (kind === "wake" || (kind === "start" && what === "wake")) return slow.start.has(workspaceId) ? slowCold : cold;
    return byKind[kind in byKind ? (kind as keyof typeof byKind) : "other"];
  };
  const rooms = new Map<Slots, Promise<void>>();
  /** In order: the one that has waited longest goes first. */
  const waitForRoom = (slots: Slots): Promise<void> => {
    const until = performance.now() + roomMs;
    const room = (rooms.get(slots) ?? Promise.resolve()).then(async () => {
      while (isShort() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, lookForRoomMs));
    });
    rooms.set(slots, room);
    return room;
  };
  const stopping = Promise.withResolvers<never>();
  stopping.promise.catch(() => undefined);
  const of = (kind: string, workspaceId: string): Boot => {
    let end: (() => void) | undefined;
    let begun: { what: keyof typeof slow; atMs: number } | undefined;
    return {
      async begin(what = "start") {
        if (end) return;
        const { promise: ended, resolve } = Promise.withResolvers<void>();
        end = resolve;
        const turn = new Promise<void>((begin) => {
          const slots = placesOf(kind, what, workspaceId);
          void slots.run(() => {
            void waitForRoom(slots).then(() => {
              // The host's lack of memory makes no workspace slow, nor does a place that came after its end.
              if (end === resolve) begun = { what: what === "thaw" ? what : "start", atMs: performance.now() };
              begin();
            });
            return ended;
          });
        });
        await Promise.race([turn, stopping.promise]);
      },
      end() {
        if (end && begun !== undefined) {
          if (performance.now() - begun.atMs > slowMs[begun.what]) slow[begun.what].add(workspaceId);
          else slow[begun.what].delete(workspaceId);
          begun = undefined;
        }
        end?.();
        end = undefined;
      },
    };
  };
  return { of, stop: () => stopping.reject(new Stopping()) };
}
