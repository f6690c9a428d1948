/**
 * The payment port for Stripe, through its official library. Stripe calculates amounts, prorations and retries;
 * stripe-views.ts translates them.
 */
import Stripe from "stripe";
import type { Money } from "#contract/billing/money/money.ts";
import {
  ProviderRefusal,
  ProviderUnreachable,
  refuseTooLarge,
  testNameOf,
  type CheckoutRequest,
  type PaymentProvider,
  type ProviderSubscription,
} from "../payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import { timeLimits } from "#platform/time-limits.ts";
import { change, quote } from "./stripe-changes.ts";
import { customerFor, saveDetails, useNewestCard } from "./stripe-customers.ts";
import { endUnpaid, nextPayment, payNewest, previewResume, resume } from "./stripe-debts.ts";
import { asked, orNull } from "./stripe-errors.ts";
import { moneyOf } from "./prices/stripe-money.ts";
import { createPriceFinder, wantedItems } from "./prices/stripe-prices.ts";
import { keepNumbers, listPage } from "./stripe-lists.ts";
import { releaseSchedule } from "./stripe-schedules.ts";
import { chargesOf, expanded, idOf, invoiceView, isWithdrawn, subscriptionView } from "./stripe-views.ts";
import { checkStripeSignature, readStripeEvent } from "./stripe-webhook.ts";
import { allCharges, allInvoices, findSubscription, found, loadSubscription, readTaxRates, type World } from "./stripe-world.ts";

interface StripeOptions {
  secretKey: string;
  /** The secrets valid now: one, or two during a rotation. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** Whether Stripe's own documents are the invoices (default: ours). */
  issuesInvoices?: boolean;
  /** For tests: a different API address. */
  host?: { name: string; port: number };
}

/** Secret and restricted keys name their mode. */
export const isTestKey = (key: string): boolean => /^[a-z]+_test_/.test(key);

