/** The Stripe adapter with a Stripe on loopback behind it, for the provider suite: the sandbox's world, spoken to in Stripe's words. */
import { createHmac } from "node:crypto";
import { createStripeProvider } from "#apps/payments-stripe/create-stripe-provider.ts";
import { selectPayments } from "#apps/payments-sandbox/sandbox-rows.ts";
import type { EventPayload } from "#apps/payments-sandbox/emit-event.ts";
import type { ProviderHarness, RawWebhook } from "./provider-harness.ts";
import { createSandboxHarness, type SandboxHarnessOptions } from "./sandbox-harness.ts";
import { startFakeStripe } from "./fake-stripe/start-fake-stripe.ts";
import { showInvoice, showSubscription, type FakeWorld } from "./fake-stripe/stripe-calls.ts";

const secretKey = "sk_test_loopback";
const secrets = { current: "whsec_current", previous: "whsec_previous", unknown: "whsec_nobodys" };

const sign = (body: Buffer, at: Date, secret: string): Record<string, string> => {
  const t = Math.floor(at.getTime() / 1000);
  return { "stripe-signature": `t=${t},v1=${createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")}` };
};

/** Sandbox's word to Stripe's. */
const types: Readonly<Record<string, string>> = {
  "checkout.completed": "checkout.session.completed",
  "subscription.created": "customer.subscription.created",
  "subscription.updated": "customer.subscription.updated",
  "subscription.past_due": "customer.subscription.updated",
  "subscription.paused": "customer.subscription.paused",
  "subscription.resumed": "customer.subscription.resumed",
  "subscription.canceled": "customer.subscription.deleted",
  "payment.succeeded": "invoice.paid",
  "payment.failed": "invoice.payment_failed",
  "payment.action_required": "invoice.payment_action_required",
  "payment.refunded": "charge.refunded",
  "payment.disputed": "charge.dispute.created",
  "customer.updated": "customer.updated",
};

/** `options` are those of the world behind it. */
export async function createStripeHarness(options: SandboxHarnessOptions = {}): Promise<ProviderHarness> {
  const sandbox = await createSandboxHarness(options);
  const world: FakeWorld = { harness: sandbox, confirmUrls: new Map(), taxIds: new Map() };
  const fake = await startFakeStripe(world, secretKey);
  const { clock } = sandbox;

  const toStripe = async (raw: RawWebhook): Promise<RawWebhook> => {
    const { id, type, occurredAt, data } = JSON.parse(raw.body.toString("utf8")) as EventPayload;
    const created = Math.floor(Date.parse(occurredAt) / 1000);
    const object = await objectOf(world, type, data);
    const body = Buffer.from(JSON.stringify({ id, object: "event", type: types[type] ?? type, created, livemode: false, data: { object } }));
    return { body, headers: sign(body, sandbox.now(), secrets.current) };
  };

  return {
    ...sandbox,
    provider: createStripeProvider({ secretKey, webhookSecrets: [secrets.current, secrets.previous], clock, host: { name: "127.0.0.1", port: fake.port } }),
    pay: ({ checkoutId, url }, ...rest) => sandbox.pay({ checkoutId: checkoutId.replace("cs_test_", ""), url }, ...rest),
    takeWebhooks: async () => Promise.all((await sandbox.takeWebhooks()).map(toStripe)),
    sign: (body, { at, secret }) => sign(body, at, secrets[secret]),
    unknownEvent: () => Buffer.from(JSON.stringify({ id: "evt_new", object: "event", type: "star.born", created: Math.floor(clock.now().getTime() / 1000), data: { object: { id: "star_1", object: "star" } } })),
    [Symbol.asyncDispose]: async () => {
      await fake.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const chargeOf = async ({ harness }: FakeWorld, invoiceId: string): Promise<string> => `ch_${(await selectPayments(harness.db, [invoiceId])).at(-1)!.id}`;

async function objectOf(world: FakeWorld, type: string, data: EventPayload["data"]): Promise<object> {
  const { subscriptionId, customerId, accountId } = data;
  if (type === "checkout.completed") return { id: `cs_test_${String(data["checkoutId"])}`, object: "checkout.session", subscription: subscriptionId, customer: customerId, client_reference_id: accountId };
  if (type === "customer.updated") return { id: customerId, object: "customer", metadata: { accountId } };
  if (type === "payment.refunded") return { id: "ch_refunded", object: "charge", customer: customerId, metadata: {} };
  // As at Stripe, it names a charge and nobody else.
  if (type === "payment.disputed") return { id: "dp_1", object: "dispute", charge: await chargeOf(world, String(data["invoiceId"])), status: "needs_response" };
  if (type.startsWith("payment.")) return showInvoice(world, String(data["invoiceId"]));
  return { ...(await showSubscription(world, subscriptionId!)), customer: customerId };
}
