/**
 * The built-in payment provider: a simulation with its own tables and pages and no real money. It answers the port's calls
 * from those tables as a real provider would.
 */
import type { PaymentProvider, ProviderSubscription } from "../payment-provider.ts";
import { ProviderRefusal, subscriptionEnded } from "../payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { creditLines, makeBill, payerOf } from "../ledger/bill.ts";
import { toSecond } from "../ledger/billing-cycle.ts";
import {
  changeSubscription,
  endNow,
  prepareChange,
  resumeSubscription,
  retryOpenPayment,
  setCancel,
  type Change,
} from "./calls/change-subscription.ts";
import { emitEvent } from "./webhooks/emit-event.ts";
import { fullLines, priceItems, type FindPrice } from "../ledger/items.ts";
import { once, type Outcome } from "./calls/once.ts";
import { closePurchase, openCardPage, openPurchase } from "./calls/open-page.ts";
import { quoteResume } from "../ledger/quote-resume.ts";
import { keepNumbers, listPage } from "./sandbox-lists.ts";
import { readEvent } from "./webhooks/read-event.ts";
import { refundSubscription } from "./calls/refund-invoice.ts";
import {
  findCheckout,
  findCustomer,
  findInvoice,
  findSubscription,
  hasRunningSubscription,
  holdCustomer,
  selectInvoices,
  selectPayments,
  updateCustomer,
  type CustomerRow,
  type SubscriptionRow,
} from "./sandbox-rows.ts";
import { invoiceView, subscriptionView } from "./sandbox-views.ts";
import { checkSignature, signatureHeader } from "./webhooks/webhook-signature.ts";

interface SandboxOptions {
  db: Database;
  clock: Clock;
  /** The panel's address; the sandbox's pages are below it, at /sandbox. */
  publicUrl: string;
  findPrice: FindPrice;
  /** The secrets valid now: one, or two during a rotation. */
  webhookSecrets: readonly Buffer[];
}

/** The payment port over the sandbox's tables. */
export function createSandboxProvider(options: SandboxOptions): PaymentProvider {
  const { db, clock, publicUrl, findPrice, webhookSecrets } = options;

  const read = async (id: string): Promise<ProviderSubscription> => {
    const { subscription, customer } = await both(options, id);
    return subscriptionView(subscription, customer);
  };
  /** Changes a subscription once per key and returns its new state. */
  const act = async (
    call: string,
    key: string,
    request: unknown,
    doIt: (change: Change) => Promise<Outcome<string>>,
  ): Promise<ProviderSubscription> => {
    const now = clock.now();
    return read(await once(db, call, key, request, now, (tx) => doIt({ tx, findPrice, publicUrl, now, confirmed: false })));
  };

  return {
    name: "sandbox",
    isSeller: false,
    lockedBeforeRenewalMs: 0,
    async createCheckout(request, key) {
      const items = await priceItems(findPrice, request.purchase, request.currency);
      const now = clock.now();
      return once(db, "checkout", key, request, now, async (tx) => {
        if (request.customerId) await refuseSecondPurchase(options, request.customerId, request.currency);
        return { value: await openPurchase(tx, request, items, publicUrl, now) };
      });
    },
    async readCheckout(id) {
      const page = await findCheckout(db, id);
      if (page?.kind !== "purchase") throw new ProviderRefusal(`There is no checkout ${id}.`);
      if (page.state === "done") return { state: "paid", subscriptionId: page.subscriptionId };
      return { state: page.expiresAt <= clock.now() ? "expired" : "open", subscriptionId: null };
    },
    expireCheckout: (id) => closePurchase(db, id, clock.now()),
    readSubscription: async (id) => ((await findSubscription(db, id)) ? read(id) : null),
    async previewChange(request, quotedAt) {
      const { quote } = await prepareChange(findPrice, await both(options, request.subscriptionId), request, quotedAt ?? clock.now());
      return quote;
    },
    change: (request, quote, key) => act("change", key, { request, quote }, (change) => changeSubscription(change, request, quote)),
    cancelAtPeriodEnd: (id, key) => act("cancel", key, id, (change) => setCancel(change, id, true)),
    undoCancel: (id, key) => act("undo-cancel", key, id, (change) => setCancel(change, id, false)),
    cancelNow: (id, key) => act("cancel-now", key, id, (change) => endNow(change, id)),
    refundSubscription: (id, key, most) => {
      const now = clock.now();
      return once(db, "refund", key, id, now, async (tx) => ({ value: await refundSubscription(tx, id, now, most) }));
    },
    previewResume: async (id, unpaid = null) => quoteResume(await both(options, id), clock.now(), unpaid),
    resume: (id, expectedDueNow, key, unpaid = null) =>
      act("resume", key, { id, expectedDueNow, unpaid }, (change) => resumeSubscription(change, id, expectedDueNow, unpaid)),
    retryPayment: (id, key) => act("retry", key, id, (change) => retryOpenPayment(change, id)),
    async changeCardUrl(id, returnUrl) {
      const { subscription } = await both(options, id);
      if (subscription.status === "canceled") throw subscriptionEnded();
      return openCardPage(db, subscription, returnUrl, publicUrl, clock.now());
    },
    async saveDetails(customerId, details) {
      const now = clock.now();
      await db.transaction(async (tx) => {
        const customer = await holdCustomer(tx, customerId);
        await updateCustomer(tx, customerId, { details, name: details.name });
        await emitEvent(tx, "customer.updated", { customerId, accountId: customer.accountId }, { at: now, now });
      });
    },
    async saveEmail(customerId, { accountId, email }) {
      await db.transaction(async (tx) => {
        const customer = await holdCustomer(tx, customerId);
        if (customer.accountId === accountId && customer.email !== email) await updateCustomer(tx, customerId, { email });
      });
    },
    async listInvoices(customerId) {
      const [invoices, customer] = await Promise.all([selectInvoices(db, customerId), findCustomer(db, customerId)]);
      const payments = await selectPayments(
        db,
        invoices.map(({ id }) => id),
      );
      return invoices.map((invoice) => invoiceView(invoice, customer, payments));
    },
    // The sandbox is not the seller and has no PDFs.
    invoiceUrl: () => Promise.resolve(null),
    nextPayment: async (id) => nextPayment(options, await both(options, id)),
    listPage: (list, since, after) => listPage(db, list, since, after),
    keepNumbers: (invoiceId, numbers) => keepNumbers(db, invoiceId, numbers),
    // The sandbox's events name their account.
    whoseEvent: () => Promise.resolve(null),
    readWebhook(headers, rawBody, now) {
      checkSignature(headers[signatureHeader], webhookSecrets, rawBody, now);
      return readEvent(rawBody);
    },
  };
}

