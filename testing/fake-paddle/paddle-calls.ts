/** What each call does, in the sandbox's world: one line of the table is one address of Paddle's. Unknown members of a body are refused. */
import { z } from "zod";
import { makeBill, payerOf } from "#apps/payments-sandbox/bill.ts";
import { changeSubscription, endNow, prepareChange, resumeSubscription, setCancel, type Change } from "#apps/payments-sandbox/change-subscription.ts";
import { fullLines, priceItems } from "#apps/payments-sandbox/items.ts";
import type { Outcome } from "#apps/payments-sandbox/once.ts";
import { openCardPage, openPurchase } from "#apps/payments-sandbox/open-page.ts";
import { findCheckout, findCustomer, findInvoice, findSubscription, insertCustomer, sandboxId, selectInvoices, selectPayments, updateCustomer, type CustomerRow, type InvoiceRow, type SubscriptionRow } from "#apps/payments-sandbox/sandbox-rows.ts";
import { refundInvoice } from "#apps/payments-sandbox/refund-invoice.ts";
import { sandboxCustomers, plans } from "#database/tables.ts";
import { ProviderRefusal, type ChangeRequest, type Purchase } from "#domain/billing/payment-provider.ts";
import { eq } from "drizzle-orm";
import type { SandboxHarness } from "../sandbox-harness.ts";
import { declined, notFound, refused } from "./paddle-fault.ts";
import { adjustmentObject, checkoutObject, customerObject, keyOf, methodObject, nextTransactionObject, priceObject, subscriptionObject, transactionObject } from "./paddle-objects.ts";

export interface FakeWorld {
  harness: SandboxHarness;
  /** Addresses and businesses, by the path of their list. */
  kept: Map<string, { id: string }[]>;
  /** Where each transaction's checkout is shown. */
  pages: Map<string, string>;
}

interface Call<Body extends z.ZodType = z.ZodType> {
  method: "GET" | "POST" | "PATCH";
  path: RegExp;
  body: Body;
  answer(world: FakeWorld, ids: readonly string[], body: z.output<Body>, query: URLSearchParams): Promise<object | object[]>;
}

const call = <Body extends z.ZodType>(method: Call["method"], path: string, body: Body, answer: Call<Body>["answer"]): Call =>
  ({ method, path: new RegExp(`^/${path.replaceAll(":id", "([\\w-]+)")}$`), body, answer }) as unknown as Call;

const nothing = z.unknown();
const items = z.array(z.strictObject({ price_id: z.string(), quantity: z.number().int().min(1).max(10_000) })).min(1);
const change = z.strictObject({ items, proration_billing_mode: z.enum(["prorated_immediately", "prorated_next_billing_period", "full_immediately", "full_next_billing_period", "do_not_bill"]), on_payment_failure: z.enum(["prevent_change", "apply_change"]) });
const place = z.strictObject({ first_line: z.string(), second_line: z.string(), postal_code: z.string(), city: z.string(), country_code: z.string().regex(/^[A-Z]{2}$/) });
const business = z.strictObject({ name: z.string().min(1), tax_identifier: z.string().min(1).nullable() });

