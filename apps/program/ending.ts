/** Stops the parts of a program in the reverse order of their start. */
import type { Log } from "#platform/log.ts";

export interface EndOptions {
  /** Whether the workspaces of this host stop too. */
  workspaces: boolean;
}

export interface Ending {
  /** Calls `stop` at the end, before everything that was added earlier. */
  add(stop: (options: EndOptions) => Promise<void>): void;
  /** Stops every part once, even if one of them fails. */
  end(options: EndOptions): Promise<void>;
}

export function createEnding(log: Log): Ending {
  const stops: ((options: EndOptions) => Promise<void>)[] = [];
  return {
    add: (stop) => void stops.push(stop),
    async end(options) {
      for (const stop of stops.splice(0).toReversed())
        await stop(options).catch((err: unknown) => log.error({ err }, "a part did not stop cleanly"));
    },
  };
}
