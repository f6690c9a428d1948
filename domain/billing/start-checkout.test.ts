import { expect, test } from "vitest";
import { idempotencyKeys } from "#database/tables.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { payable } from "#testing/memory-provider.ts";
import { openTestBilling, owner } from "#testing/test-billing.ts";
import { startCheckout } from "./start-checkout.ts";

test("a click whose answer was lost, repeated after another one replaced its page, opens a page that can be paid at", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const click = (planId: string, key: string) => startCheckout(world.billing, accountId, { planId, quotas: null, currency: "USD" }, owner, key);
  const key = newId();
  await click("pro-1-monthly", key);
  // Its process was killed before it could note the answer.
  await world.database.db.update(idempotencyKeys).set({ state: "running", response: null, leaseUntil: after(new Date(), -minuteMs) });
  await click("starter-monthly", newId());
  const { url } = await click("pro-1-monthly", key);
  expect(payable(world.provider)).toEqual([url.split("/").at(-1)]);
});
