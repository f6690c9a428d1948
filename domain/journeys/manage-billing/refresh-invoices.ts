/** Updates our copies before they are listed, without delaying the list for long. */
import { secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { Services } from "../services.ts";

const limitMs = 2 * secondMs;

/** Settles an account's payments, once for all concurrent requests; if the provider is slow or down, the copies stay as they are. */
export function rememberRefreshes({ billing, log }: Services): (accountId: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  return async (accountId) => {
    const settling = underWay.get(accountId) ?? billing.settlePayments(accountId).finally(() => underWay.delete(accountId));
    underWay.set(accountId, settling);
    await within(limitMs, "the provider", settling).catch((error: unknown) =>
      log.warn({ err: error, accountId }, "invoices could not be refreshed; the stored copies are shown"),
    );
  };
}
