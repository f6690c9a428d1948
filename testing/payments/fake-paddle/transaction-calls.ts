/** Calls for transactions and their refunds; each line is one Paddle endpoint. */
import { inArray } from "drizzle-orm";
import { z } from "zod";
import { emitEvent } from "#payments/sandbox/webhooks/emit-event.ts";
import { priceItems } from "#payments/ledger/items.ts";
import { openPurchase, type PurchaseRequest } from "#payments/sandbox/calls/open-page.ts";
import {
  findCheckout,
  findInvoice,
  selectInvoices,
  selectPayments,
  sandboxId,
  updateCheckout,
  updateCustomer,
  type InvoiceRow,
} from "#payments/sandbox/sandbox-rows.ts";
import { chargebackReason, refundInvoice } from "#payments/sandbox/calls/refund-invoice.ts";
import { sandboxSubscriptions } from "#database/tables.ts";
import type { IAdjustmentResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { convert, currencyIn, pricesOf } from "./paddle-currency.ts";
import { notFound, refused } from "./paddle-fault.ts";
import { adjustmentObject, chargedFor, checkoutObject, currencyOf, transactionObject, type Adjusting } from "./paddle-objects.ts";
import { shown } from "./customer-calls.ts";
import { items, purchaseOf } from "./paddle-items.ts";
import { both, call, customerOf, type Call, type FakeWorld } from "./paddle-world.ts";

const nothing = z.undefined();
/** At most thirty, whatever is requested: v1/openapi.yaml, parameter per_page_transaction_query, read 2026-11-22. */
const mostOnPage = 30;

export const transactionCalls: readonly Call[] = [
  call(
    "POST",
    "transactions",
    z.strictObject({
      items,
      customer_id: z.string().nullable(),
      currency_code: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .optional(),
      collection_mode: z.literal("automatic"),
      custom_data: z.looseObject({ accountId: z.string() }),
      checkout: z.strictObject({ url: z.url() }),
    }),
    async (world, _ids, body) => {
      const { harness } = world;
      const currency = body.currency_code ?? currencyOf(body.items[0]!.price_id);
      const buyer = await updateCustomer(harness.db, (await customerOf(world, body.customer_id!)).id, { currency, details: germanPlace });
      const purchase = purchaseOf(body.items);
      const priced = await priceItems(
        pricesOf(
          harness.world.findPrice,
          body.items.map(({ price_id: id }) => id),
        ),
        purchase,
        currency,
      );
      const url = new URL(body.checkout.url);
      const checkout = {
        accountId: body.custom_data.accountId,
        email: buyer.email,
        name: buyer.name,
        purchase,
        currency,
        customerId: buyer.id,
        details: buyer.details,
        successUrl: url.searchParams.get("success") ?? "",
        cancelUrl: url.searchParams.get("cancel") ?? "",
      };
      const opened = await openPurchase(harness.db, checkout, priced, harness.world.publicUrl, harness.now());
      const id = `txn_${opened.checkoutId}`;
      url.searchParams.set("_ptxn", id);
      world.pages.set(id, url.href);
      return showTransaction(world, id);
    },
    { query: ["include"] },
  ),
  call(
    "GET",
    "transactions",
    nothing,
    async (world, _ids, _body, query) => {
      const [customerIds, subscriptionIds, statuses] = ["customer_id", "subscription_id", "status"].map(
        (name) => query.get(name)?.split(",") ?? null,
      );
      const payers = customerIds ?? (await payersOf(world, subscriptionIds ?? null));
      const since = query.get("created_at[GTE]");
      const rows = (await Promise.all(payers.map((id) => selectInvoices(world.harness.db, id))))
        .flat()
        .filter((row) => !subscriptionIds || subscriptionIds.includes(row.subscriptionId))
        .filter((row) => !since || row.issuedAt >= new Date(since));
      const shown: ITransactionResponse[] = await Promise.all(rows.map((row) => showInvoice(world, row, included(query))));
      if (!subscriptionIds) shown.unshift(...payers.flatMap((id) => world.byHand.get(id) ?? []));
      return shown.filter((each) => !statuses || statuses.includes(each.status));
    },
    {
      query: [
        "after",
        "billed_at",
        "collection_mode",
        "created_at",
        "customer_id",
        "id",
        "include",
        "invoice_number",
        "origin",
        "order_by",
        "status",
        "subscription_id",
        "per_page",
        "updated_at",
      ],
      mostOnPage,
    },
  ),
  call("GET", "transactions/:id", nothing, (world, [id], _body, query) => showTransaction(world, id!, included(query)), {
    query: ["include"],
  }),
  call(
    "GET",
    "transactions/:id/invoice",
    nothing,
    async (world, [id]) => {
      if (!(await findInvoice(world.harness.db, id!))) throw notFound("transaction", id!);
      return { url: `https://paddle.example/invoices/${id}.pdf?expires=3600` };
    },
    { query: ["disposition"] },
  ),
  call(
    "POST",
    "adjustments",
    z.strictObject({ action: z.literal("refund"), type: z.literal("full"), transaction_id: z.string(), reason: z.string().min(1) }),
    async (world, _ids, body) => {
      const invoice = await findInvoice(world.harness.db, body.transaction_id);
      if (!invoice) throw notFound("transaction", body.transaction_id);
      return askForRefund(world, invoice);
    },
  ),
];

/** Paddle asks for the place at its own checkout; the suite's customers live here. */
const germanPlace = { name: "Ada Lovelace", line1: "", line2: "", postalCode: "10115", city: "", country: "DE", vatId: "" };

/** A buyer there opens the checkout of a seller with conversion enabled: the sale is priced in the buyer's currency from then on. */
export async function convertPage({ harness }: FakeWorld, checkoutId: string, country: string): Promise<void> {
  const page = await findCheckout(harness.db, checkoutId);
  const { checkout, items: sold } = page!.request as PurchaseRequest;
  const to = currencyIn(country) ?? sold.currency;
  const into = (amount: number) => convert(amount, sold.currency, to);
  const converted = {
    ...sold,
    currency: to,
    planAmount: into(sold.planAmount),
    executionUnitAmount: into(sold.executionUnitAmount),
    workflowUnitAmount: into(sold.workflowUnitAmount),
  };
  await updateCheckout(harness.db, checkoutId, { request: { checkout, items: converted } });
  if (checkout.customerId) await updateCustomer(harness.db, checkout.customerId, { currency: to });
}

const included = (query: URLSearchParams): ReadonlySet<string> => new Set(query.get("include")?.split(",") ?? []);

/** Everyone without `subscriptionIds`. */
async function payersOf({ harness }: FakeWorld, subscriptionIds: readonly string[] | null): Promise<string[]> {
  const rows = await harness.db
    .select({ id: sandboxSubscriptions.customerId })
    .from(sandboxSubscriptions)
    .where(subscriptionIds ? inArray(sandboxSubscriptions.id, [...subscriptionIds]) : undefined);
  return [...new Set(rows.map(({ id }) => id))];
}

/** What a discount takes off what the subscription is charged at this time. */
export function percentOffAt({ discounts }: FakeWorld, subscriptionId: string, at: Date): number {
  const discount = discounts.get(subscriptionId);
  return discount && discount.since <= at ? discount.percent : 0;
}

export async function showInvoice(world: FakeWorld, row: InvoiceRow, include: ReadonlySet<string> = new Set()) {
  const { subscription, customer } = await both(world, row.subscriptionId);
  const payments = await selectPayments(world.harness.db, [row.id]);
  const adjustments = adjustmentsOf(
    world,
    row,
    payments.some(({ reason }) => reason === chargebackReason),
  );
  const object = transactionObject(
    {
      row,
      payments,
      customer,
      isPastDue: subscription.status === "past_due",
      adjustments,
      products: world.products.get(row.id),
      percentOff: percentOffAt(world, row.subscriptionId, row.issuedAt),
    },
    include,
  );
  return include.has("customer") ? { ...object, customer: shown(world, customer) } : object;
}

/** The transaction of a checkout or of an invoice. */
export async function showTransaction(world: FakeWorld, id: string, include: ReadonlySet<string> = new Set()): Promise<object> {
  const page = id.startsWith("txn_") ? await findCheckout(world.harness.db, id.slice("txn_".length)) : undefined;
  if (page) return checkoutObject(page, world.pages.get(id) ?? "");
  const invoice = await findInvoice(world.harness.db, id);
  if (!invoice) throw notFound("transaction", id);
  return showInvoice(world, invoice, include);
}

/** Adjustments requested through calls, and full refunds or chargebacks made at the provider or a bank. */
function adjustmentsOf(world: FakeWorld, row: InvoiceRow, isChargeback: boolean): IAdjustmentResponse[] {
  const asked = world.adjustments.get(row.id) ?? [];
  const isAgreed = asked.some(({ action, status }) => action === "refund" && status === "approved");
  if (row.status !== "refunded" || isAgreed) return asked;
  return [
    ...asked,
    adjustmentObject(row, {
      id: `adj_${row.id}`,
      action: isChargeback ? "chargeback" : "refund",
      status: "approved",
      amount: leftOf(row, asked),
    }),
  ];
}

const amountOf = ({ totals }: IAdjustmentResponse): number => Number(totals.total);
const leftOf = (row: InvoiceRow, asked: readonly IAdjustmentResponse[]): number =>
  chargedFor(row) - asked.filter(({ status }) => status === "approved").reduce((sum, each) => sum + amountOf(each), 0);

/**
 * Refunds await approval by Paddle's staff, one per transaction at a time; `full` covers all that is left
 * (developer.paddle.com/build/transactions/create-transaction-adjustments, /errors/adjustments/adjustment_pending_refund_request and
 * /adjustment_transaction_item_invalid, read 2026-11-22).
 */
async function askForRefund(world: FakeWorld, row: InvoiceRow): Promise<IAdjustmentResponse> {
  const asked = world.adjustments.get(row.id) ?? [];
  if (asked.some(({ status }) => status === "pending_approval"))
    throw refused(
      "adjustment_pending_refund_request",
      "You are unable to create further adjustments against this transaction as there is a pending refund request",
    );
  if (row.status === "open" || row.status === "void")
    throw refused(
      "adjustment_transaction_invalid_status_for_refund",
      `The transaction being adjusted (refund) has a non supported status. ID: ${row.id}`,
    );
  const left = leftOf(row, asked);
  if (row.status === "refunded" || left <= 0)
    throw refused("adjustment_transaction_item_invalid", "One or more adjustment items cannot be processed");
  return adjust(world, row, { id: sandboxId("adj"), action: "refund", status: "pending_approval", amount: left });
}

/** Writes an adjustment and reports it. */
export async function adjust(world: FakeWorld, row: InvoiceRow, adjusting: Adjusting): Promise<IAdjustmentResponse> {
  const made = adjustmentObject(row, adjusting);
  world.adjustments.set(row.id, [...(world.adjustments.get(row.id) ?? []), made]);
  await tell(world, "adjustment.created", made);
  return made;
}

/** Paddle's staff approve every pending refund. */
export async function approveRefunds(world: FakeWorld): Promise<void> {
  for (const [transactionId, asked] of world.adjustments) {
    for (const waiting of asked.filter(({ status }) => status === "pending_approval")) {
      const row = (await findInvoice(world.harness.db, transactionId))!;
      waiting.status = "approved";
      if (leftOf(row, asked) <= 0) await world.harness.db.transaction((tx) => refundInvoice(tx, transactionId, world.harness.now()));
      await tell(world, "adjustment.updated", waiting);
    }
  }
}

async function tell(
  { harness }: FakeWorld,
  type: string,
  { id, customer_id: customerId, subscription_id: subscriptionId }: IAdjustmentResponse,
): Promise<void> {
  const now = harness.now();
  await emitEvent(
    harness.db,
    type,
    { subscriptionId: subscriptionId ?? undefined, customerId, accountId: "" },
    { at: now, now },
    { adjustmentId: id },
  );
}
