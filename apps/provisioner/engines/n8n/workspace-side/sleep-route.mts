/** Tells the control plane whether this n8n may sleep, and when it must be awake again. */
import type { Handler, Internals } from "./internals.mts";
import { readKnownWebhooks } from "./known-webhooks.mts";

/** GET /_slipway/sleep: reading changes nothing. */
export function createSleepHandler(internals: Internals): Handler {
  return async (_request, response) => {
    // Schedules, pollers and listeners are triggers in n8n's memory. Webhooks are not: they are rows.
    const isBusy = internals.hasTriggersInMemory() || internals.isExecuting() || (await internals.countStarted()) > 0;
    const due = await internals.nextResumption();
    response.json({
      sleepable: !isBusy,
      due: due?.toISOString() ?? null,
      // Without them it sleeps as well, and each call wakes it.
      webhooks: isBusy ? null : await readKnownWebhooks(internals.query).catch(() => null),
    });
  };
}
