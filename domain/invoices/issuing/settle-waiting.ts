/** Documents that wait for an exchange rate, and receipts that wait for their payment: of a yearly plan nothing else may be heard for a year. */
import { ProviderUnreachable, type PaymentProvider } from "#payments/payment-provider.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { listWaiting } from "../invoice-store.ts";

/** As far back as rates are published. What waits longer waits for an operator. */
const oldestMs = 90 * dayMs;
/** Each is asked about at the provider; those left out have their turn another hour. */
const most = 100;

interface Settling {
  db: Database;
  clock: Clock;
  log: Log;
  provider: PaymentProvider;
  settlePayments(accountId: string): Promise<void>;
}

/** Settles the accounts that wait for either. A provider that is away is asked again with the next round. */
export async function settleWaiting({ db, clock, log, provider, settlePayments }: Settling): Promise<void> {
  if (provider.isSeller) return;
  for (const accountId of await listWaiting(db, provider.name, after(clock.now(), -oldestMs), most)) {
    try {
      await settlePayments(accountId);
    } catch (error) {
      log.warn({ err: error, account: accountId }, "what waits for its document could not be settled");
      if (error instanceof ProviderUnreachable) return;
    }
  }
}