export const paddleCalls: readonly Call[] = [
  call("GET", "prices", nothing, async ({ harness }) => {
    const all = await harness.db.select().from(plans);
    return all.flatMap(({ id, customQuotas }) => [id, ...(customQuotas ? [`${id}-executions`, `${id}-workflows`] : [])].map((key) => priceObject(key)));
  }),
  call("GET", "customers", nothing, async ({ harness }, _ids, _body, query) => {
    const rows = await harness.db.select().from(sandboxCustomers).where(eq(sandboxCustomers.email, query.get("email") ?? ""));
    return rows.map((row) => customerObject(row as CustomerRow));
  }),
  call("POST", "customers", z.strictObject({ email: z.email(), name: z.string(), custom_data: z.looseObject({ accountId: z.string() }) }), async ({ harness }, _ids, { email, name, custom_data: custom }) => {
    const row = await insertCustomer(harness.db, { id: sandboxId("ctm"), accountId: custom.accountId, email, name, currency: "USD", details: null, card: null, credit: 0, createdAt: harness.now() });
    return customerObject(row);
  }),
  call("PATCH", "customers/:id", z.strictObject({ name: z.string() }), async (world, [id], { name }) => customerObject(await updateCustomer(world.harness.db, (await customer(world, id!)).id, { name }))),
  call("GET", "customers/:id/credit-balances", nothing, async (world, [id]) => {
    const { credit, currency } = await customer(world, id!);
    return [{ customer_id: id, currency_code: currency, balance: { available: String(credit), reserved: "0", used: "0" } }];
  }),
  call("GET", "customers/:id/payment-methods", nothing, async (world, [id]) => {
    const { card } = await customer(world, id!);
    return card ? [methodObject(id!, card, world.harness.now())] : [];
  }),
  call("GET", "customers/:id/addresses", nothing, (world, [id]) => keptIn(world, `${id}/addresses`)),
  call("POST", "customers/:id/addresses", place, (world, [id], body) => keep(world, `${id}/addresses`, sandboxId("add"), body)),
  call("PATCH", "customers/:id/addresses/:id", place, (world, [id, addressId], body) => keep(world, `${id}/addresses`, addressId!, body)),
  call("GET", "customers/:id/businesses", nothing, (world, [id]) => keptIn(world, `${id}/businesses`)),
  call("POST", "customers/:id/businesses", business, (world, [id], body) => keep(world, `${id}/businesses`, sandboxId("biz"), body)),
  call("PATCH", "customers/:id/businesses/:id", business, (world, [id, businessId], body) => keep(world, `${id}/businesses`, businessId!, body)),
  call(
    "POST",
    "transactions",
    z.strictObject({ items, customer_id: z.string(), currency_code: z.string().regex(/^[A-Z]{3}$/), collection_mode: z.literal("automatic"), custom_data: z.looseObject({ accountId: z.string() }), checkout: z.strictObject({ url: z.url() }) }),
    async (world, _ids, body) => {
      const { harness } = world;
      const buyer = await updateCustomer(harness.db, (await customer(world, body.customer_id)).id, { currency: body.currency_code, details: germanPlace });
      const purchase = purchaseOf(body.items);
      const priced = await priceItems(harness.world.findPrice, purchase, body.currency_code);
      const url = new URL(body.checkout.url);
      const checkout = {
        accountId: body.custom_data.accountId, email: buyer.email, name: buyer.name, purchase, currency: body.currency_code, customerId: buyer.id, details: buyer.details,
        successUrl: url.searchParams.get("success") ?? "", cancelUrl: url.searchParams.get("cancel") ?? "",
      };
      const opened = await openPurchase(harness.db, checkout, priced, harness.world.publicUrl, harness.now());
      const id = `txn_${opened.checkoutId}`;
      url.searchParams.set("_ptxn", id);
      world.pages.set(id, url.href);
      return showTransaction(world, id);
    },
  ),
  call("GET", "transactions", nothing, async (world, _ids, _body, query) => {
    const [customerId, subscriptionId, statuses] = ["customer_id", "subscription_id", "status"].map((name) => query.get(name)?.split(",") ?? null);
    const payer = customerId?.[0] ?? (subscriptionId ? (await subscriptionOf(world, subscriptionId[0]!)).customerId : "");
    const rows = (await selectInvoices(world.harness.db, payer)).filter((row) => !subscriptionId || subscriptionId.includes(row.subscriptionId));
    const shown = await Promise.all(rows.map((row) => showInvoice(world, row)));
    return shown.filter((each) => !statuses || statuses.includes((each as { status: string }).status));
  }),
  call("GET", "transactions/:id", nothing, (world, [id]) => showTransaction(world, id!)),
  call("GET", "transactions/:id/invoice", nothing, async (world, [id]) => {
    if (!(await findInvoice(world.harness.db, id!))) throw notFound("transaction", id!);
    return { url: `https://paddle.example/invoices/${id}.pdf?expires=3600` };
  }),
  call("POST", "adjustments", z.strictObject({ action: z.literal("refund"), type: z.literal("full"), transaction_id: z.string(), reason: z.string().min(1) }), async ({ harness }, _ids, body) => {
    const invoice = await findInvoice(harness.db, body.transaction_id);
    if (!invoice) throw notFound("transaction", body.transaction_id);
    if (invoice.status !== "paid") throw refused("adjustment_transaction_invalid_status_for_refund", "Only a completed transaction that was not refunded can be refunded");
    await harness.db.transaction((tx) => refundInvoice(tx, invoice.id, harness.now()));
    return adjustmentObject({ ...invoice, status: "refunded" });
  }),
  call("GET", "subscriptions/:id", nothing, (world, [id]) => showSubscription(world, id!)),
  call("PATCH", "subscriptions/:id/preview", change, async (world, [id], body) => {
    const held = await both(world, id!);
    refuseUnlessActive(held.subscription);
    const { planned, quote } = await prepareChange(world.harness.world.findPrice, held, requestOf(id!, body), world.harness.now());
    const currency = held.subscription.currency;
    const renewal = makeBill(fullLines(planned.nextRenewal.items), { ...payerOf(held.customer, held.subscription.taxInclusive), credit: planned.bill.creditAfter });
    const creditToBalance = Math.max(0, -planned.bill.total);
    return {
      ...(subscriptionObject(held.subscription, null) as object),
      next_billed_at: quote.nextRenewal.at.toISOString(),
      immediate_transaction: planned.bill.lines.length === 0 ? null : nextTransactionObject(planned.bill, currency, world.harness.now(), creditToBalance),
      next_transaction: nextTransactionObject(renewal, currency, quote.nextRenewal.at, 0),
      update_summary: null,
    };
  }),
  call("PATCH", "subscriptions/:id", z.union([change, z.strictObject({ scheduled_change: z.null() })]), async (world, [id], body) => {
    const held = await both(world, id!);
    if ("scheduled_change" in body) {
      if (held.subscription.status === "canceled") throw refused("subscription_is_canceled_action_invalid", "The subscription is canceled");
      await settle(world, (doing) => setCancel(doing, id!, false));
    } else {
      refuseUnlessActive(held.subscription);
      const request = requestOf(id!, body);
      const { quote } = await prepareChange(world.harness.world.findPrice, held, request, world.harness.now());
      await settle(world, (doing) => changeSubscription(doing, request, { quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow }));
    }
    return showSubscription(world, id!);
  }),
  call("POST", "subscriptions/:id/cancel", z.strictObject({ effective_from: z.enum(["immediately", "next_billing_period"]) }), async (world, [id], { effective_from: from }) => {
    if ((await subscriptionOf(world, id!)).status === "canceled") throw refused("subscription_is_canceled_action_invalid", "The subscription is canceled");
    await settle(world, (doing) => (from === "immediately" ? endNow(doing, id!) : setCancel(doing, id!, true)));
    return showSubscription(world, id!);
  }),
  call("POST", "subscriptions/:id/resume", z.strictObject({ effective_from: z.literal("immediately"), on_resume: z.enum(["start_new_billing_period", "continue_existing_billing_period"]) }), async (world, [id]) => {
    if ((await subscriptionOf(world, id!)).status !== "paused") throw refused("subscription_cannot_be_resumed", "Only a paused subscription can be resumed");
    await settle(world, (doing) => resumeSubscription(doing, id!, null));
    return showSubscription(world, id!);
  }),
  call("GET", "subscriptions/:id/update-payment-method-transaction", nothing, async (world, [id]) => {
    const subscription = await subscriptionOf(world, id!);
    if (subscription.status === "canceled") throw refused("subscription_is_canceled_action_invalid", "The subscription is canceled");
    const { harness } = world;
    const url = await openCardPage(harness.db, subscription, `${harness.world.publicUrl}/manage/billing`, harness.world.publicUrl, harness.now());
    const [newest] = await selectInvoices(harness.db, subscription.customerId);
    return { ...(await showInvoice(world, newest!)), checkout: { url } };
  }),
];

