/** Payment pages whose outcome can no longer be found out. */
import { and, eq, ne } from "drizzle-orm";
import { expect, test } from "vitest";
import { checkouts } from "#database/tables.ts";
import { dayMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, type TestBilling } from "#testing/payments/test-billing.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import { startCheckout } from "./start-checkout.ts";

const open = (world: TestBilling, accountId: string) =>
  startCheckout(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, currency: null }, owner, newId());
const unsettled = ({ database: { db } }: TestBilling) =>
  db
    .select({ state: checkouts.state })
    .from(checkouts)
    .where(and(ne(checkouts.state, "expired"), ne(checkouts.state, "paid")));

test("a page of a provider that is no longer configured is not checked, and is over after four days", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await open(world, accountId);
  await world.database.db.update(checkouts).set({ provider: "paddle" }).where(eq(checkouts.accountId, accountId));
  const asked: string[] = [];
  const { readCheckout } = world.provider;
  world.provider.readCheckout = (id) => (asked.push(id), readCheckout(id));
  await world.pass(3 * dayMs);
  expect(await unsettled(world)).toHaveLength(1);
  await world.pass(dayMs + 30 * minuteMs);
  expect(await unsettled(world)).toEqual([]);
  expect(asked).toEqual([]);
});

test("a page that its provider does not recognise is over after four days and no longer blocks its account", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await open(world, accountId);
  const { readCheckout } = world.provider;
  const [page] = await world.database.db.select({ id: checkouts.checkoutId }).from(checkouts);
  world.provider.readCheckout = (id) => (id === page!.id ? Promise.reject(new ProviderRefusal("no such checkout")) : readCheckout(id));
  await world.pass(4 * dayMs + 30 * minuteMs);
  expect(await unsettled(world)).toEqual([]);
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect(await world.state(accountId)).toBe("active");
});
