/** What each call does, in the sandbox's world: one line of the table is one address of Stripe's. */
import { z } from "zod";
import { makeBill, payerOf } from "#apps/payments-sandbox/bill.ts";
import { changeSubscription, endNow, prepareChange, resumeSubscription, retryOpenPayment, setCancel, type Change } from "#apps/payments-sandbox/change-subscription.ts";
import { fullLines, priceItems } from "#apps/payments-sandbox/items.ts";
import type { Outcome } from "#apps/payments-sandbox/once.ts";
import { closePurchase, openCardPage, openPurchase } from "#apps/payments-sandbox/open-page.ts";
import { cycleBoundary, isSameCycle } from "#apps/payments-sandbox/billing-cycle.ts";
import { planChange } from "#apps/payments-sandbox/quote-change.ts";
import { findCheckout, findCustomer, findInvoice, findSubscription, insertCustomer, sandboxId, selectInvoices, selectPayments, updateCustomer, type CustomerRow, type PaymentRow, type SubscriptionRow } from "#apps/payments-sandbox/sandbox-rows.ts";
import { chargebackReason, refundInvoice } from "#apps/payments-sandbox/refund-invoice.ts";
import { sandboxPayments, sandboxSubscriptions } from "#database/tables.ts";
import { ProviderRefusal, type Purchase } from "#domain/billing/payment-provider.ts";
import { desc, eq } from "drizzle-orm";
import type { SandboxHarness } from "../sandbox-harness.ts";
import { declined, invalid, missing, needsAction } from "./stripe-error.ts";
import { chargeObject, customerObject, invoiceObject, itemsOf, list, lookupKeyOf, previewObject, priceObject, seconds, subscriptionObject } from "./stripe-objects.ts";
import { params, type ChangedItem } from "./stripe-params.ts";

export interface FakeWorld {
  harness: SandboxHarness;
  /** Pages where a customer confirms to their bank, by subscription. */
  confirmUrls: Map<string, string>;
  taxIds: Map<string, { id: string; value: string }[]>;
}

interface Call<Params extends z.ZodType = z.ZodType> {
  method: "GET" | "POST" | "DELETE";
  path: RegExp;
  params: Params;
  answer(world: FakeWorld, ids: readonly string[], params: z.output<Params>): Promise<object>;
}

const call = <Params extends z.ZodType>(method: Call["method"], path: string, shape: Params, answer: Call<Params>["answer"]): Call =>
  ({ method, path: new RegExp(`^/v1/${path.replaceAll(":id", "([\\w-]+)")}$`), params: shape, answer }) as unknown as Call;

