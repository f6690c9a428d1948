/**
 * The worker's part of billing: handles events, runs timers, and looks for anything missed. Notifications wake it
 * quickly; regular sweeps find the rest. Any number of processes may run one, coordinated by locks, lanes and leases.
 */
import { setTimeout as delay } from "node:timers/promises";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import type { Notifications } from "#platform/postgres/listen.ts";
import { readingAfresh } from "#platform/loops/read-once.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { Billing } from "../billing.ts";
import { claimOpenCheckouts, endForeignPages } from "../purchases/checkout/checkout-store.ts";
import { createDealer, type Dealer } from "./deal-accounts.ts";
import { refundAgreed } from "./end-duplicate.ts";
import { eventReceivedChannel } from "./provider-event-store.ts";
import { syncSubscription } from "./sync-subscription.ts";

interface BillingLoop {
  /** Checks now: the clock was moved. */
  wake(): void;
  /** Finishes work in progress, then resolves; work that hangs for longer is left to its lease. */
  stop(): Promise<void>;
}

/** The delay after a missed notification, and how late a timer may run. */
const sweepEveryMs = 5 * secondMs;
const checkoutAgainMs = 30 * minuteMs;
const checkoutsAtOnce = 50;
const stopWaitsMs = 10 * secondMs;

/** Starts the loop; resolves once it listens for notifications. */
export async function startBillingLoop(billing: Billing, notifications: Notifications, rounds?: Rounds): Promise<BillingLoop> {
  const loop = createWakeLoop({
    async work(isStopping) {
      if (!isStopping()) await dealer.deal();
      if (!isStopping()) await checkOpenCheckouts(billing, dealer);
      if (!isStopping()) await refundAgreed(billing, dealer.begin);
    },
    followed: { by: rounds, name: "billing" },
    onError: (error) => billing.log.error({ err: error }, "due billing work failed; the next sweep will retry"),
  });
  const dealer = createDealer(billing, () => loop.wake());
  const listener = await notifications.listen({
    channels: [eventReceivedChannel],
    onNotify: loop.wake,
    onReconnect: loop.wake,
  });
  loop.start(sweepEveryMs);
  return {
    wake: loop.wake,
    async stop() {
      const ended = loop.stop();
      await listener.close();
      await ended;
      await Promise.race([dealer.idle(), delay(stopWaitsMs, undefined, { ref: false })]);
    },
  };
}

/** Does everything that is due now. */
export async function doWhatIsDue(billing: Billing): Promise<void> {
  const dealer = createDealer(billing, () => undefined);
  for (let begun = 1; begun > 0; await dealer.idle()) begun = await dealer.deal();
  await checkOpenCheckouts(billing, dealer);
  await refundAgreed(billing, dealer.begin);
  await dealer.idle();
}

/** Pages that were opened and have not been reported on since. */
async function checkOpenCheckouts(billing: Billing, dealer: Dealer): Promise<void> {
  const now = billing.clock.now();
  await endForeignPages(billing.db, billing.provider.name, now);
  for (const accountId of await claimOpenCheckouts(billing.db, billing.provider.name, now, after(now, checkoutAgainMs), checkoutsAtOnce)) {
    dealer.begin(`page of ${accountId}`, (own) =>
      readingAfresh(async () => {
        const { changed } = await syncSubscription(own, accountId);
        if (changed) await own.settlePayments(accountId);
      }),
    );
  }
}