interface Both {
  subscription: SubscriptionRow;
  customer: CustomerRow;
}

async function both({ db }: SandboxOptions, id: string): Promise<Both> {
  const subscription = await findSubscription(db, id);
  if (!subscription) throw new ProviderRefusal(`There is no subscription ${id}.`);
  return { subscription, customer: (await findCustomer(db, subscription.customerId))! };
}

async function refuseSecondPurchase({ db }: SandboxOptions, customerId: string, currency: string): Promise<void> {
  const customer = await findCustomer(db, customerId);
  if (!customer) throw new ProviderRefusal(`There is no customer ${customerId}.`);
  if (customer.currency !== currency) throw new ProviderRefusal(`The customer pays in ${customer.currency}.`);
  if (await hasRunningSubscription(db, customerId)) throw new ProviderRefusal("The customer has a running subscription.");
}

/** The open invoice's next attempt, or the next period; null if nothing will be charged. */
async function nextPayment(
  { db }: SandboxOptions,
  { subscription, customer }: Both,
): Promise<Awaited<ReturnType<PaymentProvider["nextPayment"]>>> {
  const { currency } = customer;
  if (subscription.status === "past_due") {
    const next = subscription.retries.find(({ outcome }) => outcome === "planned");
    const invoice = subscription.openInvoiceId ? await findInvoice(db, subscription.openInvoiceId) : undefined;
    if (!next || !invoice) return null;
    const tax = { amount: invoice.tax?.amount.amount ?? 0, currency };
    return {
      at: next.at,
      amount: { amount: invoice.total - invoice.creditUsed, currency },
      tax,
      lines: [...invoice.lines, ...creditLines(invoice, currency)],
    };
  }
  if ((subscription.status !== "active" && subscription.status !== "trialing") || subscription.cancelsAtPeriodEnd) return null;
  const bill = makeBill(fullLines(subscription.items), payerOf(customer, subscription.taxInclusive));
  const tax = { amount: bill.tax?.amount.amount ?? 0, currency };
  return {
    at: toSecond(subscription.periodEndsAt),
    amount: { amount: bill.due, currency },
    tax,
    lines: [...bill.lines, ...creditLines(bill, currency)],
  };
}
