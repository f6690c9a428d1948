/** The sandbox's loop: does what falls due and delivers events. Several processes may run it. */
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { createWakeLoop, type WakeLoop } from "#platform/loops/wake-loop.ts";
import { deliverDue, type PostWebhook } from "./webhooks/deliver-webhooks.ts";
import { runDue } from "./run-due.ts";

interface SandboxLoopOptions {
  db: Database;
  clock: Clock;
  log: Log;
  webhookSecrets: readonly Buffer[];
  post: PostWebhook;
}

/** A sweep finds whatever a missed notification left behind. */
const sweepEveryMs = 2 * secondMs;

/** Starts the loop; it runs until `stop`. Call `wake` when the clock was moved or an event was queued. */
export function startSandbox({ db, clock, log, webhookSecrets, post }: SandboxLoopOptions): WakeLoop {
  const loop = createWakeLoop({
    async work() {
      await runDue(db, clock.now());
      await deliverDue({ db, clock, log, secrets: webhookSecrets, post });
    },
    onError: (error) => log.error({ err: error }, "due work in the payment sandbox failed; the next sweep will retry"),
  });
  loop.start(sweepEveryMs);
  return loop;
}
