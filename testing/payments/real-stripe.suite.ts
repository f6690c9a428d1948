/**
 * Runs the stories against the real Stripe in test mode. Only `npm run test:stripe` runs this, with the operator's own test key; everything
 * it creates there is removed or archived afterwards.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import { createStripeProvider } from "#payments/stripe/create-stripe-provider.ts";
import { tellStories, type StripeLab } from "./stripe-stories.ts";

const secretKey = process.env["STRIPE_TEST_KEY"] ?? "";
if (!/^(sk|rk)_test_/.test(secretKey)) throw new Error("STRIPE_TEST_KEY must be a key of Stripe's test mode.");

/** Stripe's test cards as payment methods (docs.stripe.com/testing, not read again). */
const cards = {
  pays: "pm_card_visa",
  other: "pm_card_mastercard",
  asks: "pm_card_authenticationRequired",
  refuses: "pm_card_chargeCustomerFail",
} as const;
const patienceMs = 5 * 60_000;

tellStories(async (): Promise<StripeLab> => {
  const stripe = new Stripe(secretKey, { telemetry: false, maxNetworkRetries: 4 });
  const mark = randomBytes(4).toString("hex");
  const plans = { month: `test-${mark}-month`, dearMonth: `test-${mark}-dear-month`, year: `test-${mark}-year` };
  const product = await stripe.products.create({ name: `Slipway test ${mark}`, tax_code: "txcd_10103001" });
  const priced = { [plans.month]: 6000, [plans.dearMonth]: 14_000, [plans.year]: 60_000 };
  const makePrice = (planId: string, amount: number) =>
    stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: amount,
      tax_behavior: "exclusive",
      recurring: { interval: planId === plans.year ? "year" : "month" },
      lookup_key: planId,
      transfer_lookup_key: true,
      metadata: { slipway: planId },
    });
  for (const [planId, amount] of Object.entries(priced)) await makePrice(planId, amount);

  let frozen = Math.floor(Date.now() / 1000);
  const testClock = await stripe.testHelpers.testClocks.create({ frozen_time: frozen, name: `Slipway test ${mark}` });
  const now = () => new Date(frozen * 1000);
  const provider = createStripeProvider({ secretKey, webhookSecrets: ["unused"], clock: { now } });
  const attach = async (card: string, customer: string) => (await stripe.paymentMethods.attach(card, { customer })).id;

  return {
    provider,
    now,
    plans,
    async subscribe(planId) {
      const accountId = randomUUID();
      const customer = await stripe.customers.create({
        email: "test@example.com",
        name: "Test",
        test_clock: testClock.id,
        metadata: { accountId },
        address: { line1: "1 Main St", city: "Portland", postal_code: "97201", state: "OR", country: "US" },
      });
      const { data } = await stripe.prices.list({ lookup_keys: [planId] });
      const made = await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: data[0]!.id }],
        default_payment_method: await attach(cards.pays, customer.id),
        automatic_tax: { enabled: true },
        metadata: { accountId, planId },
      });
      return (await provider.readSubscription(made.id))!;
    },
    useCard: async ({ id, customerId }, card) =>
      void (await stripe.subscriptions.update(id, { default_payment_method: await attach(cards[card], customerId) })),
    giveCard: async ({ customerId }) =>
      void (await stripe.customers.update(customerId, {
        invoice_settings: { default_payment_method: await attach(cards.other, customerId) },
      })),
    raise: async (planId) => void (await makePrice(planId, 2 * priced[planId]!)),
    async passTo(at) {
      // A test clock moves at most two intervals of the shortest subscription at a time, so a year passes month by month
      // (docs.stripe.com/billing/testing/test-clocks, not read again).
      const target = Math.floor(at.getTime() / 1000);
      while (frozen < target) {
        frozen = Math.min(target, frozen + 28 * 86_400);
        await stripe.testHelpers.testClocks.advance(testClock.id, { frozen_time: frozen });
        await untilReady(stripe, testClock.id);
      }
    },
    async [Symbol.asyncDispose]() {
      // Deletes its customers and their subscriptions too.
      await stripe.testHelpers.testClocks.del(testClock.id);
      for (const price of (await stripe.prices.list({ product: product.id, limit: 100 })).data)
        await stripe.prices.update(price.id, { active: false, lookup_key: "" });
      await stripe.products.update(product.id, { active: false });
    },
  };
});

async function untilReady(stripe: Stripe, id: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const { status } = await stripe.testHelpers.testClocks.retrieve(id);
    if (status === "ready") return;
    if (status === "internal_failure") break;
    await delay(2000);
  }
  throw new Error("Stripe's test clock did not arrive.");
}