/** Paddle asks for the place at its own checkout; the customers of the suite live there. */
const germanPlace = { name: "Ada Lovelace", line1: "", line2: "", postalCode: "10115", city: "Berlin", country: "DE", vatId: "" };

const requestOf = (subscriptionId: string, body: z.output<typeof change>): ChangeRequest => ({
  subscriptionId, purchase: purchaseOf(body.items), billing: body.proration_billing_mode === "prorated_immediately" ? "now" : "next-period",
});

/** As at Paddle, items are the complete list: what is not in it is gone. */
function purchaseOf(list: z.output<typeof items>): Purchase {
  const byKey = new Map(list.map(({ price_id: id, quantity }) => [keyOf(id), quantity]));
  const planId = [...byKey.keys()].find((key) => !/-(executions|workflows)$/.test(key));
  if (planId === undefined) throw refused("subscription_items_invalid", "There is no plan among the items");
  return { planId, extraExecutionUnits: byKey.get(`${planId}-executions`) ?? 0, extraWorkflowUnits: byKey.get(`${planId}-workflows`) ?? 0 };
}

function refuseUnlessActive({ status }: SubscriptionRow): void {
  if (status !== "active") throw refused(`subscription_is_${status}_action_invalid`, `A subscription that is ${status} can't be changed`);
}

