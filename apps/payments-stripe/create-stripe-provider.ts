/** Stripe behind the port, by its official library. Amounts, prorations and tries are Stripe's; what they mean here is in stripe-views.ts. */
import Stripe from "stripe";
import type { BillingDetails } from "#contract/billing.ts";
import type { Money } from "#contract/money.ts";
import { ProviderRefusal, ProviderUnreachable, QuoteStale, type ChangeQuote, type ChangeRequest, type CheckoutRequest, type PaymentProvider, type ProviderLine, type ProviderSubscription } from "#domain/billing/payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import { asked, orNull } from "./stripe-errors.ts";
import { fromStripe } from "./stripe-money.ts";
import { createPriceFinder, wantedItems, type FindPriceIds } from "./stripe-prices.ts";
import { chargesOf, expanded, idOf, invoiceView, isWithdrawn, lineView, subscriptionView, taxView, toDate, upper } from "./stripe-views.ts";
import { checkStripeSignature, readStripeEvent } from "./stripe-webhook.ts";

export interface StripeOptions {
  secretKey: string;
  /** Those valid now: one, or two while one replaces the other. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** For tests: another address. */
  host?: { name: string; port: number };
}

/** A page that waits longer keeps a customer waiting; a call that is repeated has its key. */
const timeoutMs = 20_000;
const expand = ["customer", "customer.invoice_settings.default_payment_method", "default_payment_method", "latest_invoice", "latest_invoice.payments"];

interface World {
  stripe: Stripe;
  findPrices: FindPriceIds;
  clock: Clock;
  readAt(): Date;
}

/** The port over Stripe. */
export function createStripeProvider({ secretKey, webhookSecrets, clock, host }: StripeOptions): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(host && { host: host.name, port: host.port, protocol: "http" as const }),
  });
  const world: World = { stripe, clock, findPrices: createPriceFinder(stripe, () => clock.now().getTime()), readAt: createReadTimes(clock) };
  const read = (id: string) => readSubscription(world, id);
  const update = async (id: string, params: Stripe.SubscriptionUpdateParams, key: string): Promise<ProviderSubscription> => {
    await asked(() => stripe.subscriptions.update(id, params, { idempotencyKey: key }));
    return must(await read(id), id);
  };

  return {
    name: "stripe",
    isSeller: false,
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
    change: (request, agreed, key) => change(world, request, agreed, key),
    cancelAtPeriodEnd: (id, key) => update(id, { cancel_at_period_end: true }, key),
    undoCancel: (id, key) => update(id, { cancel_at_period_end: false }, key),
    async cancelNow(id, key) {
      const before = must(await read(id), id);
      if (before.status === "deleted") return before;
      await asked(() => stripe.subscriptions.cancel(id, {}, { idempotencyKey: key }));
      return must(await read(id), id);
    },
    refundSubscription: (id, key) => refundSubscription(world, id, key),
    previewResume: (id) => previewResume(world, id),
    resume: (id, expectedDueNow, key) => resume(world, id, expectedDueNow, key),
    async retryPayment(id, key) {
      await payNewest(world, id, key);
      return must(await read(id), id);
    },
    async changeCardUrl(id, returnUrl) {
      const { customerId } = must(await read(id), id);
      const session = await asked(() => stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl, flow_data: { type: "payment_method_update" } }));
      return session.url;
    },
    saveDetails: (customerId, details) => saveDetails(world, customerId, details),
    // A customer is one account's here, and an address may have any number of customers.
    saveEmail: async (customerId, { email }) => void (await asked(() => stripe.customers.update(customerId, { email }))),
    async listInvoices(customerId) {
      const [invoices, charges] = await asked(() => Promise.all([allInvoices(stripe, customerId), allCharges(stripe, customerId)]));
      const withdrawn = await withdrawnOf(world, charges);
      return invoices.map((invoice) => invoiceView(invoice, charges, withdrawn)).filter((view) => view !== null);
    },
    // We are the seller: the PDF is ours.
    invoiceUrl: () => Promise.resolve(null),
    nextPayment: (id) => nextPayment(world, id),
    whoseEvent: (chargeId) => whoseEvent(world, chargeId),
    readWebhook(headers, rawBody, now) {
      checkStripeSignature(headers["stripe-signature"], webhookSecrets, rawBody, now);
      return readStripeEvent(rawBody);
    },
  };
}