export const stripeCalls: readonly Call[] = [
  call("GET", "prices", params.listPrices, async ({ harness }, _ids, { lookup_keys: keys }) => {
    const known = await Promise.all(keys.map(async (key) => ((await harness.world.findPrice(key.replace(/-(executions|workflows)$/, ""))) ? [priceObject(key)] : [])));
    return list(known.flat(), "/v1/prices");
  }),
  call("POST", "customers", params.createCustomer, async ({ harness }, _ids, { email, name, metadata, address }) => {
    const details = address ? detailsOf(name, address) : null;
    return customerObject(await insertCustomer(harness.db, { id: sandboxId("cus"), accountId: metadata["accountId"] ?? "", email, name, currency: "USD", details, card: null, credit: 0, createdAt: harness.now() }));
  }),
  call("POST", "customers/:id", params.updateCustomer, async ({ harness }, [id], { name, address, email }) => {
    const before = await customer(harness, id!);
    const details = address && { ...detailsOf(name ?? before.name, address), vatId: before.details?.vatId ?? "" };
    return customerObject(await updateCustomer(harness.db, before.id, { ...(name !== undefined && { name }), ...(details && { details }), ...(email !== undefined && { email }) }));
  }),
  call("GET", "customers/:id/tax_ids", params.nothing, async ({ taxIds }, [id]) => list(taxIds.get(id!) ?? [], `/v1/customers/${id}/tax_ids`)),
  call("POST", "customers/:id/tax_ids", params.createTaxId, async ({ taxIds }, [id], { value }) => {
    const made = { id: sandboxId("txi"), object: "tax_id", value };
    taxIds.set(id!, [...(taxIds.get(id!) ?? []), made]);
    return made;
  }),
  call("DELETE", "customers/:id/tax_ids/:id", params.nothing, async ({ taxIds }, [id, taxId]) => {
    taxIds.set(id!, (taxIds.get(id!) ?? []).filter((each) => each.id !== taxId));
    return { id: taxId, object: "tax_id", deleted: true };
  }),
  call("POST", "checkout/sessions", params.createSession, async ({ harness }, _ids, session) => {
    const currency = session.currency.toUpperCase();
    const buyer = await customer(harness, session.customer);
    const purchase = purchaseFrom(session.line_items.map(({ price, quantity }) => ({ lookupKey: lookupKeyOf(price), quantity })));
    const items = await priceItems(harness.world.findPrice, purchase, currency);
    await updateCustomer(harness.db, buyer.id, { currency });
    const checkout = {
      accountId: session.client_reference_id, email: buyer.email, name: buyer.name, purchase, currency, customerId: buyer.id, details: buyer.details, successUrl: session.success_url, cancelUrl: session.cancel_url,
    };
    const opened = await openPurchase(harness.db, checkout, items, harness.world.publicUrl, harness.now());
    return { id: `cs_test_${opened.checkoutId}`, object: "checkout.session", mode: "subscription", status: "open", url: opened.url, subscription: null, customer: buyer.id };
  }),
  call("GET", "checkout/sessions/:id", params.retrieve, async ({ harness }, [id]) => {
    const page = await findCheckout(harness.db, id!.replace("cs_test_", ""));
    if (!page) throw missing("checkout.session", id!);
    const status = page.state === "done" ? "complete" : page.expiresAt <= harness.now() ? "expired" : "open";
    return { id, object: "checkout.session", mode: "subscription", status, url: null, subscription: page.subscriptionId, customer: page.customerId };
  }),
  call("POST", "checkout/sessions/:id/expire", params.nothing, async ({ harness }, [id]) => {
    const page = await findCheckout(harness.db, id!.replace("cs_test_", ""));
    if (!page) throw missing("checkout.session", id!);
    if (page.state === "done" || page.expiresAt <= harness.now()) throw invalid("Only Checkout Sessions with a status in [\"open\"] can be expired.");
    if ((await closePurchase(harness.db, page.id, harness.now())) === "paid") throw invalid("Only Checkout Sessions with a status in [\"open\"] can be expired.");
    return { id, object: "checkout.session", mode: "subscription", status: "expired", url: null, subscription: null, customer: page.customerId };
  }),
  call("POST", "refunds", params.createRefund, async ({ harness }, _ids, { charge }) => {
    const id = charge.replace(/^ch_/, "");
    const [payment] = await harness.db.select().from(sandboxPayments).where(eq(sandboxPayments.id, id));
    if (!payment) throw missing("charge", charge);
    if (payment.status === "refunded") throw invalid(`Charge ${charge} has already been refunded.`);
    if (payment.status !== "succeeded") throw invalid(`Charge ${charge} cannot be refunded because it has not been paid.`);
    await harness.db.transaction((tx) => refundInvoice(tx, payment.invoiceId, harness.now()));
    return { id: sandboxId("re"), object: "refund", status: "succeeded", amount: payment.amount, charge };
  }),
  call("GET", "subscriptions/:id", params.retrieve, (world, [id]) => showSubscription(world, id!)),
  call("POST", "subscriptions/:id", params.updateSubscription, async (world, [id], update) => {
    const { subscription, customer: payer } = await both(world, id!);
    if (subscription.status === "canceled") throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
    if ("cancel_at_period_end" in update) await settle(world, id!, "subscription", (change) => setCancel(change, id!, update.cancel_at_period_end));
    else {
      const billing = update.proration_behavior === "none" ? "next-period" : "now";
      const request = { subscriptionId: id!, purchase: changedPurchase(subscription, update.items), billing } as const;
      const quotedAt = update.proration_date ? new Date(update.proration_date * 1000) : world.harness.now();
      const { quote } = await prepareChange(world.harness.world.findPrice, { subscription, customer: payer }, request, quotedAt);
      await settle(world, id!, "subscription", (change) => changeSubscription(change, request, { quotedAt, expectedDueNow: quote.dueNow }));
    }
    return showSubscription(world, id!);
  }),
  call("DELETE", "subscriptions/:id", params.nothing, async (world, [id]) => {
    const { subscription } = await both(world, id!);
    if (subscription.status === "canceled") throw missing("subscription", id!);
    await settle(world, id!, "subscription", (change) => endNow(change, id!));
    return showSubscription(world, id!);
  }),
  call("POST", "subscriptions/:id/resume", params.resumeSubscription, async (world, [id]) => {
    const { subscription } = await both(world, id!);
    if (subscription.status !== "paused") throw invalid("Only a paused subscription can be resumed.");
    await settle(world, id!, "subscription", (change) => resumeSubscription(change, id!, null));
    return showSubscription(world, id!);
  }),
  call("POST", "invoices/create_preview", params.createPreview, (world, _ids, preview) => showPreview(world, preview)),
  call("POST", "invoices/:id/pay", params.nothing, async (world, [id]) => {
    const invoice = await findInvoice(world.harness.db, id!);
    if (!invoice) throw missing("invoice", id!);
    if (invoice.status === "paid") throw invalid("Invoice is already paid");
    await settle(world, invoice.subscriptionId, "invoice", (change) => retryOpenPayment(change, invoice.subscriptionId));
    return showInvoice(world, id!);
  }),
  call("GET", "invoices", params.listOf, async (world, _ids, { customer: id }) => {
    const rows = await selectInvoices(world.harness.db, id);
    return list(await Promise.all(rows.map((row) => showInvoice(world, row.id))), "/v1/invoices");
  }),
  call("GET", "charges", params.listOf, async ({ harness }, _ids, { customer: id }) => {
    const invoices = await selectInvoices(harness.db, id);
    const payments = await selectPayments(harness.db, invoices.map((invoice) => invoice.id));
    return list(payments.map((payment) => chargeObject(payment, invoices[0]!.currency, id)), "/v1/charges");
  }),
  call("GET", "charges/:id", params.retrieve, async ({ harness }, [id]) => {
    const [payment] = await harness.db.select().from(sandboxPayments).where(eq(sandboxPayments.id, id!.replace(/^ch_/, "")));
    const invoice = payment && (await findInvoice(harness.db, payment.invoiceId));
    if (!invoice) throw missing("charge", id!);
    return { ...chargeObject(payment as PaymentRow, invoice.currency, invoice.customerId), customer: customerObject(await customer(harness, invoice.customerId)) };
  }),
  call("GET", "disputes", params.listDisputes, async ({ harness }, _ids, { charge }) => {
    const [payment] = await harness.db.select().from(sandboxPayments).where(eq(sandboxPayments.id, charge.replace(/^ch_/, "")));
    const isDisputed = payment?.reason === chargebackReason;
    return list(isDisputed ? [{ id: `dp_${payment.id}`, object: "dispute", charge, status: "needs_response", amount: payment.amount }] : [], "/v1/disputes");
  }),
  call("POST", "billing_portal/sessions", params.createPortalSession, async ({ harness }, _ids, { customer: id, return_url: returnUrl }) => {
    const [newest] = await harness.db.select().from(sandboxSubscriptions).where(eq(sandboxSubscriptions.customerId, id)).orderBy(desc(sandboxSubscriptions.createdAt)).limit(1);
    if (!newest) throw missing("customer", id);
    return { id: sandboxId("bps"), object: "billing_portal.session", url: await openCardPage(harness.db, newest as SubscriptionRow, returnUrl, harness.world.publicUrl, harness.now()) };
  }),
];