/** The payment port over Stripe. */
export function createStripeProvider({ secretKey, webhookSecrets, clock, host, issuesInvoices = false }: StripeOptions): PaymentProvider {
  const isTest = isTestKey(secretKey);
  const stripe = new Stripe(secretKey, {
    timeout: timeLimits.providerTryMs,
    // Repeated requests carry the same key.
    maxNetworkRetries: timeLimits.providerTries - 1,
    telemetry: false,
    ...(host && { host: host.name, port: host.port, protocol: "http" as const }),
  });
  const world: World = {
    stripe,
    clock,
    findPrices: createPriceFinder(stripe, () => clock.now().getTime()),
    taxRates: new Map(),
    isTest,
    readAt: createReadTimes(clock),
  };
  const read = (id: string) => readSubscription(world, id);
  /** Changes a subscription and returns its new state. */
  const andRead = async (id: string, act: () => Promise<unknown>): Promise<ProviderSubscription> => {
    await act();
    return found(await read(id), id);
  };

  return {
    name: isTest ? testNameOf("stripe") : "stripe",
    isSeller: issuesInvoices,
    lockedBeforeRenewalMs: 0,
    createCheckout: (request, key) => createCheckout(world, request, key),
    async readCheckout(id) {
      const session = await asked(() => stripe.checkout.sessions.retrieve(id));
      if (session.status === "complete") return { state: "paid", subscriptionId: idOf(session.subscription) };
      return { state: session.status === "open" ? "open" : "expired", subscriptionId: null };
    },
    expireCheckout: (id) => expireCheckout(world, id),
    readSubscription: read,
    previewChange: async (request, quotedAt) => (await quote(world, request, quotedAt ?? clock.now())).quote,
    change: (request, agreed, key) => andRead(request.subscriptionId, () => change(world, request, agreed, key)),
    cancelAtPeriodEnd: (id, key) => andRead(id, () => cancelAtPeriodEnd(world, id, key)),
    undoCancel: (id, key) => andRead(id, () => undoCancel(world, id, key)),
    async cancelNow(id, key) {
      const before = found(await read(id), id);
      if (before.status === "deleted") return before;
      // Nothing was delivered for what it owes.
      if (before.status === "paused") return andRead(id, () => endUnpaid(world, id, key));
      return andRead(id, () => asked(() => stripe.subscriptions.cancel(id, {}, { idempotencyKey: key })));
    },
    refundSubscription: (id, key, most) => refundSubscription(world, id, key, most),
    previewResume: (id, unpaid = null) => previewResume(world, id, unpaid),
    resume: (id, expectedDueNow, key, unpaid = null) => andRead(id, () => resume(world, id, expectedDueNow, key, unpaid)),
    retryPayment: (id, key) => andRead(id, () => payNewest(world, id, key)),
    async changeCardUrl(id, returnUrl) {
      const { customerId } = found(await read(id), id);
      const after = { type: "redirect", redirect: { return_url: returnUrl } } as const;
      const session = await asked(() =>
        stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
          flow_data: { type: "payment_method_update", after_completion: after },
        }),
      );
      return session.url;
    },
    saveDetails: (customerId, details) => saveDetails(world, customerId, details),
    // Each customer belongs to one account, and several customers may share an address.
    saveEmail: async (customerId, { email }) => void (await asked(() => stripe.customers.update(customerId, { email }))),
    async listInvoices(customerId) {
      const [invoices, charges] = await asked(() => Promise.all([allInvoices(stripe, customerId), allCharges(stripe, customerId)]));
      const facts = { charges, withdrawn: await withdrawnOf(world, charges), rates: await readTaxRates(world, invoices) };
      const views = invoices.map((invoice) => {
        const view = invoiceView(invoice, facts);
        return view && issuesInvoices ? { ...view, number: invoice.number } : view;
      });
      return views.filter((view) => view !== null);
    },
    invoiceUrl: async (id) => (issuesInvoices ? ((await asked(() => stripe.invoices.retrieve(id))).invoice_pdf ?? null) : null),
    nextPayment: (id) => nextPayment(world, id),
    listPage: (list, since, after) => listPage(stripe, list, since, after),
    keepNumbers: (invoiceId, numbers) => keepNumbers(stripe, invoiceId, numbers),
    whoseEvent: (chargeId) => whoseEvent(world, chargeId),
    readWebhook(headers, rawBody, now) {
      checkStripeSignature(headers["stripe-signature"], webhookSecrets, rawBody, now);
      return readStripeEvent(rawBody, { isTest });
    },
  };
}

/** Stripe does not say when a subscription last changed, so a later reading counts as newer. Never returns the same time twice. */
function createReadTimes(clock: Clock): () => Date {
  let lastMs = 0;
  return () => new Date((lastMs = Math.max(clock.now().getTime(), lastMs + 1)));
}

/** Every event, page and timer reads through here, so a newly entered card is used from the next reading on. */
async function readSubscription(world: World, id: string): Promise<ProviderSubscription | null> {
  // The time before the request: a change made while Stripe answers counts as newer.
  const at = world.readAt();
  const read = await findSubscription(world, id);
  if (!read) return null;
  if (read.livemode === world.isTest) throw new ProviderRefusal(`${id} is of Stripe's other mode.`);
  const subscription = (await useNewestCard(world, read)) ? await loadSubscription(world, id) : read;
  const invoice = expanded(subscription.latest_invoice);
  const isPaid = subscription.status === "active" || !invoice;
  const charges = isPaid ? [] : chargesOf(invoice, await asked(() => allCharges(world.stripe, idOf(subscription.customer) ?? "")));
  return subscriptionView(subscription, charges, at);
}

async function createCheckout(world: World, request: CheckoutRequest, key: string): Promise<{ checkoutId: string; url: string }> {
  const items = wantedItems(request.purchase);
  const prices = await asked(() => world.findPrices(items.map(({ entry }) => entry)));
  const metadata = { accountId: request.accountId, planId: request.purchase.planId };
  const customer = await customerFor(world, request, key);
  const session = await asked(() =>
    world.stripe.checkout.sessions.create(
      {
        mode: "subscription",
        customer,
        client_reference_id: request.accountId,
        currency: request.currency.toLowerCase(),
        line_items: items.map(({ entry, quantity }) => ({ price: prices.get(entry)!.id, quantity })),
        subscription_data: { metadata },
        metadata,
        automatic_tax: { enabled: true },
        // An invoice over 250 EUR must name the buyer's address (contract/billing/full-invoice.ts), and later ones of this customer may be.
        billing_address_collection: "required",
        customer_update: { address: "auto", name: "auto" },
        tax_id_collection: { enabled: true },
        success_url: request.successUrl,
        cancel_url: request.cancelUrl,
      },
      { idempotencyKey: key },
    ),
  );
  if (!session.url) throw new ProviderRefusal(`Stripe gave no address for checkout ${session.id}.`);
  return { checkoutId: session.id, url: session.url };
}