/** Stripe does not say when a subscription last changed: what was read later is newer. Never the same moment twice. */
function createReadTimes(clock: Clock): () => Date {
  let lastMs = 0;
  return () => new Date((lastMs = Math.max(clock.now().getTime(), lastMs + 1)));
}

function must(subscription: ProviderSubscription | null, id: string): ProviderSubscription {
  if (!subscription) throw new ProviderRefusal(`Stripe knows no subscription ${id}.`);
  return subscription;
}

async function readSubscription({ stripe, readAt }: World, id: string): Promise<ProviderSubscription | null> {
  // The time before the question: whatever changes while it is answered is newer.
  const at = readAt();
  const subscription = await orNull(() => stripe.subscriptions.retrieve(id, { expand }));
  if (!subscription) return null;
  const invoice = expanded(subscription.latest_invoice);
  const isPaid = subscription.status === "active" || !invoice;
  const charges = isPaid ? [] : chargesOf(invoice, await asked(() => allCharges(stripe, idOf(subscription.customer) ?? "")));
  return subscriptionView(subscription, charges, at);
}

async function createCheckout({ stripe, findPrices }: World, request: CheckoutRequest, key: string): Promise<{ checkoutId: string; url: string }> {
  const items = wantedItems(request.purchase);
  const prices = await asked(() => findPrices(items.map(({ lookupKey }) => lookupKey)));
  const metadata = { accountId: request.accountId, planId: request.purchase.planId };
  const session = await asked(async () => {
    const customer = request.customerId ?? (await createCustomer(stripe, request, key));
    return stripe.checkout.sessions.create(
      {
        mode: "subscription",
        customer,
        client_reference_id: request.accountId,
        currency: request.currency.toLowerCase(),
        line_items: items.map(({ lookupKey, quantity }) => ({ price: prices.get(lookupKey)!, quantity })),
        subscription_data: { metadata },
        metadata,
        automatic_tax: { enabled: true },
        customer_update: { address: "auto", name: "auto" },
        tax_id_collection: { enabled: true },
        success_url: request.successUrl,
        cancel_url: request.cancelUrl,
      },
      { idempotencyKey: key },
    );
  });
  if (!session.url) throw new ProviderRefusal(`Stripe gave no address for checkout ${session.id}.`);
  return { checkoutId: session.id, url: session.url };
}

/** Stripe closes an open page only: one that is closed already says what it became. */
async function expireCheckout({ stripe }: World, id: string): Promise<"expired" | "paid"> {
  const session = await asked(() => stripe.checkout.sessions.expire(id).catch(() => stripe.checkout.sessions.retrieve(id)));
  if (session.status === "open") throw new ProviderUnreachable(`Stripe did not close checkout ${id}.`);
  return session.status === "complete" ? "paid" : "expired";
}

/** Each payment goes back whole; what has gone back already is left alone. */
async function refundSubscription({ stripe }: World, id: string, key: string): Promise<Money> {
  const subscription = await asked(() => stripe.subscriptions.retrieve(id));
  const customerId = idOf(subscription.customer) ?? "";
  const [invoices, charges] = await asked(() => Promise.all([allInvoices(stripe, customerId), allCharges(stripe, customerId)]));
  const paid = invoices.filter((invoice) => idOf(invoice.parent?.subscription_details?.subscription) === id).flatMap((invoice) => chargesOf(invoice, charges)).filter((charge) => charge.status === "succeeded");
  for (const charge of paid) if (!charge.refunded) await asked(() => stripe.refunds.create({ charge: charge.id, reason: "duplicate" }, { idempotencyKey: `${key}:${charge.id}` }));
  return fromStripe(paid.reduce((sum, { amount }) => sum + amount, 0), upper(subscription.currency));
}

/** Of charges that were disputed, those whose money is gone for now. Hardly any customer has one. */
async function withdrawnOf({ stripe }: World, charges: readonly Stripe.Charge[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { id, disputed } of charges) {
    if (disputed && (await asked(() => stripe.disputes.list({ charge: id, limit: 10 }))).data.some(isWithdrawn)) found.add(id);
  }
  return found;
}

