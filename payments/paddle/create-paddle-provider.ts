/**
 * The payment port for Paddle Billing, using Paddle's official library. Paddle is the seller: it sets prices and taxes, retries payments
 * and issues invoices. Its API takes no idempotency keys, so each call first checks whether it has already been carried out.
 */
import { Environment, LogLevel, Paddle, type Customer, type Transaction } from "@paddle/paddle-node-sdk";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderRefusal,
  QuoteStale,
  subscriptionEnded,
  testNameOf,
  type ChangeQuote,
  type ChangeRequest,
  type CheckoutRequest,
  type PaymentProvider,
  type ProviderInvoice,
  type ProviderSubscription,
} from "../payment-provider.ts";
import { dayMs, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import { currentRequestId } from "#platform/tracing/current-work.ts";
import { abandonedDebt, claimDebt, keepDebt } from "./owed-mark.ts";
import { accountOf, findBuyer, saveDetails, saveEmail, subscriptionsOf } from "./paddle-customers.ts";
import { allOf, asked, orNull } from "./paddle-errors.ts";
import { createMeter, type CountCalls } from "./paddle-meter.ts";
import { listPage } from "./paddle-lists.ts";
import { createItemFinder, othersItems, type FindItems } from "./paddle-prices.ts";
import { cardOf, immediateSums, invoiceView, methodView, minor, nextPaymentView, renewalSums, subscriptionView } from "./paddle-views.ts";
import { chargeUnpaid, paymentPage, previewResume, resume } from "./resume-subscription.ts";
import { refundSubscription } from "./refund-subscription.ts";
import { checkPaddleSignature, readPaddleEvent } from "./paddle-webhook.ts";

interface PaddleOptions {
  apiKey: string;
  environment: "sandbox" | "production";
  /** The secrets valid now: one, or two during a rotation. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** The panel's address; the page that shows Paddle's checkout is below it. */
  publicUrl: string;
  /** Counts calls for all processes; absent: only Paddle's own refusals limit them. */
  countCalls?: CountCalls | undefined;
  /** Called when Paddle refuses to charge what is owed since a resumption; a look at least ten minutes later tries again. */
  onDebtRefused?: ((subscriptionId: string, error: Error) => void) | undefined;
  /** For tests: a different API address. */
  apiUrl?: string;
  /** For tests: another wait for the rest of a renewal's events. */
  gathersMs?: number;
}

/** Paddle keeps an unpaid transaction forever; customers do not return to one after this long. */
const checkoutLifeMs = 3 * dayMs;
/** From developer.paddle.com/errors/subscriptions/subscription_locked_renewal, read 2026-11-22. */
const lockedBeforeRenewalMs = 30 * minuteMs;
/** A renewal has about seven events within a few seconds, of which the first says enough to read the state at the end. */
const gathersMs = 20 * secondMs;
/** Where Paddle's script shows the checkout of the transaction that Paddle adds to the address. */
export const checkoutPath = "/paddle/checkout";

interface World extends PaddleOptions {
  paddle: Paddle;
  findItems: FindItems;
}

/** The payment port over Paddle. */
export function createPaddleProvider(options: PaddleOptions): PaymentProvider {
  const { apiKey, environment, webhookSecrets, clock, apiUrl } = options;
  const paddle = new Paddle(apiKey, {
    environment: (apiUrl ?? Environment[environment]) as Environment,
    logLevel: LogLevel.none,
    // The library writes the scheme in lower case, which strict servers refuse.
    customHeaders: { Authorization: `Bearer ${apiKey}` },
  });
  const meter = createMeter(clock, options.countCalls);
  meter.follow(paddle);
  const world: World = { ...options, paddle, findItems: createItemFinder(paddle, () => clock.now().getTime()) };
  const read = (id: string) => readSubscription(world, id);
  const checkouts = createKeyedCalls(clock, (request: CheckoutRequest) => createCheckout(world, request));
  const changes = createKeyedCalls(clock, ({ request, agreed }: AgreedChange) => change(world, request, agreed));

  return meter.watch({
    name: environment === "sandbox" ? testNameOf("paddle") : "paddle",
    isSeller: true,
    lockedBeforeRenewalMs,
    gathersEventsMs: options.gathersMs ?? gathersMs,
    createCheckout: checkouts,
    readCheckout: (id) => readCheckout(world, id),
    expireCheckout: (id) => expireCheckout(world, id),
    readSubscription: read,
    previewChange: (request, quotedAt) => quote(world, request, quotedAt),
    change: (request, agreed, key) => changes({ request, agreed }, key),
    async cancelAtPeriodEnd(id) {
      const before = must(await read(id), id);
      if (before.status === "deleted") throw subscriptionEnded();
      if (!before.cancelAt)
        await asked(() =>
          paddle.subscriptions.cancel(id, { effectiveFrom: before.status === "paused" ? "immediately" : "next_billing_period" }),
        );
      return must(await read(id), id);
    },
    async undoCancel(id) {
      const before = must(await read(id), id);
      if (before.status === "deleted") throw subscriptionEnded();
      if (before.cancelAt) await asked(() => paddle.subscriptions.update(id, { scheduledChange: null }));
      return must(await read(id), id);
    },
    async cancelNow(id) {
      if (must(await read(id), id).status !== "deleted")
        await asked(() => paddle.subscriptions.cancel(id, { effectiveFrom: "immediately" }));
      return must(await read(id), id);
    },
    refundSubscription: (id, _key, most) => refundSubscription(paddle, id, most),
    previewResume: (id, unpaid = null) => previewResume(paddle, id, clock.now(), unpaid),
    resume: (id, expectedDueNow, _key, unpaid = null) =>
      resume({ paddle, clock, read: async () => must(await read(id), id) }, id, expectedDueNow, unpaid),
    async retryPayment(id) {
      const before = must(await read(id), id);
      if (before.status === "active") return before;
      if (before.status !== "past_due") throw new ProviderRefusal(`A subscription that is ${before.providerStatus} has nothing to pay.`);
      // Paddle retries a card only on its own schedule; customers pay at its page.
      throw new PaymentActionRequired("The card on file was refused. Pay at the payment page.", await paymentPage(paddle, id));
    },
    async changeCardUrl(id) {
      const url = await paymentPage(paddle, id);
      if (!url) throw new ProviderRefusal(`Paddle gave no page to change the card of ${id}.`);
      return url;
    },
    saveDetails: (customerId, details) => saveDetails(paddle, customerId, details),
    saveEmail: (customerId, owner) => saveEmail(paddle, customerId, owner),
    listInvoices: (customerId, accountId) => listInvoices(paddle, customerId, accountId),
    invoiceUrl: async (id) => (await orNull(() => paddle.transactions.getInvoicePDF(id, { disposition: "attachment" })))?.url ?? null,
    nextPayment: (id) => nextPayment(world, id),
    listPage: (list, since, after) => listPage(paddle, list, since, after),
    // Paddle is the seller and numbers its own documents.
    keepNumbers: () => Promise.resolve(),
    // Paddle's events name their customer.
    whoseEvent: () => Promise.resolve(null),
    readWebhook(headers, rawBody, now) {
      checkPaddleSignature(headers["paddle-signature"], webhookSecrets, rawBody, now);
      return readPaddleEvent(rawBody);
    },
  });
}

/** Repeated calls with the same key, concurrent or within ten minutes, count as one: a double click opens one checkout. */
function createKeyedCalls<Request, Result>(
  clock: Clock,
  call: (request: Request) => Promise<Result>,
): (request: Request, key: string) => Promise<Result> {
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
  if (!subscription) throw new ProviderRefusal(`Paddle has no subscription ${id}.`);
  return subscription;
}

/** A subscription's payment attempts and cards come from its newest transactions; the first page has both. */
async function readSubscription(world: World, id: string): Promise<ProviderSubscription | null> {
  const { paddle, clock } = world;
  const subscription = await orNull(() => paddle.subscriptions.get(id));
  if (!subscription) return null;
  const { customerId, currencyCode } = subscription;
  const [methods, balances, siblings, { transactions, customer }] = await Promise.all([
    asked(() => allOf(paddle.paymentMethods.list(customerId))),
    asked(() => paddle.customers.getCreditBalance(customerId)),
    subscriptionsOf(paddle, customerId),
    newestTransactions(paddle, customerId, id),
  ]);
  // In the background only: what a page shows does not wait for a charge.
  if (abandonedDebt(customer?.customData, id, clock.now()) && subscription.status === "active" && currentRequestId() === undefined)
    await chargeAbandoned(world, customerId, id);
  const isShared = siblings.some((each) => accountOf(each) !== accountOf(subscription));
  const newest = methods.toSorted((one, other) => Date.parse(other.savedAt) - Date.parse(one.savedAt))[0];
  const balance = balances.find((each) => each.currencyCode === currencyCode)?.balance?.available;
  return subscriptionView({
    subscription,
    unpaid: transactions.filter(({ status }) => status === "past_due" || status === "canceled"),
    newest: transactions.find(({ status, details }) => billed.has(status) && minor(details?.totals?.total) > 0),
    // Methods and credit belong to the customer. If another account shares that customer, show neither.
    card: isShared ? cardOf(transactions) : methodView(newest),
    credit: isShared ? 0 : minor(balance),
  });
}

/** Charges what is still owed since a resumption, unless another process does. The subscription can be read whether or not Paddle agrees. */
async function chargeAbandoned({ paddle, clock, onDebtRefused }: World, customerId: string, id: string): Promise<void> {
  try {
    const debt = await claimDebt(paddle, customerId, id, clock.now());
    if (!debt) return;
    await chargeUnpaid(paddle, id, debt);
    await keepDebt(paddle, customerId, id, null, clock.now());
  } catch (error) {
    // The claim ends by itself, and a later look tries again.
    if (!(error instanceof ProviderRefusal || error instanceof PaymentDeclined)) throw error;
    onDebtRefused?.(id, error);
  }
}

/** Of a customer, newest first, as invoices need them. Both of a sync's readers use this address, so that it is read once. */
const transactionsOf = (paddle: Paddle, customerId: string) =>
  paddle.transactions.list({
    customerId: [customerId],
    include: ["adjustment", "address", "business", "customer"],
    orderBy: "billed_at[DESC]",
  });

/**
 * The subscription's newest transactions, newest first: those on the customer's first page, or if it has none there, its own first page.
 * With them comes their customer.
 */
async function newestTransactions(
  paddle: Paddle,
  customerId: string,
  subscriptionId: string,
): Promise<{ transactions: Transaction[]; customer: Customer | null }> {
  const { found, hasMore } = await asked(async () => {
    const page = transactionsOf(paddle, customerId);
    return { found: await page.next(), hasMore: page.hasMore };
  });
  const own = found.filter((transaction) => transaction.subscriptionId === subscriptionId);
  const all =
    own.length > 0 || !hasMore
      ? own
      : await asked(() => paddle.transactions.list({ subscriptionId: [subscriptionId], orderBy: "created_at[DESC]" }).next());
  return {
    transactions: all.toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt)),
    customer: found[0]?.customer ?? null,
  };
}

