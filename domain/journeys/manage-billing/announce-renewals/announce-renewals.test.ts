import { afterAll, beforeAll, expect, test } from "vitest";
import { after, dayMs } from "#platform/clock.ts";
import { createTestShop, previewChange, startSubscriber, type Customer, type TestShop } from "#testing/payments/test-shop.ts";
import { announceRenewals } from "./announce-renewals.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

const announce = (renewalNoticeDays = 30) => announceRenewals({ ...shop.api.services.billing, renewalNoticeDays });
const notices = async (customer: Customer) =>
  (await customer.mails()).map(({ subject }) => subject).filter((subject) => subject.includes("renews"));

/** A yearly renewal is a year away, so this moves it closer. */
async function renewIn(customer: Customer, days: number): Promise<string> {
  const at = after(shop.api.clock.now(), days * dayMs);
  const { pool } = shop.api.database;
  const toDay = "period_starts_at = $2::timestamptz - (period_ends_at - period_starts_at), period_ends_at = $2::timestamptz";
  const account = "account_id = (select id from accounts where name = $1)";
  await pool.query(`update subscriptions set ${toDay} where ${account}`, [customer.form["accountName"], at]);
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

test("a yearly renewal is announced once, with its day and its price with tax, and the next one again", async () => {
  const customer = await startSubscriber(shop, "pro-1-yearly");
  await announce();
  expect(await notices(customer)).toEqual([]);
  const day = await renewIn(customer, 29);
  await Promise.all([announce(), announce(), announce()]);
  await announce();
  expect(await notices(customer)).toEqual([`Your Pro 10K plan renews on ${day}`]);
  const { rows } = await shop.api.database.pool.query("select text from mails where subject = $1", [`Your Pro 10K plan renews on ${day}`]);
  const { nextPayment } = (await customer.call("GET", "/account/plan/next-payment")).json();
  const sum = (nextPayment.amount.amount / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
  expect((rows[0] as { text: string }).text).toContain(`We will charge ${sum} including tax`);
  const next = await renewIn(customer, 28);
  await announce();
  expect((await notices(customer)).toSorted()).toEqual([day, next].map((on) => `Your Pro 10K plan renews on ${on}`).toSorted());
});

test.each([31, -1])("a renewal in %i days is not announced", async (days) => {
  const customer = await startSubscriber(shop, "pro-1-yearly");
  await renewIn(customer, days);
  await announce();
  expect(await notices(customer)).toEqual([]);
});

test("a month's renewal, a cancelled plan, and one where no notice is wanted are not announced", async () => {
  const monthly = await startSubscriber(shop, "pro-1-monthly");
  const cancelled = await startSubscriber(shop, "pro-1-yearly");
  await cancelled.pay("POST", "/account/billing/cancel", { accountName: cancelled.form["accountName"] });
  const unwanted = await startSubscriber(shop, "pro-1-yearly");
  for (const customer of [monthly, cancelled, unwanted]) await renewIn(customer, 20);
  await announce(0);
  expect(await notices(unwanted)).toEqual([]);
  await announce();
  for (const customer of [monthly, cancelled]) expect(await notices(customer)).toEqual([]);
  expect(await notices(unwanted)).toHaveLength(1);
});

test("a renewal that changes the plan announces the plan that will be charged", async () => {
  const customer = await startSubscriber(shop, "pro-1-yearly");
  const { previewId } = await previewChange(customer, "starter-yearly");
  await customer.pay("POST", "/account/plan/change", { planId: "starter-yearly", previewId });
  const day = await renewIn(customer, 20);
  await announce();
  expect(await notices(customer)).toEqual([`Your Starter plan renews on ${day}`]);
});

test("without the provider's answer nothing is announced, and the next sweep does it", async () => {
  const customer = await startSubscriber(shop, "pro-1-yearly");
  await renewIn(customer, 20);
  shop.isDown = true;
  await announce();
  expect(await notices(customer)).toEqual([]);
  shop.isDown = false;
  await announce();
  expect(await notices(customer)).toHaveLength(1);
});