/** Stripe closes only open pages; one that is already closed says what became of it. */
async function expireCheckout({ stripe }: World, id: string): Promise<"expired" | "paid"> {
  const session = await asked(() => stripe.checkout.sessions.expire(id).catch(() => stripe.checkout.sessions.retrieve(id)));
  if (session.status === "open") throw new ProviderUnreachable(`Stripe did not close checkout ${id}.`);
  return session.status === "complete" ? "paid" : "expired";
}

/** Also drops any change scheduled for the next period. An unpaid subscription ends immediately, since it has no paid period left. */
async function cancelAtPeriodEnd(world: World, id: string, key: string): Promise<void> {
  const subscription = await loadSubscription(world, id);
  if (subscription.status === "paused" || subscription.status === "unpaid") return endUnpaid(world, id, key);
  await releaseSchedule(world, subscription);
  await asked(() => world.stripe.subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey: key }));
}

/** Undoes any cancellation: ours at the period's end, or an operator's on a chosen date. */
async function undoCancel(world: World, id: string, key: string): Promise<void> {
  const { cancel_at_period_end: atPeriodEnd, cancel_at: at } = await loadSubscription(world, id);
  const change = !atPeriodEnd && at !== null ? { cancel_at: "" as const } : { cancel_at_period_end: false };
  await asked(() => world.stripe.subscriptions.update(id, change, { idempotencyKey: key }));
}

/** Refunds each payment in full; what was already refunded is skipped. */
async function refundSubscription({ stripe }: World, id: string, key: string, most: number): Promise<Money> {
  const subscription = await asked(() => stripe.subscriptions.retrieve(id));
  const customerId = idOf(subscription.customer) ?? "";
  const [invoices, charges] = await asked(() => Promise.all([allInvoices(stripe, customerId), allCharges(stripe, customerId)]));
  const paid = invoices
    .filter((invoice) => idOf(invoice.parent?.subscription_details?.subscription) === id)
    .flatMap((invoice) => chargesOf(invoice, charges))
    .filter((charge) => charge.status === "succeeded");
  const sum = moneyOf(
    paid.reduce((total, { amount }) => total + amount, 0),
    subscription.currency,
  );
  refuseTooLarge(sum, most);
  for (const charge of paid)
    if (!charge.refunded)
      await asked(() => stripe.refunds.create({ charge: charge.id, reason: "duplicate" }, { idempotencyKey: `${key}:${charge.id}` }));
  return sum;
}

/** The disputed charges whose money is currently withdrawn. Most customers have none. */
async function withdrawnOf({ stripe }: World, charges: readonly Stripe.Charge[]): Promise<Set<string>> {
  const withdrawn = new Set<string>();
  for (const { id, disputed } of charges) {
    if (disputed && (await asked(() => stripe.disputes.list({ charge: id, limit: 10 }))).data.some(isWithdrawn)) withdrawn.add(id);
  }
  return withdrawn;
}

/** From a charge to its customer, and to the account that the customer was created for. */
async function whoseEvent({ stripe }: World, chargeId: string): ReturnType<PaymentProvider["whoseEvent"]> {
  if (!/^(ch|py)_/.test(chargeId)) return null;
  const charge = await orNull(() => stripe.charges.retrieve(chargeId, { expand: ["customer"] }));
  const customer = expanded(charge?.customer);
  const accountId = customer && !customer.deleted ? (customer.metadata["accountId"] ?? null) : null;
  return charge && { customerId: idOf(charge.customer), accountId };
}