/** Transactions that a customer was asked to pay. */
const billed: ReadonlySet<string> = new Set(["billed", "paid", "completed", "past_due", "canceled"]);

/** Newest first. */
async function listInvoices(paddle: Paddle, customerId: string, accountId: string | undefined): Promise<ProviderInvoice[]> {
  const own =
    accountId === undefined
      ? null
      : new Set((await subscriptionsOf(paddle, customerId)).filter((each) => accountOf(each) === accountId).map(({ id }) => id));
  if (own?.size === 0) return [];
  const transactions = await asked(() => allOf(transactionsOf(paddle, customerId)));
  return transactions
    .filter(({ subscriptionId }) => !own || (subscriptionId !== null && own.has(subscriptionId)))
    .map(invoiceView)
    .filter((view) => view !== null)
    .toSorted((one, other) => other.issuedAt.getTime() - one.issuedAt.getTime());
}

async function createCheckout(
  { paddle, findItems, publicUrl }: World,
  request: CheckoutRequest,
): Promise<{ checkoutId: string; url: string }> {
  const items = await asked(() => findItems(request.purchase, request.currency, "exact"));
  const customerId = await findBuyer(paddle, request);
  const page = new URL(checkoutPath, publicUrl);
  page.searchParams.set("success", request.successUrl);
  page.searchParams.set("cancel", request.cancelUrl);
  const transaction = await asked(async () =>
    paddle.transactions.create({
      items,
      customerId,
      currencyCode: request.currency as Transaction["currencyCode"],
      collectionMode: "automatic",
      customData: { accountId: request.accountId, planId: request.purchase.planId },
      checkout: { url: page.href },
    }),
  );
  if (transaction.currencyCode !== request.currency)
    throw new ProviderRefusal(
      `Paddle would charge ${transaction.currencyCode} where ${request.currency} was chosen: switch its automatic currency conversion off.`,
    );
  if (!transaction.checkout?.url) throw new ProviderRefusal(`Paddle gave no address for transaction ${transaction.id}.`);
  return { checkoutId: transaction.id, url: transaction.checkout.url };
}