/** A dispute names its charge, the charge its customer, and the customer the account it was made for. */
async function whoseEvent({ stripe }: World, chargeId: string): ReturnType<PaymentProvider["whoseEvent"]> {
  if (!/^(ch|py)_/.test(chargeId)) return null;
  const charge = await orNull(() => stripe.charges.retrieve(chargeId, { expand: ["customer"] }));
  const customer = expanded(charge?.customer as string | Stripe.Customer | null | undefined);
  return charge && { customerId: idOf(charge.customer), accountId: customer?.metadata?.["accountId"] ?? null };
}

async function createCustomer(stripe: Stripe, { accountId, email, name, details }: CheckoutRequest, key: string): Promise<string> {
  const customer = await stripe.customers.create(
    { email, name: details?.name || name, metadata: { accountId }, ...(details && { address: addressOf(details) }) },
    { idempotencyKey: `${key}:customer` },
  );
  return customer.id;
}

const addressOf = ({ line1, line2, postalCode, city, country }: BillingDetails) => ({ line1, line2, postal_code: postalCode, city, country });

async function saveDetails({ stripe }: World, customerId: string, details: BillingDetails): Promise<void> {
  await asked(async () => {
    await stripe.customers.update(customerId, { name: details.name, address: addressOf(details) });
    const { data } = await stripe.customers.listTaxIds(customerId);
    if (data.some(({ value }) => value === details.vatId)) return;
    for (const { id } of data) await stripe.customers.deleteTaxId(customerId, id);
    if (details.vatId) await stripe.customers.createTaxId(customerId, { type: details.country === "GB" ? "gb_vat" : "eu_vat", value: details.vatId });
  });
}

interface Quoted {
  quote: ChangeQuote;
  items: Stripe.SubscriptionUpdateParams.Item[];
}

/** What a change costs at a moment: Stripe's own invoice of it, and the one after. */
async function quote({ stripe, findPrices }: World, request: ChangeRequest, quotedAt: Date): Promise<Quoted> {
  const before = await asked(() => stripe.subscriptions.retrieve(request.subscriptionId, { expand: ["customer"] }));
  if (before.status !== "active") throw new ProviderRefusal(`A subscription that is ${before.status} can't change its plan.`);
  const items = await changedItems(findPrices, before, request);
  const prorationDate = Math.floor(quotedAt.getTime() / 1000);
  const preview = (which: "now" | "recurring") =>
    which === "now"
      ? stripe.invoices.createPreview({ subscription: before.id, subscription_details: { items, proration_behavior: "always_invoice", proration_date: prorationDate } })
      : stripe.invoices.createPreview({ subscription: before.id, preview_mode: "recurring", subscription_details: { items } });
  const periodEnd = before.items.data[0]?.current_period_end ?? before.created;
  const currency = upper(before.currency);
  const balance = expanded(before.customer as string | Stripe.Customer)?.balance ?? 0;
  if (request.billing === "next-period") {
    const after = await asked(() => preview("recurring"));
    const nothing = fromStripe(0, currency);
    return { items, quote: { quotedAt, lines: [], tax: null, dueNow: nothing, givenBack: nothing, creditAfter: fromStripe(Math.max(0, -balance), currency), nextRenewal: renewal(after, balance, periodEnd) } };
  }
  const [now, after] = await asked(() => Promise.all([preview("now"), preview("recurring")]));
  const balanceAfter = now.ending_balance ?? balance;
  const credit = (now.starting_balance ?? balance) - balanceAfter;
  const creditUsed = credit < 0 && now.amount_due >= 0 && now.total > 0 ? credit : 0;
  // A whole period among the prorations is one that begins now: monthly has become yearly, or the other way round.
  const newPeriodEnd = now.lines.data.find((line) => !lineView(line).isProration)?.period.end;
  const lines = [
    ...now.lines.data.map(lineView),
    ...(creditUsed < 0 ? [{ label: "Credit", quantity: 1, amount: fromStripe(creditUsed, currency), isProration: true }] : []),
  ];
  return {
    items,
    quote: { quotedAt, lines, tax: taxView(now), dueNow: fromStripe(Math.max(0, now.amount_due), currency), givenBack: fromStripe(Math.max(0, -now.total), currency), creditAfter: fromStripe(Math.max(0, -balanceAfter), currency), nextRenewal: renewal(after, balanceAfter, newPeriodEnd ?? periodEnd) },
  };
}

