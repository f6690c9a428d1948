/** The Stripe adapter with a fake Stripe on loopback, for the provider suite and for Stripe's own tests. */
import { createHmac } from "node:crypto";
import { planPrices } from "#payments/sandbox/plan-prices.ts";
import { createStripeProvider } from "#payments/stripe/create-stripe-provider.ts";
import type { ProviderHarness } from "./provider-suite/provider-harness.ts";
import { keptCard, type SandboxHarnessOptions } from "./sandbox-harness.ts";
import { startFakeStripe, type FakeStripe } from "./fake-stripe/start-fake-stripe.ts";
import { addPrices, cataloguePrices } from "./fake-stripe/stripe-catalogue.ts";
import * as pages from "./fake-stripe/stripe-pages.ts";
import { createState, type State } from "./fake-stripe/stripe-state.ts";
import { runDue } from "./fake-stripe/stripe-time.ts";
import { createTestClock } from "../test-clock.ts";

/** Of live mode, as in production. */
const secretKey = "sk_live_loopback";
const secrets = { current: "whsec_current", previous: "whsec_previous", unknown: "whsec_nobodys" };

const sign = (body: Buffer, at: Date, secret: string): Record<string, string> => {
  const t = Math.floor(at.getTime() / 1000);
  return { "stripe-signature": `t=${t},v1=${createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")}` };
};

/** For Stripe's own tests only: its state, and the requests it received. */
export interface StripeHarness extends ProviderHarness {
  state: State;
  asked: FakeStripe["asked"];
}

export interface StripeHarnessOptions extends SandboxHarnessOptions {
  afterTries?: State["afterTries"];
  /** Whether Stripe's documents are the invoices. */
  issuesInvoices?: boolean;
}

export const atCheckout = { name: "Ada Lovelace", country: "DE", postalCode: "10115" };

/** Without a clock in `options`, time does not pass. */
export async function createStripeHarness(options: StripeHarnessOptions = {}): Promise<StripeHarness> {
  const clock = options.clock ?? createTestClock();
  const state = createState(clock, cataloguePrices(), {
    isTaxInclusive: options.isTaxInclusive ?? (() => false),
    afterTries: options.afterTries ?? "paused",
  });
  const { db } = options;
  const fake = await startFakeStripe(state, secretKey, async (entries) => db && addPrices(state, planPrices(db), entries));
  const now = () => clock.now();
  return {
    state,
    asked: fake.asked,
    now,
    provider: createStripeProvider({
      secretKey,
      webhookSecrets: [secrets.current, secrets.previous],
      clock,
      issuesInvoices: options.issuesInvoices ?? false,
      host: { name: "127.0.0.1", port: fake.port },
    }),
    advance(ms) {
      clock.advance(ms);
      runDue(state);
      return Promise.resolve();
    },
    pay: ({ checkoutId }, card, answer = "confirm") => {
      runDue(state);
      return Promise.resolve().then(() => pages.payCheckout(state, checkoutId, keptCard(card, now()), atCheckout, answer === "confirm"));
    },
    enterCard: (url, card) => Promise.resolve(pages.enterAtPortal(state, url, keptCard(card, now()))),
    confirm: (url) => Promise.resolve(pages.confirmAtInvoice(state, url)),
    takeWebhooks: () =>
      Promise.resolve(
        state.events.splice(0).map(({ id, type, created, object, previous }) => {
          const body = Buffer.from(
            JSON.stringify({
              id,
              object: "event",
              type,
              created,
              livemode: true,
              data: { object, ...(previous && { previous_attributes: previous }) },
            }),
          );
          return { body, headers: sign(body, now(), secrets.current) };
        }),
      ),
    sign: (body, { at, secret }) => sign(body, at, secrets[secret]),
    unknownEvent: () =>
      Buffer.from(
        JSON.stringify({
          id: "evt_new",
          object: "event",
          type: "star.born",
          created: Math.floor(now().getTime() / 1000),
          livemode: true,
          data: { object: { id: "star_1", object: "star" } },
        }),
      ),
    setUnknownStatus: (id) => Promise.resolve(void (state.subscriptions.get(id)!.status = "hibernating")),
    refundNewest: (customerId) => Promise.resolve(pages.refundNewest(state, customerId)),
    // Refunds need no approval here.
    agreeToRefunds: () => Promise.resolve(),
    disputeNewest: (customerId) => Promise.resolve(pages.disputeNewest(state, customerId)),
    pausedAfterMs: 7 * 86_400_000,
    triesOnRequest: true,
    closesPages: true,
    prorationTolerance: 0,
    [Symbol.asyncDispose]: () => fake.close(),
  };
}
