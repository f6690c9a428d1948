/**
 * Paddle Billing behind the port, by its official library. Paddle is the seller: prices, taxes, tries and invoices are its own.
 * Its calls take no idempotency key: each looks first whether it has been done.
 */
import { Environment, LogLevel, Paddle, type Transaction } from "@paddle/paddle-node-sdk";
import type { BillingDetails } from "#contract/billing.ts";
import type { Money } from "#contract/money.ts";
import { PaymentActionRequired, ProviderRefusal, ProviderUnreachable, QuoteStale, type ChangeQuote, type ChangeRequest, type CheckoutRequest, type PaymentProvider, type ProviderSubscription } from "#domain/billing/payment-provider.ts";
import { monthsAfter } from "#domain/plans/usage-period.ts";
import { after, dayMs, minuteMs, type Clock } from "#platform/clock.ts";
import { asked, orNull } from "./paddle-errors.ts";
import { createItemFinder, type FindItems } from "./paddle-prices.ts";
import { immediateSums, invoiceView, isRefund, minor, nextPaymentView, recurringSums, renewalSums, subscriptionView } from "./paddle-views.ts";
import { checkPaddleSignature, readPaddleEvent } from "./paddle-webhook.ts";

export interface PaddleOptions {
  apiKey: string;
  environment: "sandbox" | "production";
  /** Those valid now: one, or two while one replaces the other. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** The panel's address; the page that shows Paddle's checkout stands below it. */
  publicUrl: string;
  /** For tests: another address. */
  apiUrl?: string;
}

/** Paddle keeps a transaction that nobody pays for ever; nobody comes back to one after this. */
const checkoutLifeMs = 3 * dayMs;
const pageSize = 100;
/** Where Paddle's own script shows the checkout of the transaction that Paddle adds to the address. */
export const checkoutPath = "/paddle/checkout";

interface World extends PaddleOptions {
  paddle: Paddle;
  findItems: FindItems;
}

/** The port over Paddle. */
export function createPaddleProvider(options: PaddleOptions): PaymentProvider {
  const { apiKey, environment, webhookSecrets, clock, apiUrl } = options;
  const paddle = new Paddle(apiKey, {
    environment: (apiUrl ?? Environment[environment]) as Environment,
    logLevel: LogLevel.none,
    // The library's own writes the scheme in lower case, which strict servers refuse.
    customHeaders: { Authorization: `Bearer ${apiKey}` },
  });
  const world: World = { ...options, paddle, findItems: createItemFinder(paddle, () => clock.now().getTime()) };
  const read = (id: string) => readSubscription(world, id);
  const checkouts = createKeyedCalls(clock, (request: CheckoutRequest) => createCheckout(world, request));
  const changes = createKeyedCalls(clock, ({ request, agreed }: AgreedChange) => change(world, request, agreed));

  return {
    name: "paddle",
    isSeller: true,
    createCheckout: checkouts,
    readCheckout: (id) => readCheckout(world, id),
    expireCheckout: (id) => expireCheckout(world, id),
    readSubscription: read,
    previewChange: (request, quotedAt) => quote(world, request, quotedAt),
    change: (request, agreed, key) => changes({ request, agreed }, key),
    async cancelAtPeriodEnd(id) {
      const before = must(await read(id), id);
      if (before.status === "deleted") throw new ProviderRefusal("The subscription has ended.");
      if (!before.cancelAt) await asked(() => paddle.subscriptions.cancel(id, { effectiveFrom: before.status === "paused" ? "immediately" : "next_billing_period" }));
      return must(await read(id), id);
    },
    async undoCancel(id) {
      const before = must(await read(id), id);
      if (before.status === "deleted") throw new ProviderRefusal("The subscription has ended.");
      if (before.cancelAt) await asked(() => paddle.subscriptions.update(id, { scheduledChange: null }));
      return must(await read(id), id);
    },
    async cancelNow(id) {
      if (must(await read(id), id).status !== "deleted") await asked(() => paddle.subscriptions.cancel(id, { effectiveFrom: "immediately" }));
      return must(await read(id), id);
    },
    refundSubscription: (id) => refundSubscription(world, id),
    previewResume: (id) => previewResume(world, id),
    resume: (id, expectedDueNow) => resume(world, id, expectedDueNow),
    async retryPayment(id) {
      const before = must(await read(id), id);
      if (before.status === "active") return before;
      if (before.status !== "past_due") throw new ProviderRefusal(`A subscription that is ${before.providerStatus} has nothing to pay.`);
      // Paddle tries a card again on its own terms only; its customers pay at its page.
      throw new PaymentActionRequired("Pay at the payment page; the card we have was refused.", await paymentPage(paddle, id));
    },
    async changeCardUrl(id) {
      const url = await paymentPage(paddle, id);
      if (!url) throw new ProviderRefusal(`Paddle gave no page to change the card of ${id}.`);
      return url;
    },
    saveDetails: (customerId, details) => saveDetails(paddle, customerId, details),
    async listInvoices(customerId) {
      const transactions = await asked(() => allOf(paddle.transactions.list({ customerId: [customerId], include: ["adjustment", "address", "business", "customer"], orderBy: "billed_at[DESC]", perPage: pageSize })));
      return transactions.map(invoiceView).filter((view) => view !== null).toSorted((one, other) => other.issuedAt.getTime() - one.issuedAt.getTime());
    },
    invoiceUrl: async (id) => (await orNull(() => paddle.transactions.getInvoicePDF(id, { disposition: "attachment" })))?.url ?? null,
    nextPayment: (id) => nextPayment(world, id),
    // Its events name their customer themselves.
    whoseEvent: () => Promise.resolve(null),
    readWebhook(headers, rawBody, now) {
      checkPaddleSignature(headers["paddle-signature"], webhookSecrets, rawBody, now);
      return readPaddleEvent(rawBody);
    },
  };
}

