/** Brings the copies up to date before they are listed, without ever keeping a list from its reader. */
import { secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { Services } from "../services.ts";

const limitMs = 2 * secondMs;

/** Settles an account's payments, once for all who ask meanwhile; a provider that is slow or away leaves the copies as they are. */
export function rememberRefreshes({ billing, log }: Services): (accountId: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  return async (accountId) => {
    const settling = underWay.get(accountId) ?? billing.settlePayments(accountId).finally(() => underWay.delete(accountId));
    underWay.set(accountId, settling);
    await within(limitMs, "the provider", settling).catch((error: unknown) =>
      log.warn({ err: error, accountId }, "invoices could not be brought up to date; the copies are shown"),
    );
  };
}