/** A preview goes by the balance of now; the renewal comes after the change has used some of it, or added to it. */
const renewal = (recurring: Stripe.Invoice, balance: number, atSeconds: number): ChangeQuote["nextRenewal"] => ({
  at: toDate(atSeconds),
  amount: fromStripe(Math.max(0, recurring.total + balance), upper(recurring.currency)),
  lines: [...recurring.lines.data.map(lineView), ...creditOff(Math.max(0, Math.min(-balance, recurring.total)), upper(recurring.currency))],
  tax: taxView(recurring),
});

const creditOff = (amount: number, currency: string): ProviderLine[] => (amount > 0 ? [{ label: "Credit", quantity: 1, amount: fromStripe(-amount, currency), isProration: false }] : []);

/** Items are changed in place: what is left out would stay. */
async function changedItems(findPrices: FindPriceIds, before: Stripe.Subscription, request: ChangeRequest): Promise<Stripe.SubscriptionUpdateParams.Item[]> {
  const wanted = wantedItems(request.purchase);
  const prices = await asked(() => findPrices(wanted.map(({ lookupKey }) => lookupKey)));
  const ofKind = (key: string) => (key.endsWith("-executions") ? "executions" : key.endsWith("-workflows") ? "workflows" : "plan");
  const there = new Map(before.items.data.map((item) => [ofKind(item.price.lookup_key ?? ""), item.id]));
  const changed = wanted.map(({ lookupKey, quantity }) => {
    const id = there.get(ofKind(lookupKey));
    there.delete(ofKind(lookupKey));
    return { ...(id && { id }), price: prices.get(lookupKey)!, quantity };
  });
  return [...changed, ...[...there.values()].map((id) => ({ id, deleted: true }))];
}

async function change(world: World, request: ChangeRequest, agreed: { quotedAt: Date; expectedDueNow: { amount: number } }, key: string): Promise<ProviderSubscription> {
  const { stripe } = world;
  const before = must(await readSubscription(world, request.subscriptionId), request.subscriptionId);
  // A repeated call finds its work done: asked again, its price would be another one.
  const isDone = JSON.stringify(before.purchase) === JSON.stringify(request.purchase) && before.status === "active";
  if (isDone) return before;
  const { quote: now, items } = await quote(world, request, agreed.quotedAt);
  if (now.dueNow.amount !== agreed.expectedDueNow.amount) throw new QuoteStale("The price has changed.");
  const prorated = { proration_behavior: "always_invoice", proration_date: Math.floor(agreed.quotedAt.getTime() / 1000) } as const;
  await asked(
    () =>
      stripe.subscriptions.update(
        request.subscriptionId,
        // Refused whole where the payment fails.
        { items, payment_behavior: "error_if_incomplete", ...(request.billing === "now" ? prorated : { proration_behavior: "none" as const }) },
        { idempotencyKey: key },
      ),
    () => Promise.resolve(null),
  );
  return must(await readSubscription(world, request.subscriptionId), request.subscriptionId);
}

/** Charges what is open; a subscription that was paused begins a new period. */
async function resume(world: World, id: string, expectedDueNow: Money, key: string): Promise<ProviderSubscription> {
  const before = must(await readSubscription(world, id), id);
  if (before.status === "active") return before;
  if (before.status !== "paused") throw new ProviderRefusal(`A subscription that is ${before.providerStatus} can't be resumed.`);
  const { dueNow } = await previewResume(world, id);
  if (dueNow.amount !== expectedDueNow.amount || dueNow.currency !== expectedDueNow.currency) throw new QuoteStale("The price has changed.");
  if (before.providerStatus === "unpaid") await payNewest(world, id, key);
  else {
    await asked(
      () => world.stripe.subscriptions.resume(id, { billing_cycle_anchor: { type: "now" }, payment_behavior: "resume_on_payment_success" }, { idempotencyKey: key }),
      () => hostedInvoiceUrl(world, id),
    );
  }
  return must(await readSubscription(world, id), id);
}

