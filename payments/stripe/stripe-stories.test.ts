import { keptCard } from "#testing/payments/sandbox-harness.ts";
import { raisePrice } from "#testing/payments/fake-stripe/stripe-catalogue.ts";
import { buy, subscribe } from "#testing/payments/provider-suite/provider-customer.ts";
import { createStripeHarness } from "#testing/payments/stripe-harness.ts";
import { tellStories, type StripeLab } from "#testing/payments/stripe-stories.ts";

tellStories(async (): Promise<StripeLab> => {
  const harness = await createStripeHarness();
  const { state, provider } = harness;
  return {
    provider,
    now: () => harness.now(),
    plans: { month: "pro-1-monthly", dearMonth: "pro-2-monthly", year: "pro-1-yearly" },
    subscribe: (planId) => subscribe(harness, "visa", { purchase: buy(planId) }),
    useCard({ id }, card) {
      const method = state.methods.get(state.subscriptions.get(id)!.defaultMethod!)!;
      method.card = keptCard(card === "asks" ? "confirm-always" : "insufficient-funds", harness.now());
      return Promise.resolve();
    },
    giveCard: async ({ id }) =>
      void (await harness.enterCard(await provider.changeCardUrl(id, "https://panel.example/manage/billing"), "mastercard")),
    raise: (planId) => Promise.resolve(raisePrice(state, planId, 2)),
    passTo: (at) => harness.advance(at.getTime() - harness.now().getTime()),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
});
