/**
 * Documents that wait for an exchange rate, and receipts that wait for their payment. On a yearly plan, no
 * other event may arrive for a year.
 */
import { ProviderUnreachable, type PaymentProvider } from "#payments/payment-provider.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { listWaiting } from "../invoice-store.ts";

/** As far back as rates are published. Anything older waits for an operator. */
export const settledWithinMs = 90 * dayMs;
/** Each is checked at the provider; the rest follow in a later hour. */
const most = 100;

interface Settling {
  db: Database;
  clock: Clock;
  log: Log;
  provider: PaymentProvider;
  settlePayments(accountId: string): Promise<void>;
}

/** Completes the waiting documents and receipts of these accounts. If the provider is down, the next round asks again. */
export async function settleWaiting({ db, clock, log, provider, settlePayments }: Settling): Promise<void> {
  if (provider.isSeller) return;
  for (const accountId of await listWaiting(db, provider.name, after(clock.now(), -settledWithinMs), most)) {
    try {
      await settlePayments(accountId);
    } catch (error) {
      log.warn({ err: error, accountId }, "an account's waiting documents or receipts could not be completed");
      if (error instanceof ProviderUnreachable) return;
    }
  }
}
