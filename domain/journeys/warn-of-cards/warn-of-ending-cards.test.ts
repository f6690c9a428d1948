import { afterAll, beforeAll, expect, test } from "vitest";
import { after, dayMs } from "#platform/clock.ts";
import { createTestShop, startSubscriber, type Customer, type TestShop } from "#testing/payments/test-shop.ts";
import { warnOfEndingCards } from "./warn-of-ending-cards.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

/** The sandbox's cards are valid for years, so this moves one's end closer. */
async function endCard(customer: Customer, inDays: number): Promise<void> {
  const endsAt = after(shop.api.clock.now(), inDays * dayMs);
  await shop.api.database.pool.query("update cards set ends_at = $2 where account_id = (select id from accounts where name = $1)", [
    customer.form["accountName"],
    endsAt,
  ]);
}
const warn = () => warnOfEndingCards({ ...shop.api.services, publicUrl: "http://localhost:3000" });
const warnings = async (customer: Customer) =>
  (await customer.mails()).filter(({ subject }) => subject === "Your card expires soon").length;

test("a customer whose card ends within a month is told once, and again about the next card", async () => {
  const customer = await startSubscriber(shop);
  await warn();
  expect(await warnings(customer)).toBe(0);
  await endCard(customer, 20);
  await Promise.all([warn(), warn(), warn()]);
  await warn();
  expect(await warnings(customer)).toBe(1);
  await endCard(customer, 25);
  await warn();
  expect(await warnings(customer)).toBe(2);
});

test.each([31, -1])("a card that ends in %i days is not announced", async (days) => {
  const customer = await startSubscriber(shop);
  await endCard(customer, days);
  await warn();
  expect(await warnings(customer)).toBe(0);
});

test("a customer who has cancelled is not asked for another card", async () => {
  const customer = await startSubscriber(shop);
  await customer.pay("POST", "/account/billing/cancel", { accountName: customer.form["accountName"] });
  await endCard(customer, 20);
  await warn();
  expect(await warnings(customer)).toBe(0);
});
