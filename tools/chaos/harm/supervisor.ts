/** Restarts the program whenever it ends, as systemd does. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Slipway } from "#testing/program/start-slipway.ts";

export interface Supervisor {
  /** How often the program was restarted. */
  restarts(): number;
  stop(): Promise<void>;
}

/** systemd's default for RestartSec. */
const pauseMs = 100;

/** The program is already running. */
export function supervise(slipway: Slipway): Supervisor {
  let stopping = false;
  let restarts = 0;
  const watch = async (): Promise<void> => {
    for (;;) {
      await slipway.ended(null);
      await sleep(pauseMs);
      if (stopping) return;
      slipway.launchProgram();
      restarts += 1;
    }
  };
  void watch();
  return {
    restarts: () => restarts,
    async stop() {
      stopping = true;
      await slipway.kill9();
      await sleep(2 * pauseMs);
    },
  };
}
