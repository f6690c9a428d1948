/** How many calls a renewal takes at Paddle, which answers 240 a minute to all customers of an installation together. */
import { expect, onTestFinished, test } from "vitest";
import { doWhatIsDue } from "#domain/billing/provider-truth/billing-loop.ts";
import { kindNameOf } from "#payments/payment-provider.ts";
import { secondMs } from "#platform/clock.ts";
import { createPaddleHarness, type PaddleHarness } from "#testing/payments/paddle-harness.ts";
import { buyPlan, createTestShop, startCustomer, startSubscriber } from "#testing/payments/test-shop.ts";

/** With the usual wait for a renewal's other events. */
async function openPaddleShop() {
  let paddle: PaddleHarness | undefined;
  const shop = await createTestShop({}, async (options) => (paddle = await createPaddleHarness({ ...options, gathersMs: 20 * secondMs })));
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const { asked } = paddle!.fake;
  return {
    shop,
    asked,
    /** Delivers events one after another, as Paddle does, and does after each what is due. */
    async deliver(): Promise<number> {
      const { billing, clock } = shop.api.services;
      const sent = await shop.harness.takeWebhooks();
      for (const { headers, body } of sent) {
        const url = `/api/webhooks/${kindNameOf(billing.provider.name)}`;
        const answer = await shop.api.app.inject({
          method: "POST",
          url,
          headers: { "content-type": "application/json", ...headers },
          payload: body,
        });
        expect(answer.statusCode).toBe(200);
        await doWhatIsDue(billing);
        (clock as typeof shop.api.clock).advance(2 * secondMs);
      }
      return sent.length;
    },
  };
}

test("a renewal at Paddle is answered by one look of five calls, with its payment and card", async () => {
  const { shop, asked, deliver } = await openPaddleShop();
  const customer = await startSubscriber(shop);
  const { rows } = await shop.api.database.pool.query("select period_ends_at from subscriptions where provider is not null");
  const endsAt = (rows as { period_ends_at: Date }[])[0]!.period_ends_at.getTime();
  await shop.pass(endsAt - secondMs - shop.harness.now().getTime());
  await shop.catchUp();
  await shop.harness.advance(2 * secondMs);
  asked.length = 0;
  expect(await deliver()).toBeGreaterThanOrEqual(2);
  expect(asked).toEqual([]);
  shop.api.clock.advance(20 * secondMs);
  await doWhatIsDue(shop.api.services.billing);
  await doWhatIsDue(shop.api.services.billing);
  expect(asked).toHaveLength(5);
  await customer.signIn();
  expect((await customer.payments()).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
});

test("a first payment waits for no other event", async () => {
  const { shop, deliver } = await openPaddleShop();
  const customer = await startCustomer(shop);
  const link = await customer.pay("POST", "/v1/paddle/plan/pro-1-monthly/generatePayLink", {});
  await shop.harness.pay({ url: link.json().url, checkoutId: new URL(link.json().url).searchParams.get("_ptxn")! }, "visa");
  await deliver();
  expect(await customer.billing()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
  expect((await buyPlan(shop, await startCustomer(shop), "starter-monthly")).statusCode).toBe(200);
});
