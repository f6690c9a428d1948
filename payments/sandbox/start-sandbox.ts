/** The sandbox's own life: what falls due happens, and its events are delivered. Several processes may run it. */
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { createWakeLoop, type WakeLoop } from "#platform/loops/wake-loop.ts";
import { deliverDue, type PostWebhook } from "./webhooks/deliver-webhooks.ts";
import { runDue } from "./run-due.ts";

export interface SandboxLoopOptions {
  db: Database;
  clock: Clock;
  log: Log;
  webhookSecrets: readonly Buffer[];
  post: PostWebhook;
}

/** What a notification was missed for is found by a sweep. */
const sweepEveryMs = 2 * secondMs;

/** Starts; it runs until `stop`. `wake` it when the clock was moved, or an event was queued. */
export function startSandbox({ db, clock, log, webhookSecrets, post }: SandboxLoopOptions): WakeLoop {
  const loop = createWakeLoop({
    async work() {
      await runDue(db, clock.now());
      await deliverDue({ db, clock, log, secrets: webhookSecrets, post });
    },
    onError: (error) => log.error({ err: error }, "the payment sandbox could not do what is due; the next sweep tries again"),
  });
  loop.start(sweepEveryMs);
  return loop;
}