async function readCheckout({ paddle, clock }: World, id: string): ReturnType<PaymentProvider["readCheckout"]> {
  const transaction = await asked(() => paddle.transactions.get(id));
  // Just paid, and its subscription does not exist yet: checked again soon.
  if (transaction.subscriptionId) return { state: "paid", subscriptionId: transaction.subscriptionId };
  const isOld = clock.now().getTime() - Date.parse(transaction.createdAt) > checkoutLifeMs;
  return { state: transaction.status === "canceled" || isOld ? "expired" : "open", subscriptionId: null };
}

/** Paddle cannot close a transaction that waits for its customer; our page stops opening it (serve-paddle.ts). */
async function expireCheckout(world: World, id: string): Promise<"expired" | "paid" | "open"> {
  const transaction = await asked(() => world.paddle.transactions.get(id));
  if (transaction.status === "paid" || transaction.status === "completed") return "paid";
  return (await readCheckout(world, id)).state;
}

/** Paddle prorates to the minute of the call and accepts no other time. */
async function quote({ paddle, findItems, clock }: World, request: ChangeRequest, quotedAt: Date | null): Promise<ChangeQuote> {
  const before = await asked(() => paddle.subscriptions.get(request.subscriptionId));
  const items = [...(await asked(() => findItems(request.purchase, before.currencyCode))), ...othersItems(before.items)];
  if (before.status !== "active" && before.status !== "trialing")
    throw new ProviderRefusal(`A subscription that is ${before.status} can't change its plan.`);
  const preview = await asked(() =>
    paddle.subscriptions.previewUpdate(request.subscriptionId, {
      items,
      prorationBillingMode: modeOf(request, before),
      onPaymentFailure: "prevent_change",
    }),
  );
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
    nextRenewal: {
      at: new Date(preview.nextBilledAt ?? next?.billingPeriod.startsAt ?? before.nextBilledAt ?? clock.now()),
      amount: { amount: minor(next?.details.totals.grandTotal), currency },
      ...(next && renewalSums(next, currency)),
    },
  };
}

