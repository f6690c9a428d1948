/** The sandbox's own life: what falls due happens, and its events are delivered. Several processes may run it. */
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { deliverDue, type PostWebhook } from "./deliver-webhooks.ts";
import { runDue } from "./run-due.ts";

export interface SandboxLoopOptions {
  db: Database;
  clock: Clock;
  log: Log;
  webhookSecrets: readonly Buffer[];
  post: PostWebhook;
}

export interface SandboxLoop {
  /** Look now: the clock was moved, or an event was queued. */
  wake(): void;
  stop(): Promise<void>;
}

/** What a notification was missed for is found by a sweep. */
const sweepEveryMs = 2 * secondMs;

export function startSandbox({ db, clock, log, webhookSecrets, post }: SandboxLoopOptions): SandboxLoop {
  let running: Promise<void> | undefined;
  let again = false;
  let stopping = false;

  async function run(): Promise<void> {
    while (again && !stopping) {
      again = false;
      try {
        await runDue(db, clock.now());
        await deliverDue({ db, clock, log, secrets: webhookSecrets, post });
      } catch (error) {
        log.error({ err: error }, "the payment sandbox could not do what is due; the next sweep tries again");
      }
    }
    running = undefined;
  }
  const wake = () => {
    again = true;
    if (!stopping) running ??= run();
  };

  const sweep = setInterval(wake, sweepEveryMs);
  wake();
  return {
    wake,
    async stop() {
      stopping = true;
      clearInterval(sweep);
      await running;
    },
  };
}