/** Repeated calls with the same key, at once or within ten minutes, are one: a double click opens one checkout. */
function createKeyedCalls<Request, Result>(clock: Clock, call: (request: Request) => Promise<Result>): (request: Request, key: string) => Promise<Result> {
  const made = new Map<string, { result: Promise<Result>; untilMs: number }>();
  return (request, key) => {
    const nowMs = clock.now().getTime();
    for (const [each, { untilMs }] of made) if (untilMs < nowMs) made.delete(each);
    const known = made.get(key);
    if (known) return known.result;
    const result = call(request);
    made.set(key, { result, untilMs: nowMs + 10 * minuteMs });
    result.catch(() => made.delete(key));
    return result;
  };
}

function must(subscription: ProviderSubscription | null, id: string): ProviderSubscription {
  if (!subscription) throw new ProviderRefusal(`Paddle knows no subscription ${id}.`);
  return subscription;
}

async function allOf<Thing>(collection: AsyncIterable<Thing>): Promise<Thing[]> {
  const all: Thing[] = [];
  for await (const each of collection) all.push(each);
  return all;
}

async function readSubscription({ paddle }: World, id: string): Promise<ProviderSubscription | null> {
  const subscription = await orNull(() => paddle.subscriptions.get(id));
  if (!subscription) return null;
  const isPaid = subscription.status === "active" || subscription.status === "trialing";
  const [methods, balances, unpaid] = await asked(() =>
    Promise.all([
      allOf(paddle.paymentMethods.list(subscription.customerId)),
      paddle.customers.getCreditBalance(subscription.customerId),
      isPaid ? [] : allOf(paddle.transactions.list({ subscriptionId: [id], status: ["past_due", "canceled"], orderBy: "created_at[DESC]", perPage: pageSize })),
    ]),
  );
  const newest = methods.toSorted((one, other) => Date.parse(other.savedAt) - Date.parse(one.savedAt))[0];
  const balance = balances.find(({ currencyCode }) => currencyCode === subscription.currencyCode)?.balance?.available;
  return subscriptionView({ subscription, unpaid, method: newest, credit: minor(balance) });
}

async function createCheckout({ paddle, findItems, publicUrl }: World, request: CheckoutRequest): Promise<{ checkoutId: string; url: string }> {
  const items = await asked(() => findItems(request.purchase));
  const page = new URL(checkoutPath, publicUrl);
  page.searchParams.set("success", request.successUrl);
  page.searchParams.set("cancel", request.cancelUrl);
  const transaction = await asked(async () =>
    paddle.transactions.create({
      items,
      customerId: request.customerId ?? (await findOrCreateCustomer(paddle, request)),
      currencyCode: request.currency as Transaction["currencyCode"],
      collectionMode: "automatic",
      customData: { accountId: request.accountId, planId: request.purchase.planId },
      checkout: { url: page.href },
    }),
  );
  if (!transaction.checkout?.url) throw new ProviderRefusal(`Paddle gave no address for transaction ${transaction.id}.`);
  return { checkoutId: transaction.id, url: transaction.checkout.url };
}

/** Paddle has one customer for each address. */
async function findOrCreateCustomer(paddle: Paddle, { email, name, accountId }: CheckoutRequest): Promise<string> {
  const [known] = await allOf(paddle.customers.list({ email: [email] }));
  return known ? known.id : (await paddle.customers.create({ email, name, customData: { accountId } })).id;
}

