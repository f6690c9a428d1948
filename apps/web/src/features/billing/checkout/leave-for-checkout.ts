/** Leaves for the payment page, and remembers what is needed on return. Analytics records both. */
import { analytics } from "../../../lib/analytics/analytics.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { sessionValues } from "../../../lib/browser/stored-value.ts";
import type { Quotas } from "../../plans/quotas/custom-quotas.ts";
import { followLink, followableUrl } from "./follow-link.ts";

const leftKey = "slipway.checkout";

interface Purchase {
  planId: string;
  currency: string;
  quotas: Quotas | null;
  /** The same key opens one checkout. */
  key: string;
}

/** Opens a checkout and leaves for it. Throws the call's refusal, or if its answer is not a browser address. */
export async function leaveForCheckout({ planId, currency, quotas, key }: Purchase): Promise<void> {
  const { url } = await callApi("generatePayLink", { params: { id: planId }, body: { currency, ...(quotas ? { quotas } : {}) }, key });
  leaveTo(url, planId);
}

/** Leaves for a checkout that is open. Throws if its address is not a browser address. */
export function leaveTo(url: string, planId: string): void {
  if (followableUrl(url)) {
    analytics.track("Checkout loaded", { plan_id: planId });
    sessionValues.write(leftKey, planId);
  }
  followLink(url);
}

/** Records with analytics that the payment arrived, once for each time the customer left to pay. */
export function tellPaymentComplete(): void {
  const planId = sessionValues.read(leftKey);
  if (!planId) return;
  sessionValues.remove(leftKey);
  analytics.track("payment complete", { plan_id: planId });
}
