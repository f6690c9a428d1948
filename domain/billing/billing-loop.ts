/**
 * The worker's part of selling: handles events, runs timers, and looks for what was missed. Woken by a notification for
 * speed, sweeping for truth. Any number of processes may run one; rows are held under locks and leases.
 */
import type { ClientConfig } from "pg";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import { listen } from "#platform/listen.ts";
import { createWakeLoop } from "#platform/wake-loop.ts";
import type { Billing } from "./billing.ts";
import { claimOpenCheckouts } from "./checkout-store.ts";
import { handleEvents } from "./handle-events.ts";
import { eventReceivedChannel } from "./provider-event-store.ts";
import { runDue } from "./run-timers.ts";
import { syncSubscription } from "./sync-subscription.ts";

export interface BillingLoop {
  /** Look now: the clock was moved. */
  wake(): void;
  /** Ends what is under way, then resolves. */
  stop(): Promise<void>;
}

/** What a missed notification costs, and how late a timer runs. */
const sweepEveryMs = 5 * secondMs;
const checkoutAgainMs = 30 * minuteMs;
const checkoutsAtOnce = 50;

/** Starts; resolves once notifications are heard. */
export async function startBillingLoop(billing: Billing, connection: ClientConfig): Promise<BillingLoop> {
  const loop = createWakeLoop({
    work: (isStopping) => doWhatIsDue(billing, isStopping),
    onError: (error) => billing.log.error({ err: error }, "billing could not do what is due; the next sweep tries again"),
  });
  const listener = await listen({ connection, channels: [eventReceivedChannel], onNotify: loop.wake, onReconnect: loop.wake, log: billing.log });
  loop.start(sweepEveryMs);
  return {
    wake: loop.wake,
    async stop() {
      const ended = loop.stop();
      await listener.close();
      await ended;
    },
  };
}

/** Everything that is due now: events first, for what they tell may spare a timer its question. */
export async function doWhatIsDue(billing: Billing, isStopping: () => boolean = () => false): Promise<void> {
  for (let busy = true; busy && !isStopping(); ) busy = (await handleEvents(billing)) > 0;
  for (let busy = true; busy && !isStopping(); ) busy = (await runDue(billing)) > 0;
  if (!isStopping()) await checkOpenCheckouts(billing);
}

/** Somebody opened a page to pay and nothing was heard of it since. */
export async function checkOpenCheckouts(billing: Billing): Promise<void> {
  const now = billing.clock.now();
  for (const accountId of await claimOpenCheckouts(billing.db, now, after(now, checkoutAgainMs), checkoutsAtOnce)) {
    try {
      const { changed } = await syncSubscription(billing, accountId);
      if (changed) await billing.settlePayments(accountId);
    } catch (error) {
      billing.log.warn({ err: error, account: accountId }, "a checkout could not be looked at; it is tried again");
    }
  }
}