async function readCheckout({ paddle, clock }: World, id: string): ReturnType<PaymentProvider["readCheckout"]> {
  const transaction = await asked(() => paddle.transactions.get(id));
  // Paid a moment ago, and its subscription not made yet: looked at again soon.
  if (transaction.subscriptionId) return { state: "paid", subscriptionId: transaction.subscriptionId };
  const isOld = clock.now().getTime() - Date.parse(transaction.createdAt) > checkoutLifeMs;
  return { state: transaction.status === "canceled" || isOld ? "expired" : "open", subscriptionId: null };
}

/** Paddle closes no transaction that waits for its customer; our page of it no longer opens it (serve-paddle.ts). */
async function expireCheckout(world: World, id: string): Promise<"expired" | "paid" | "open"> {
  const transaction = await asked(() => world.paddle.transactions.get(id));
  if (transaction.status === "paid" || transaction.status === "completed") return "paid";
  return (await readCheckout(world, id)).state;
}

/** People at Paddle agree to each refund; one that was asked for is not asked for again. */
async function refundSubscription({ paddle }: World, id: string): Promise<Money> {
  const subscription = await asked(() => paddle.subscriptions.get(id));
  const transactions = await asked(() => allOf(paddle.transactions.list({ subscriptionId: [id], status: ["paid", "completed"], include: ["adjustment"], perPage: pageSize })));
  const paid = transactions.filter(({ details }) => minor(details?.totals?.grandTotal) > 0);
  if (paid.some(({ status }) => status === "paid")) throw new ProviderUnreachable("Paddle has not completed the payment yet, so it can't be given back.");
  for (const { id: transactionId, adjustments } of paid) {
    if ((adjustments ?? []).some(isRefund)) continue;
    await asked(() => paddle.adjustments.create({ action: "refund", type: "full", transactionId, reason: "Paid twice" }));
  }
  return { amount: paid.reduce((sum, { details }) => sum + minor(details?.totals?.grandTotal), 0), currency: subscription.currencyCode };
}

/** Paddle prorates to the minute of the call, and takes no other moment. */
async function quote({ paddle, findItems, clock }: World, request: ChangeRequest, quotedAt: Date | null): Promise<ChangeQuote> {
  const items = await asked(() => findItems(request.purchase));
  const before = await asked(() => paddle.subscriptions.get(request.subscriptionId));
  if (before.status !== "active") throw new ProviderRefusal(`A subscription that is ${before.status} can't change its plan.`);
  const preview = await asked(() => paddle.subscriptions.previewUpdate(request.subscriptionId, { items, prorationBillingMode: modeOf(request), onPaymentFailure: "prevent_change" }));
  const balances = await asked(() => paddle.customers.getCreditBalance(before.customerId));
  const balance = minor(balances.find(({ currencyCode }) => currencyCode === before.currencyCode)?.balance?.available);
  const sums = immediateSums(preview);
  const next = preview.nextTransaction;
  const currency = preview.currencyCode;
  return {
    quotedAt: quotedAt ?? clock.now(),
    lines: sums.lines,
    tax: sums.tax,
    dueNow: sums.dueNow,
    givenBack: { amount: sums.creditToBalance, currency },
    creditAfter: { amount: balance - sums.creditUsed + sums.creditToBalance, currency },
    nextRenewal: { at: new Date(preview.nextBilledAt ?? next?.billingPeriod.startsAt ?? before.nextBilledAt ?? clock.now()), amount: { amount: minor(next?.details.totals.grandTotal), currency }, ...(next && renewalSums(next, currency)) },
  };
}

const modeOf = ({ billing }: ChangeRequest) => (billing === "now" ? ("prorated_immediately" as const) : ("do_not_bill" as const));

interface AgreedChange {
  request: ChangeRequest;
  agreed: { quotedAt: Date; expectedDueNow: { amount: number } };
}

/** Less time is left with each minute, so a sum shrinks between the preview and the yes; by more than this it is another price. */
const mostShrinkage = 0.01;

async function change(world: World, request: ChangeRequest, agreed: AgreedChange["agreed"]): Promise<ProviderSubscription> {
  const before = must(await readSubscription(world, request.subscriptionId), request.subscriptionId);
  // A call that was repeated finds its work done.
  if (JSON.stringify(before.purchase) === JSON.stringify(request.purchase) && before.changedAt >= agreed.quotedAt) return before;
  const now = await quote(world, request, null);
  const isOtherPeriod = agreed.quotedAt < before.periodStartsAt;
  const wasChanged = before.changedAt > agreed.quotedAt;
  const { amount } = agreed.expectedDueNow;
  const isAgreed = now.dueNow.amount <= amount && now.dueNow.amount >= amount * (1 - mostShrinkage);
  if (isOtherPeriod || wasChanged || !isAgreed) throw new QuoteStale("The price has changed.");
  const items = await asked(() => world.findItems(request.purchase));
  await asked(() => world.paddle.subscriptions.update(request.subscriptionId, { items, prorationBillingMode: modeOf(request), onPaymentFailure: "prevent_change" }));
  return must(await readSubscription(world, request.subscriptionId), request.subscriptionId);
}

