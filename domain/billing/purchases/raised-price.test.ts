/** An operator raises a price following docs/runbooks/raise-a-price.md, and existing customers keep the old one. */
import { expect, onTestFinished, test } from "vitest";
import { applyCatalogue, compareCatalogue } from "#domain/plans/apply-catalogue.ts";
import { readCatalogue, type Catalogue } from "#domain/plans/catalogue.ts";
import { hourMs } from "#platform/clock.ts";
import { eachProvider } from "#testing/payments/each-provider.ts";
import {
  buyPlan,
  createTestShop,
  previewChange,
  startCustomer,
  startSubscriber,
  type Customer,
  type TestShop,
} from "#testing/payments/test-shop.ts";

/** As in the runbook: the plan leaves the file, and a new one with the same contents has the new price. */
function raised(): Catalogue {
  const catalogue = readCatalogue();
  const replaced = (id: string, price: Record<string, number>) => ({
    ...catalogue.plans.find((plan) => plan.id === id)!,
    id: `${id}-2027`,
    recurringPrice: price,
  });
  const plans = catalogue.plans.filter(({ id }) => id !== "pro-1-monthly" && id !== "custom-monthly");
  const units = catalogue.plans.find(({ id }) => id === "custom-monthly")!.customQuotas!;
  const dearer = { ...units, monthlyExecutions: { ...units.monthlyExecutions, price: { USD: 900, EUR: 900 } } };
  return {
    ...catalogue,
    plans: [
      ...plans,
      replaced("pro-1-monthly", { USD: 9000, EUR: 8500 }),
      { ...replaced("custom-monthly", { USD: 15_000, EUR: 14_000 }), customQuotas: dearer },
    ],
  };
}

async function apply({ api: { database, clock } }: TestShop, catalogue: Catalogue): Promise<string[]> {
  return applyCatalogue(database.db, catalogue, await compareCatalogue(database.db, catalogue), { operator: "grace", now: clock.now() });
}

const listPrice = async (customer: Customer, planId: string) =>
  (await customer.call("GET", `/v1/paddle/plan/${planId}`)).json().plan.recurring_price.USD;
const nextPayment = async (customer: Customer) => (await customer.call("GET", "/account/plan/next-payment")).json().nextPayment;
const paid = async (customer: Customer) =>
  (await customer.payments()).filter(({ status }) => status === "succeeded").map(({ amount }) => amount.amount);

async function passTo(shop: TestShop, customer: Customer, at: string): Promise<void> {
  await shop.pass(Date.parse(at) + 2 * hourMs - shop.api.clock.now().getTime());
  await customer.signIn();
}

test.each(eachProvider)(
  "%s: a price raised by the runbook applies to new customers only; existing ones are shown and charged the old one, also after a change and when they come back",
  async (_name, open) => {
    const shop = await createTestShop({}, open);
    onTestFinished(() => shop[Symbol.asyncDispose]());
    const old = await startSubscriber(shop, "pro-1-monthly");
    expect(await apply(shop, raised())).toEqual([]);

    // Shown: the plan, the next payment, and what cancelling and coming back cost.
    expect((await old.subscription()).planId).toBe("pro-1-monthly");
    expect(await listPrice(old, "pro-1-monthly")).toBe(6000);
    expect((await nextPayment(old)).amount.amount).toBe(7140);
    // Charged at the renewal.
    await passTo(shop, old, (await old.subscription()).periodEndsAt!);
    expect(await paid(old)).toEqual([7140, 7140]);
    // A change credits what the old price paid, and is possible although the old plan is withdrawn.
    const preview = await previewChange(old, "pro-2-monthly");
    const net = preview.lines.filter(({ amount }) => amount.amount < 0).reduce((sum, { amount }) => sum + amount.amount, 0);
    expect(net).toBeLessThan(-5900);
    expect(net).toBeGreaterThanOrEqual(-6000);
    // Undoing a scheduled change keeps the old price.
    const down = await previewChange(old, "starter-monthly");
    expect((await old.pay("POST", "/account/plan/change", { planId: "starter-monthly", previewId: down.previewId })).statusCode).toBe(200);
    expect((await old.pay("DELETE", "/account/plan/change")).statusCode).toBe(200);
    expect((await nextPayment(old)).amount.amount).toBe(7140);

    // A new customer: the old plan is not available, and the new one costs what it says.
    const young = await startCustomer(shop);
    expect((await young.pay("POST", "/v1/paddle/plan/pro-1-monthly/generatePayLink", {})).json()).toMatchObject({ code: "plan_withdrawn" });
    await buyPlan(shop, young, "pro-1-monthly-2027");
    expect(await paid(young)).toEqual([10_710]);

    // Cancelled, undone, cancelled again and over: the same plan is available to come back to, at the same price.
    for (const path of ["cancel", "resubscribe", "cancel"]) {
      const answer = await old.pay("POST", `/account/billing/${path}`, path === "cancel" ? { accountName: old.form["accountName"] } : {});
      expect(answer.statusCode, answer.body).toBe(200);
    }
    await passTo(shop, old, (await old.subscription()).cancelAt!);
    expect((await old.subscription()).status).toBe("deleted");
    const again = (await old.call("POST", "/account/billing/resubscribe/preview", { body: {} })).json().preview;
    expect([again.way, again.planId, again.dueNow.amount]).toEqual(["checkout", "pro-1-monthly", 6000]);
    await buyPlan(shop, old, "pro-1-monthly");
    expect((await paid(old))[0]).toBe(7140);
  },
);

