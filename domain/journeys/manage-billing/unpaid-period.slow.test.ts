/** A period that is used and not paid, with each provider: no new quota before its payment, and its days are owed at the resumption. */
import { expect, onTestFinished, test } from "vitest";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import { heldAt, staffedShops, type StaffedShop } from "#testing/payments/staffed-shop.ts";
import { startSubscriber } from "#testing/payments/test-shop.ts";

async function open(openShop: () => Promise<StaffedShop>) {
  const opened = await openShop();
  const { shop } = opened;
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const customer = await startSubscriber(shop, "pro-1-monthly", "renewal-soft");
  await shop.catchUp();
  const held = await heldAt(opened, customer.form["email"]);
  const quota = async () =>
    (await planForWorkspace(shop.api.database.db, held.accountId, shop.api.clock.now()))!.periodStarts[0]!.getTime();
  const enterCard = async () => {
    const url = await shop.harness.provider.changeCardUrl(held.subscriptionId, "https://panel.example/manage/billing");
    await shop.harness.enterCard(url, "visa");
  };
  return { shop, customer, ...held, quota, enterCard, provider: shop.harness.provider };
}

/** Lets a moment of this subscription's life come. */
async function passTo(shop: StaffedShop["shop"], at: Date): Promise<void> {
  await shop.pass(at.getTime() - shop.api.clock.now().getTime());
}

test.each(staffedShops)("at %s, a renewal that is not paid begins no quota, and its payment begins one", async (_name, openShop) => {
  const { shop, customer, subscriptionId, quota, enterCard, provider } = await open(openShop);
  const { periodEndsAt } = (await provider.readSubscription(subscriptionId))!;
  const first = await quota();
  // The event of the renewal has arrived, and Stripe has not charged yet.
  await passTo(shop, new Date(periodEndsAt.getTime() + 20 * 60_000));
  expect(await quota()).toBe(first);
  await shop.pass(3 * dayMs);
  await customer.signIn();
  expect(await customer.subscription()).toMatchObject({ status: "past_due" });
  expect(await quota()).toBe(first);
  await enterCard();
  await shop.catchUp();
  if ((await customer.subscription()).status === "past_due") await customer.pay("POST", "/account/billing/retry", {});
  await shop.catchUp();
  expect(await customer.subscription()).toMatchObject({ status: "active" });
  expect(Math.abs((await quota()) - periodEndsAt.getTime())).toBeLessThan(hourMs);
});

test.each(staffedShops)("at %s, what was used before a pause is owed at the resumption", async (_name, openShop) => {
  const { shop, customer, customerId, subscriptionId, quota, enterCard, provider } = await open(openShop);
  const { periodEndsAt } = (await provider.readSubscription(subscriptionId))!;
  const first = await quota();
  await passTo(shop, new Date(periodEndsAt.getTime() + shop.harness.pausedAfterMs + 2 * dayMs));
  await customer.signIn();
  const paused = await customer.subscription();
  expect(paused.status).toBe("paused");
  expect(await quota()).toBe(first);
  await enterCard();
  await shop.catchUp();
  const { preview } = (await customer.call("POST", "/account/billing/resubscribe/preview", { body: {} })).json();
  const answer = await customer.pay("POST", "/account/billing/resubscribe", { previewId: preview.previewId });
  expect(answer.statusCode).toBe(200);
  await shop.catchUp();
  expect(await customer.subscription()).toMatchObject({ status: "active" });
  const usedMs = Date.parse(paused.pausedAt!) - periodEndsAt.getTime();
  const truth = (await provider.readSubscription(subscriptionId))!;
  // Paddle charges the days by an invoice of their own.
  const bills = (await provider.listInvoices(customerId)).filter(
    ({ status, issuedAt }) => status === "paid" && issuedAt >= after(new Date(paused.pausedAt!), dayMs),
  );
  const [month, owed] = bills.flatMap(({ lines }) => lines).toSorted((one, other) => other.amount.amount - one.amount.amount);
  expect(month).toMatchObject({ amount: { amount: 6000 }, isProration: false });
  expect(owed!.label).toMatch(/^Used before the pause, not paid: /);
  expect(owed!.amount.amount / month!.amount.amount).toBeCloseTo(usedMs / (31 * dayMs), 1);
  expect([owed!.period!.from, owed!.period!.to].map((at) => Date.parse(at) / hourMs)).toEqual([
    expect.closeTo(periodEndsAt.getTime() / hourMs, 0),
    expect.closeTo(Date.parse(paused.pausedAt!) / hourMs, 0),
  ]);
  expect(preview.dueNow.amount).toBe(bills.reduce((sum, { total }) => sum + total.amount, 0));
  expect(Date.parse(preview.nextPayment.at) - truth.periodEndsAt.getTime()).toBeLessThan(hourMs);
  expect(usedMs / dayMs).toBeGreaterThan(6.9);
  // One quota for each payment: the first, and the one that the resumption paid for.
  expect(Math.abs((await quota()) - truth.periodStartsAt.getTime())).toBeLessThan(hourMs);
});
