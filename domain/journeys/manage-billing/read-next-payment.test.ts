import { expect, test } from "vitest";
import { confirmChange } from "#domain/billing/purchases/change/confirm-change.ts";
import { quoteChange } from "#domain/billing/purchases/change/quote-change.ts";
import { RenewalUnderWay } from "#payments/payment-provider.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, refusal, subscribe } from "#testing/payments/test-billing.ts";
import { readNextPayment } from "./read-next-payment.ts";

test("while a renewal locks the subscription, the price of a planned change cannot be read now, and no page says that a change was refused", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const smaller = { planId: "pro-1-monthly", quotas: null };
  const { previewId } = await quoteChange(world.billing, accountId, smaller);
  await confirmChange(world.billing, accountId, { ...smaller, previewId }, owner, newId());
  world.provider.previewChange = () => Promise.reject(new RenewalUnderWay("locked"));
  await expect(readNextPayment(world.billing, accountId)).rejects.toEqual(refusal("payments_unavailable"));
});