/** In free days nothing was paid that could be prorated, and Paddle refuses to. */
const modeOf = ({ billing }: ChangeRequest, { status }: { status: string }) =>
  billing === "now" && status !== "trialing" ? ("prorated_immediately" as const) : ("do_not_bill" as const);

interface AgreedChange {
  request: ChangeRequest;
  agreed: { quotedAt: Date; expectedDueNow: { amount: number } };
}

/** Time passes, so the prorated sum shrinks between the preview and the confirmation. A larger drop than this counts as a new price. */
const mostShrinkage = 0.01;

async function change(world: World, request: ChangeRequest, agreed: AgreedChange["agreed"]): Promise<ProviderSubscription> {
  const before = must(await readSubscription(world, request.subscriptionId), request.subscriptionId);
  // A repeated call finds the change already made.
  if (JSON.stringify(before.purchase) === JSON.stringify(request.purchase) && before.changedAt >= agreed.quotedAt) return before;
  const now = await quote(world, request, null);
  const isOtherPeriod = agreed.quotedAt < before.periodStartsAt;
  const wasChanged = before.changedAt > agreed.quotedAt;
  const { amount } = agreed.expectedDueNow;
  const isAgreed = now.dueNow.amount <= amount && now.dueNow.amount >= amount * (1 - mostShrinkage);
  if (isOtherPeriod || wasChanged || !isAgreed) throw new QuoteStale("The price has changed.");
  const own = await asked(() => world.findItems(request.purchase, before.currency));
  const others = othersItems((await asked(() => world.paddle.subscriptions.get(request.subscriptionId))).items);
  const items = [...own, ...others];
  await asked(() =>
    world.paddle.subscriptions.update(request.subscriptionId, {
      items,
      prorationBillingMode: modeOf(request, before),
      onPaymentFailure: "prevent_change",
    }),
  );
  return must(await readSubscription(world, request.subscriptionId), request.subscriptionId);
}

async function nextPayment({ paddle }: World, id: string): ReturnType<PaymentProvider["nextPayment"]> {
  const subscription = await asked(() => paddle.subscriptions.get(id, { include: ["next_transaction"] }));
  const isRunning = subscription.status === "active" || subscription.status === "trialing";
  if (!isRunning || subscription.scheduledChange?.action === "cancel" || !subscription.nextTransaction) return null;
  return nextPaymentView(subscription.nextTransaction, subscription.currencyCode);
}