const detailsOf = (name: string, address: { line1: string; line2: string; postal_code: string; city: string; country: string }) => ({
  name, line1: address.line1, line2: address.line2, postalCode: address.postal_code, city: address.city, country: address.country, vatId: "",
});

async function customer({ db }: SandboxHarness, id: string): Promise<CustomerRow> {
  const found = await findCustomer(db, id);
  if (!found) throw missing("customer", id);
  return found;
}

async function both({ harness }: FakeWorld, id: string): Promise<{ subscription: SubscriptionRow; customer: CustomerRow }> {
  const subscription = await findSubscription(harness.db, id);
  if (!subscription) throw missing("subscription", id);
  return { subscription, customer: await customer(harness, subscription.customerId) };
}

/** Does something in a transaction; a bank's no becomes Stripe's. */
async function settle({ harness, confirmUrls }: FakeWorld, id: string, what: "subscription" | "invoice", act: (change: Change) => Promise<Outcome<string>>): Promise<void> {
  const { findPrice, publicUrl } = harness.world;
  const outcome = await harness.db.transaction((tx) => act({ tx, findPrice, publicUrl, now: harness.now(), confirmed: false })).catch((error: unknown) => {
    throw error instanceof ProviderRefusal ? invalid(error.message) : error;
  });
  if ("declined" in outcome) throw declined(outcome.declined);
  if ("confirm" in outcome) {
    confirmUrls.set(id, outcome.confirm.url);
    throw needsAction(what);
  }
}