/** Paddle has no preview of resuming: what a period costs, less the credit there is, is what it charges for a new one. */
async function previewResume({ paddle, clock }: World, id: string): Promise<ChangeQuote> {
  const subscription = await asked(() => paddle.subscriptions.get(id, { include: ["recurring_transaction_details"] }));
  if (subscription.status === "canceled") throw new ProviderRefusal("The subscription has ended.");
  const currency = subscription.currencyCode;
  const balances = await asked(() => paddle.customers.getCreditBalance(subscription.customerId));
  const balance = minor(balances.find(({ currencyCode }) => currencyCode === currency)?.balance?.available);
  const { lines, tax, total } = recurringSums(subscription.recurringTransactionDetails, currency);
  const isPaused = subscription.status === "paused";
  const creditUsed = isPaused ? Math.min(balance, total) : 0;
  const creditAfter = balance - creditUsed;
  const now = clock.now();
  const periodEnd = isPaused ? cycleAfter(now, subscription.billingCycle) : new Date(subscription.currentBillingPeriod?.endsAt ?? subscription.nextBilledAt ?? now);
  return {
    quotedAt: now,
    lines: isPaused ? [...lines, ...(creditUsed > 0 ? [{ label: "Credit", quantity: 1, amount: { amount: -creditUsed, currency }, isProration: false }] : [])] : [],
    tax: isPaused ? tax : null,
    dueNow: { amount: isPaused ? total - creditUsed : 0, currency },
    givenBack: { amount: 0, currency },
    creditAfter: { amount: creditAfter, currency },
    nextRenewal: { at: periodEnd, amount: { amount: total - Math.min(creditAfter, total), currency } },
  };
}

const cycleMonths = { day: 0, week: 0, month: 1, year: 12 } as const;
const cycleDays = { day: 1, week: 7, month: 0, year: 0 } as const;
const cycleAfter = (from: Date, { interval, frequency }: { interval: keyof typeof cycleMonths; frequency: number }): Date =>
  after(monthsAfter(from, cycleMonths[interval] * frequency), cycleDays[interval] * frequency * dayMs);

/** A new period is charged at once. Where the card is refused, Paddle leaves the subscription past due, to be paid at its page. */
async function resume(world: World, id: string, expectedDueNow: Money): Promise<ProviderSubscription> {
  const { paddle } = world;
  const before = must(await readSubscription(world, id), id);
  if (before.status === "active") return before;
  if (before.status === "paused") {
    const { dueNow } = await previewResume(world, id);
    if (dueNow.amount !== expectedDueNow.amount || dueNow.currency !== expectedDueNow.currency) throw new QuoteStale("The price has changed.");
    await asked(() => paddle.subscriptions.resume(id, { effectiveFrom: "immediately", onResume: "start_new_billing_period" }));
  } else if (before.status !== "past_due") throw new ProviderRefusal(`A subscription that is ${before.providerStatus} can't be resumed.`);
  const resumed = must(await readSubscription(world, id), id);
  if (resumed.status !== "active") throw new PaymentActionRequired("Pay at the payment page; the card we have was refused.", await paymentPage(paddle, id));
  return resumed;
}

/** A zero-value transaction while all is paid, the open one while it is not: paying it keeps the new card. */
async function paymentPage(paddle: Paddle, id: string): Promise<string | null> {
  const transaction = await asked(() => paddle.subscriptions.getPaymentMethodChangeTransaction(id));
  return transaction.checkout?.url ?? null;
}

async function saveDetails(paddle: Paddle, customerId: string, { name, line1, line2, postalCode, city, country, vatId }: BillingDetails): Promise<void> {
  await asked(async () => {
    await paddle.customers.update(customerId, { name });
    const place = { firstLine: line1, secondLine: line2, postalCode, city, countryCode: country as "DE" };
    const [address] = await allOf(paddle.addresses.list(customerId));
    if (address) await paddle.addresses.update(customerId, address.id, place);
    else await paddle.addresses.create(customerId, place);
    const [business] = await allOf(paddle.businesses.list(customerId));
    if (business) await paddle.businesses.update(customerId, business.id, { name, taxIdentifier: vatId || null });
    else if (vatId) await paddle.businesses.create(customerId, { name, taxIdentifier: vatId });
  });
}

async function nextPayment({ paddle }: World, id: string): ReturnType<PaymentProvider["nextPayment"]> {
  const subscription = await asked(() => paddle.subscriptions.get(id, { include: ["next_transaction"] }));
  if (subscription.status !== "active" || subscription.scheduledChange?.action === "cancel" || !subscription.nextTransaction) return null;
  return nextPaymentView(subscription.nextTransaction, subscription.currencyCode);
}
