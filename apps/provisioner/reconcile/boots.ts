/**
 * How many workspaces come up at the same moment. A tool that starts needs seconds of a whole processor: after a reboot of the host, all of
 * them at once would be so slow that each is given up. One that hangs needs none, and must not keep the others waiting.
 */
import { minuteMs, secondMs } from "#platform/clock.ts";
import { createSlots, type Slots } from "#platform/loops/slots.ts";

/** Starts of these kinds queue among themselves; 16 in all. */
const mostOf = { start: 6, death: 6, other: 4 } as const;
/** A place is kept until the workspace answers, but beyond this only while the host's processors are busy … */
const patienceMs = 2 * secondMs;
/** … and never longer than this: at the speed of a busy host, most have answered by then. */
const mostMs = minuteMs;

/** The start of one workspace. */
export interface Boot {
  /** Resolves when it may start; at once while it has a place already. Rejects with Stopping where the worker ends before its turn. */
  begin(): Promise<void>;
  /** It answers, or is given up. May be called at any time. */
  end(): void;
}

export interface Boots {
  /** For a workspace taken for work of this kind. */
  of(kind: string): Boot;
  /** Lets nothing begin that still waits. */
  stop(): void;
}

/** The worker ends: what did not begin is the next one's. */
export class Stopping extends Error {
  override readonly name = "Stopping";
}

/** The places of one worker. */
export function createBoots(isHostBusy: () => boolean): Boots {
  const places = (most: number): Slots => createSlots({ most, patienceMs, keeps: (heldMs) => heldMs < mostMs && isHostBusy() });
  const byKind = { start: places(mostOf.start), death: places(mostOf.death), other: places(mostOf.other) };
  const stopping = Promise.withResolvers<never>();
  stopping.promise.catch(() => undefined);
  const of = (kind: string): Boot => {
    let end: (() => void) | undefined;
    return {
      async begin() {
        if (end) return;
        const { promise: ended, resolve } = Promise.withResolvers<void>();
        end = resolve;
        const turn = new Promise<void>((begun) => {
          void byKind[kind === "start" || kind === "death" ? kind : "other"].run(() => {
            begun();
            return ended;
          });
        });
        await Promise.race([turn, stopping.promise]);
      },
      end() {
        end?.();
        end = undefined;
      },
    };
  };
  return { of, stop: () => stopping.reject(new Stopping()) };
}