test("quotas chosen at an old unit price keep that price, for more units as well", async () => {
  const shop = await createTestShop();
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const quotas = { monthlyExecutions: 60_000, activeWorkflows: 100 };
  const old = await startCustomer(shop);
  await buyPlan(shop, old, "custom-monthly", { body: { quotas } });
  const before = (await nextPayment(old)).amount.amount;
  const more = { planId: "custom-monthly", quotas: { ...quotas, monthlyExecutions: 61_000 } };
  const priced = async () =>
    (await old.call("POST", "/account/plan/change/custom/preview", { body: more })).json().preview.nextRenewal.amount.amount;
  const unit = (await priced()) - before;
  await apply(shop, raised());
  expect((await priced()) - before).toBe(unit);
  expect((await nextPayment(old)).amount.amount).toBe(before);
});

test("existing customers do not get a new price or a smaller limit unless the operator insists; unused plans may change", async () => {
  const shop = await createTestShop();
  onTestFinished(() => shop[Symbol.asyncDispose]());
  await startSubscriber(shop, "pro-1-monthly");
  const other = await startCustomer(shop);
  await other.pay("POST", "/v1/paddle/plan/starter-yearly/generatePayLink", {});
  const changed = readCatalogue();
  const plan = (id: string) => changed.plans.find((one) => one.id === id)!;
  const spec = (id: string) => changed.specs.find((one) => one.id === id)!;
  plan("pro-1-monthly").recurringPrice["USD"] = 9000;
  plan("pro-1-monthly").recurringPrice["GBP"] = 5000;
  plan("starter-yearly").recurringPrice["EUR"] = 1;
  plan("pro-2-monthly").recurringPrice["USD"] = 1;
  spec("pro-1").monthlyExecutionsLimit = 9000;
  spec("pro-1").activeWorkflowsLimit = -1;
  spec("enterprise").monthlyExecutionsLimit = 5;
  spec("trial-1").monthlyExecutionsLimit = 5;
  expect(await apply(shop, changed)).toEqual([
    "spec pro-1, which 1 account has: monthlyExecutionsLimit 10000 → 9000",
    expect.stringMatching(/^plan (pro-1-monthly, which 1 account has: USD 6000 → 9000|starter-yearly, which 1 account has: EUR \d+ → 1)$/),
    expect.stringMatching(/^plan (pro-1-monthly, which 1 account has: USD 6000 → 9000|starter-yearly, which 1 account has: EUR \d+ → 1)$/),
  ]);
  const { db } = shop.api.database;
  expect((await compareCatalogue(db, changed)).lines.length).toBeGreaterThan(3);
  await applyCatalogue(db, changed, await compareCatalogue(db, changed), {
    operator: "grace",
    now: shop.api.clock.now(),
    alsoForHolders: true,
  });
  expect((await compareCatalogue(db, changed)).lines).toEqual([]);
});