async function customer({ harness }: FakeWorld, id: string): Promise<CustomerRow> {
  const found = await findCustomer(harness.db, id);
  if (!found) throw notFound("customer", id);
  return found;
}

async function subscriptionOf({ harness }: FakeWorld, id: string): Promise<SubscriptionRow> {
  const found = await findSubscription(harness.db, id);
  if (!found) throw notFound("subscription", id);
  return found;
}

async function both(world: FakeWorld, id: string): Promise<{ subscription: SubscriptionRow; customer: CustomerRow }> {
  const subscription = await subscriptionOf(world, id);
  return { subscription, customer: await customer(world, subscription.customerId) };
}

const keptIn = (world: FakeWorld, path: string): Promise<object[]> => Promise.resolve(world.kept.get(path) ?? []);

function keep(world: FakeWorld, path: string, id: string, body: object): Promise<object> {
  const at = world.harness.now().toISOString();
  const one = { description: null, region: null, company_number: null, contacts: [], ...body, id, customer_id: path.split("/")[0], status: "active", custom_data: null, created_at: at, updated_at: at, import_meta: null };
  world.kept.set(path, [...(world.kept.get(path) ?? []).filter((each) => each.id !== id), one]);
  return Promise.resolve(one);
}

/** Does something in a transaction; a bank's no becomes Paddle's, which has one word for all of them. */
async function settle({ harness }: FakeWorld, act: (doing: Change) => Promise<Outcome<string>>): Promise<void> {
  const { findPrice, publicUrl } = harness.world;
  const outcome = await harness.db.transaction((tx) => act({ tx, findPrice, publicUrl, now: harness.now(), confirmed: false })).catch((error: unknown) => {
    throw error instanceof ProviderRefusal ? refused("bad_request", error.message) : error;
  });
  if ("declined" in outcome) throw declined(outcome.declined);
  if ("confirm" in outcome) throw declined(outcome.confirm.message);
}

export async function showSubscription(world: FakeWorld, id: string): Promise<object> {
  const { subscription, customer: payer } = await both(world, id);
  const renews = subscription.status === "active" && !subscription.cancelsAtPeriodEnd;
  const bill = makeBill(fullLines(subscription.items), payerOf(payer, subscription.taxInclusive));
  const recurring = subscription.status === "canceled" ? null : nextTransactionObject(bill, subscription.currency, subscription.periodEndsAt, 0);
  return { ...subscriptionObject(subscription, renews ? recurring : null), recurring_transaction_details: (recurring as { details: object } | null)?.details ?? null };
}

async function showInvoice(world: FakeWorld, row: InvoiceRow): Promise<object> {
  const { subscription, customer: payer } = await both(world, row.subscriptionId);
  return transactionObject(row, await selectPayments(world.harness.db, [row.id]), payer, subscription.status === "past_due");
}

/** A checkout's transaction, or an invoice's. */
export async function showTransaction(world: FakeWorld, id: string): Promise<object> {
  const page = id.startsWith("txn_") ? await findCheckout(world.harness.db, id.slice("txn_".length)) : undefined;
  if (page) return checkoutObject(page, world.pages.get(id) ?? "");
  const invoice = await findInvoice(world.harness.db, id);
  if (!invoice) throw notFound("transaction", id);
  return showInvoice(world, invoice);
}