/** One that is unpaid owes its open invoice; one that is paused begins a period; one that runs is charged when it renews. */
async function previewResume(world: World, id: string): Promise<ChangeQuote> {
  const { stripe, clock } = world;
  const subscription = await asked(() => stripe.subscriptions.retrieve(id, { expand: ["customer", "latest_invoice"] }));
  if (subscription.ended_at) throw new ProviderRefusal(`The subscription ${id} has ended.`);
  const currency = upper(subscription.currency);
  const balance = expanded(subscription.customer as string | Stripe.Customer)?.balance ?? 0;
  const periodEnd = subscription.items.data[0]?.current_period_end ?? subscription.created;
  const after = await asked(() => stripe.invoices.createPreview({ subscription: id, preview_mode: "recurring", subscription_details: { cancel_at_period_end: false } }));
  const nothing: ChangeQuote = { quotedAt: clock.now(), lines: [], tax: null, dueNow: fromStripe(0, currency), givenBack: fromStripe(0, currency), creditAfter: fromStripe(Math.max(0, -balance), currency), nextRenewal: renewal(after, balance, periodEnd) };
  const open = expanded(subscription.latest_invoice);
  if (subscription.status === "unpaid" && open) return { ...nothing, lines: open.lines.data.map(lineView), tax: taxView(open), dueNow: fromStripe(open.amount_remaining, currency) };
  if (subscription.status !== "paused") return nothing;
  const now = await asked(() => stripe.invoices.createPreview({ subscription: id, subscription_details: { resume_at: "now", billing_cycle_anchor: { type: "now" } } }));
  const balanceAfter = now.ending_balance ?? Math.min(0, balance + now.total);
  const creditUsed = balanceAfter - balance;
  const lines = [...now.lines.data.map(lineView), ...(creditUsed > 0 ? [{ label: "Credit", quantity: 1, amount: fromStripe(-creditUsed, currency), isProration: false }] : [])];
  return { ...nothing, lines, tax: taxView(now), dueNow: fromStripe(now.amount_due, currency), creditAfter: fromStripe(Math.max(0, -balanceAfter), currency), nextRenewal: renewal(after, balanceAfter, now.lines.data[0]?.period.end ?? periodEnd) };
}

async function payNewest(world: World, subscriptionId: string, key: string): Promise<void> {
  const subscription = await asked(() => world.stripe.subscriptions.retrieve(subscriptionId));
  const invoiceId = idOf(subscription.latest_invoice);
  if (!invoiceId || (subscription.status !== "past_due" && subscription.status !== "unpaid")) throw new ProviderRefusal(`A subscription that is ${subscription.status} has nothing to pay.`);
  await asked(
    () => world.stripe.invoices.pay(invoiceId, {}, { idempotencyKey: key }),
    () => hostedInvoiceUrl(world, subscriptionId),
  );
}

/** Stripe's page of the open invoice, where a customer confirms to their bank. */
async function hostedInvoiceUrl({ stripe }: World, subscriptionId: string): Promise<string | null> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, { expand: ["latest_invoice"] });
  return expanded(subscription.latest_invoice)?.hosted_invoice_url ?? null;
}

async function nextPayment(world: World, id: string): ReturnType<PaymentProvider["nextPayment"]> {
  const { stripe } = world;
  const subscription = await asked(() => stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] }));
  const currency = upper(subscription.currency);
  const open = expanded(subscription.latest_invoice);
  if (subscription.status === "past_due" && open) {
    if (!open.next_payment_attempt) return null;
    return { at: toDate(open.next_payment_attempt), amount: fromStripe(open.amount_remaining, currency), tax: taxView(open)?.amount ?? fromStripe(0, currency), lines: open.lines.data.map(lineView) };
  }
  if (subscription.status !== "active" || subscription.cancel_at_period_end || subscription.cancel_at) return null;
  const preview = await asked(() => stripe.invoices.createPreview({ subscription: id }));
  const credit = preview.total - preview.amount_due;
  const lines = [...preview.lines.data.map(lineView), ...(credit > 0 ? [{ label: "Credit", quantity: 1, amount: fromStripe(-credit, currency), isProration: false }] : [])];
  const at = subscription.items.data[0]?.current_period_end ?? preview.period_end;
  return { at: toDate(at), amount: fromStripe(preview.amount_due, currency), tax: taxView(preview)?.amount ?? fromStripe(0, currency), lines };
}

/** Newest first, all pages. */
const allInvoices = (stripe: Stripe, customer: string): Promise<Stripe.Invoice[]> => stripe.invoices.list({ customer, limit: 100, expand: ["data.payments"] }).autoPagingToArray({ limit: 1000 });
const allCharges = (stripe: Stripe, customer: string): Promise<Stripe.Charge[]> => stripe.charges.list({ customer, limit: 100, expand: ["data.refunds"] }).autoPagingToArray({ limit: 1000 });