function purchaseFrom(items: readonly { lookupKey: string; quantity: number }[]): Purchase {
  const planId = items.find(({ lookupKey }) => !/-(executions|workflows)$/.test(lookupKey))?.lookupKey;
  if (planId === undefined) throw invalid("There is no plan among the items.");
  const count = (key: string) => items.find(({ lookupKey }) => lookupKey === key)?.quantity ?? 0;
  return { planId, extraExecutionUnits: count(`${planId}-executions`), extraWorkflowUnits: count(`${planId}-workflows`) };
}

/** As at Stripe: an item with an id is changed in place, one without is added, and what is not named stays. */
function changedPurchase(subscription: SubscriptionRow, changes: readonly ChangedItem[]): Purchase {
  const items = new Map(itemsOf(subscription.id, subscription.items).map((item) => [item.id, item]));
  for (const { id, price, quantity, deleted } of changes) {
    const before = id === undefined ? undefined : items.get(id);
    if (id !== undefined && !before) throw missing("subscription item", id);
    if (deleted && id !== undefined) items.delete(id);
    else items.set(id ?? `new_${price}`, { id: id ?? "", lookupKey: price ? lookupKeyOf(price) : before!.lookupKey, quantity: quantity ?? before?.quantity ?? 1 });
  }
  return purchaseFrom([...items.values()]);
}

async function showPreview(world: FakeWorld, preview: z.output<typeof params.createPreview>): Promise<object> {
  const { subscription, customer: payer } = await both(world, preview.subscription);
  const { findPrice } = world.harness.world;
  const details = preview.subscription_details;
  if (details?.resume_at && subscription.status !== "paused") throw invalid("`resume_at` can only be set on paused subscriptions.");
  const purchase = details?.items ? changedPurchase(subscription, details.items) : subscription.items.purchase;
  const items = await priceItems(findPrice, purchase, subscription.currency);
  const facts = { customer: payer, subscriptionId: subscription.id, createdAt: world.harness.now() };
  if (preview.preview_mode === "recurring" || !details?.items || details.proration_behavior === "none") {
    const bill = makeBill(fullLines(items), payerOf(payer, subscription.taxInclusive));
    const [start, end] = details?.resume_at ? [facts.createdAt, cycleBoundary(facts.createdAt, items.cycle, 1)] : [subscription.periodEndsAt, subscription.periodEndsAt];
    return previewObject({ ...facts, bill, period: { start: seconds(start), end: seconds(end) } });
  }
  const quotedAt = details.proration_date ? new Date(details.proration_date * 1000) : world.harness.now();
  const planned = planChange(subscription, payer, items, "now", quotedAt);
  const endsAt = isSameCycle(subscription.paidItems.cycle, items.cycle) ? subscription.periodEndsAt : planned.nextRenewal.at;
  return previewObject({ ...facts, bill: planned.bill, period: { start: seconds(quotedAt), end: seconds(endsAt) } });
}

export async function showSubscription(world: FakeWorld, id: string): Promise<object> {
  const { subscription, customer: payer } = await both(world, id);
  const newest = (await selectInvoices(world.harness.db, payer.id)).find((invoice) => invoice.subscriptionId === id);
  return subscriptionObject(subscription, payer, newest ? await showInvoice(world, newest.id) : null);
}

export async function showInvoice(world: FakeWorld, id: string): Promise<object> {
  const row = await findInvoice(world.harness.db, id);
  if (!row) throw missing("invoice", id);
  const { subscription, customer: payer } = await both(world, row.subscriptionId);
  const next = row.status === "open" ? subscription.retries.find(({ outcome }) => outcome === "planned") : undefined;
  return invoiceObject({ row, customer: payer, nextAttempt: next ? new Date(next.at) : null, hostedUrl: world.confirmUrls.get(subscription.id) ?? null });
}


