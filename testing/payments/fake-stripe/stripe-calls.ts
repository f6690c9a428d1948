/** What each call does; each line of the table is one Stripe endpoint. */
import { z } from "zod";
import { createSchedule, updateSchedule } from "./billing/stripe-schedules.ts";
import { priceOf, voidInvoice } from "./billing/stripe-billing.ts";
import { customerEvent, subscriptionEvent } from "./wire/stripe-events.ts";
import { invalid, missing } from "./wire/stripe-error.ts";
import * as objects from "./wire/stripe-objects.ts";
import { invoicesOf, refund } from "./stripe-pages.ts";
import { params } from "./wire/stripe-params.ts";
import { itemLine, showPreview } from "./billing/stripe-preview.ts";
import { newStripeId, nowOf, type State } from "./stripe-state.ts";
import {
  cancelSubscription,
  payInvoice,
  refusal,
  refuseScheduled,
  resumeSubscription,
  updateItems,
} from "./billing/stripe-subscriptions.ts";
import { refuseTaxId } from "./billing/stripe-tax-ids.ts";

interface Call<Params extends z.ZodType = z.ZodType> {
  method: "GET" | "POST" | "DELETE";
  path: RegExp;
  params: Params;
  answer(state: State, ids: readonly string[], params: z.output<Params>): object;
}

const call = <Params extends z.ZodType>(method: Call["method"], path: string, shape: Params, answer: Call<Params>["answer"]): Call =>
  ({ method, path: new RegExp(`^/v1/${path.replaceAll(":id", "([\\w-]+)")}$`), params: shape, answer }) as unknown as Call;

const find = <Row>(rows: Map<string, Row>, what: string, id: string | undefined): Row => {
  const row = rows.get(id ?? "");
  if (!row) throw missing(what, id ?? "");
  return row;
};
/** Nothing can be sold to a deleted customer or changed of it. */
function customerOf(state: State, id: string | undefined) {
  const row = find(state.customers, "customer", id);
  if (row.deleted) throw missing("customer", row.id);
  return row;
}
const subscriptionOf = (state: State, id: string | undefined) => find(state.subscriptions, "subscription", id);
const page = <Row extends { id: string }>(rows: Row[], after: string | undefined, limit: number) =>
  rows.slice(after ? rows.findIndex(({ id }) => id === after) + 1 : 0).slice(0, limit);

/** Newest first, those made since. */
function pageOf<Row extends { id: string; created: number }>(
  all: Row[],
  asked: { created: { gte: number }; starting_after?: string | undefined; limit: number },
  url: string,
  show: (row: Row) => object,
): object {
  const rows = all.filter((row) => row.created >= asked.created.gte).toReversed();
  const data = page(rows, asked.starting_after, asked.limit);
  return { ...objects.list(data.map(show), url), has_more: rows.at(-1) !== data.at(-1) && data.length > 0 };
}

export const stripeCalls: readonly Call[] = [
  call("GET", "prices", params.listPrices, (state, _ids, { lookup_keys: keys, active }) =>
    objects.list(
      [...state.prices.values()]
        .filter((price) => keys.includes(price.lookupKey ?? "") && price.active === active)
        .map((price) => objects.priceObject(price, "USD", false)),
      "/v1/prices",
    ),
  ),
  call("GET", "customers", params.listCustomers, (state, _ids, asked) =>
    pageOf([...state.customers.values()], asked, "/v1/customers", (row) => objects.customerObject(state, row)),
  ),
  call("POST", "customers", params.createCustomer, (state, _ids, { email, name, metadata, address }) => {
    const given = address && { line1: null, line2: null, postal_code: null, city: null, country: null, ...blanksAsNull(address) };
    const row = {
      id: newStripeId("cus"),
      created: nowOf(state),
      email,
      name,
      metadata,
      address: given ?? null,
      balance: 0,
      defaultMethod: null,
      taxIds: [],
    };
    state.customers.set(row.id, row);
    return objects.customerObject(state, row);
  }),
  call("POST", "customers/:id", params.updateCustomer, (state, [id], { email, name, address, invoice_settings: settings }) => {
    const row = customerOf(state, id);
    if (email !== undefined) row.email = email;
    if (name !== undefined) row.name = name;
    // An address is replaced as a whole, and an empty string clears its member.
    if (address) row.address = { line1: null, line2: null, postal_code: null, city: null, country: null, ...blanksAsNull(address) };
    if (settings) row.defaultMethod = ownMethod(state, row.id, settings.default_payment_method);
    customerEvent(state, row, nowOf(state));
    return objects.customerObject(state, row);
  }),
  call("GET", "customers/:id", params.retrieve, (state, [id]) =>
    // "Unlike other objects, deleted customers can still be retrieved" (docs.stripe.com/api/customers/delete, not read again).
    objects.customerObject(state, find(state.customers, "customer", id)),
  ),
  call("GET", "customers/:id/tax_ids", params.listTaxIds, (state, [id]) =>
    objects.list(
      customerOf(state, id).taxIds.map((taxId) => objects.taxIdObject(taxId, id!)),
      `/v1/customers/${id}/tax_ids`,
    ),
  ),
  call("POST", "customers/:id/tax_ids", params.createTaxId, (state, [id], { type, value }) => {
    const row = customerOf(state, id);
    refuseTaxId(type, value);
    // At most five per customer (docs.stripe.com/billing/customer/tax-ids, not read again).
    if (row.taxIds.length >= 5) throw invalid("You may only have five tax IDs at one time.");
    const made = { id: newStripeId("txi"), type, value };
    row.taxIds.push(made);
    return objects.taxIdObject(made, id!);
  }),
  call("DELETE", "customers/:id/tax_ids/:id", params.nothing, (state, [id, taxId]) => {
    const row = customerOf(state, id);
    row.taxIds = row.taxIds.filter((each) => each.id !== taxId);
    return { id: taxId, object: "tax_id", deleted: true };
  }),
  call("GET", "tax_rates/:id", params.retrieve, (_state, [id]) => objects.taxRateObject(id!, Number(id!.split("_").at(-1)))),
  call(
    "POST",
    "checkout/sessions",
    params.createSession,
    (state, _ids, { customer, currency, line_items: lines, metadata, subscription_data: data, client_reference_id: reference }) => {
      customerOf(state, customer);
      const upper = currency.toUpperCase();
      for (const { price } of lines)
        if (priceOf(state, price).amounts[upper] === undefined)
          throw invalid(`The price ${price} doesn't have a currency option for ${currency}.`);
      const row = {
        id: newStripeId("cs_test"),
        customer,
        currency: upper,
        items: lines,
        metadata: { ...metadata, ...data.metadata },
        reference,
        status: "open" as const,
        expiresAt: nowOf(state) + 86_400,
        subscription: null,
      };
      state.checkouts.set(row.id, row);
      return objects.checkoutObject(row);
    },
  ),
  call("GET", "checkout/sessions/:id", params.retrieve, (state, [id]) =>
    objects.checkoutObject(find(state.checkouts, "checkout.session", id)),
  ),
  call("POST", "checkout/sessions/:id/expire", params.nothing, (state, [id]) => {
    const row = find(state.checkouts, "checkout.session", id);
    if (row.status !== "open") throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.');
    row.status = "expired";
    return objects.checkoutObject(row);
  }),
  call("GET", "subscriptions", params.listSubscriptions, (state, _ids, asked) =>
    pageOf([...state.subscriptions.values()], asked, "/v1/subscriptions", (row) => objects.subscriptionObject(state, row)),
  ),
  call("GET", "subscriptions/:id", params.retrieve, (state, [id]) => objects.subscriptionObject(state, subscriptionOf(state, id))),
  call("POST", "subscriptions/:id", params.updateSubscription, (state, [id], update) => {
    const row = subscriptionOf(state, id);
    const now = nowOf(state);
    if (row.status === "canceled") throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
    if ("items" in update && update.metadata) row.metadata = { ...row.metadata, ...update.metadata };
    if ("items" in update)
      updateItems(
        state,
        row,
        {
          changes: update.items,
          paymentBehavior: update.payment_behavior,
          prorates: update.proration_behavior === "always_invoice",
          prorationAt: update.proration_date ?? now,
        },
        now,
      );
    else if ("default_payment_method" in update)
      row.defaultMethod = update.default_payment_method === "" ? null : ownMethod(state, row.customer, update.default_payment_method);
    else {
      refuseScheduled(row);
      if (update.cancel_at_period_end !== undefined) row.cancelAtPeriodEnd = update.cancel_at_period_end;
      if (update.cancel_at !== undefined) row.cancelAt = update.cancel_at === "" ? null : update.cancel_at;
    }
    if (!("items" in update)) subscriptionEvent(state, "customer.subscription.updated", row, now);
    return objects.subscriptionObject(state, row);
  }),
  call("DELETE", "subscriptions/:id", params.nothing, (state, [id]) => {
    const row = subscriptionOf(state, id);
    if (row.status === "canceled") throw missing("subscription", id!);
    cancelSubscription(state, row, nowOf(state));
    return objects.subscriptionObject(state, row);
  }),
  call("POST", "subscriptions/:id/resume", params.resumeSubscription, (state, [id]) => {
    const row = subscriptionOf(state, id);
    resumeSubscription(state, row, nowOf(state));
    return objects.subscriptionObject(state, row);
  }),
  call("POST", "subscription_schedules", params.createSchedule, (state, _ids, { from_subscription: id }) =>
    createSchedule(state, subscriptionOf(state, id)),
  ),
  call("POST", "subscription_schedules/:id", params.updateSchedule, (state, [id], update) =>
    updateSchedule(state, find(state.schedules, "subscription schedule", id), update),
  ),
  call("POST", "subscription_schedules/:id/release", params.nothing, (state, [id]) => {
    const row = find(state.schedules, "subscription schedule", id);
    if (row.status !== "active")
      throw invalid(`You cannot release a subscription schedule that is currently in the \`${row.status}\` status.`);
    row.status = "released";
    subscriptionOf(state, row.subscription).schedule = null;
    return objects.scheduleObject(state, row);
  }),
  call("POST", "invoiceitems", params.createItem, (state, _ids, { customer, subscription, ...item }) => {
    subscriptionOf(state, subscription);
    const row = { id: newStripeId("ii"), customer, subscription, metadata: item.metadata, line: itemLine(item) };
    state.pendingItems.set(row.id, row);
    return objects.invoiceItemObject(row);
  }),
  call("GET", "invoiceitems", params.listItems, (state, _ids, { customer }) =>
    objects.list(
      [...state.pendingItems.values()].filter((row) => row.customer === customer).map(objects.invoiceItemObject),
      "/v1/invoiceitems",
    ),
  ),
  call("DELETE", "invoiceitems/:id", params.nothing, (state, [id]) => {
    find(state.pendingItems, "invoiceitem", id);
    state.pendingItems.delete(id!);
    return { id, object: "invoiceitem", deleted: true };
  }),
  call("POST", "invoices/create_preview", params.createPreview, (state, _ids, preview) =>
    showPreview(
      state,
      subscriptionOf(state, preview.subscription ?? find(state.schedules, "subscription schedule", preview.schedule).subscription),
      preview,
    ),
  ),
  call("POST", "invoices/:id/pay", params.nothing, (state, [id]) => {
    const row = find(state.invoices, "invoice", id);
    // Outside the customer's session, so their bank treats it as a renewal.
    const outcome = payInvoice(state, row, { occasion: "renewal", confirmed: false }, nowOf(state));
    if (outcome.kind !== "paid") throw refusal(outcome, "invoice");
    return objects.invoiceObject(state, row);
  }),
  call("POST", "invoices/:id/void", params.nothing, (state, [id]) => {
    const row = find(state.invoices, "invoice", id);
    voidInvoice(state, row, nowOf(state));
    return objects.invoiceObject(state, row);
  }),
  call("GET", "invoices/:id", params.retrieve, (state, [id]) => objects.invoiceObject(state, find(state.invoices, "invoice", id))),
  // A finalised invoice takes new metadata, merged key by key.
  call("POST", "invoices/:id", params.updateInvoice, (state, [id], { metadata }) => {
    const row = find(state.invoices, "invoice", id);
    row.metadata = { ...row.metadata, ...metadata };
    return objects.invoiceObject(state, row);
  }),
  call("GET", "invoices", params.listInvoices, (state, _ids, { customer, subscription, status, created, starting_after: after, limit }) => {
    const rows = invoicesOf(state, customer ?? null).filter(
      (row) =>
        (!subscription || row.subscription === subscription) &&
        (!status || row.status === status) &&
        (!created || row.created >= created.gte),
    );
    const data = page(rows, after, limit);
    return {
      ...objects.list(
        data.map((row) => objects.invoiceObject(state, row)),
        "/v1/invoices",
      ),
      has_more: rows.at(-1) !== data.at(-1) && data.length > 0,
    };
  }),
  call("GET", "payment_intents/:id", params.retrieve, (state, [id]) =>
    objects.intentObject(find(state.invoices, "payment_intent", id?.replace(/^pi_/, ""))),
  ),
  call("GET", "charges", params.listCharges, (state, _ids, { customer, starting_after: after, limit }) => {
    const rows = [...state.charges.values()].filter((charge) => charge.customer === customer).toReversed();
    const data = page(rows, after, limit);
    return {
      ...objects.list(
        data.map((charge) => objects.chargeObject(state, charge)),
        "/v1/charges",
      ),
      has_more: rows.at(-1) !== data.at(-1) && data.length > 0,
    };
  }),
  call("GET", "charges/:id", params.retrieve, (state, [id]) => objects.chargeObject(state, find(state.charges, "charge", id))),
  call("GET", "disputes", params.listDisputes, (state, _ids, { charge }) =>
    objects.list(
      [...state.disputes.values()].filter((dispute) => dispute.charge === charge).map((dispute) => objects.disputeObject(state, dispute)),
      "/v1/disputes",
    ),
  ),
  call("POST", "refunds", params.createRefund, (state, _ids, { charge: id, amount }) => {
    const charge = find(state.charges, "charge", id);
    if (charge.status !== "succeeded") throw invalid(`Charge ${id} cannot be refunded because it has not been paid.`);
    const left = charge.amount - charge.amountRefunded;
    if (left === 0) throw invalid(`Charge ${id} has already been refunded.`, "charge_already_refunded");
    if ((amount ?? left) > left) throw invalid("Refund amount is greater than the unrefunded amount on the charge.");
    return refund(state, charge, amount ?? left);
  }),
  call(
    "POST",
    "billing_portal/sessions",
    params.createPortalSession,
    (state, _ids, { customer, return_url: returnUrl, flow_data: flow }) => {
      customerOf(state, customer);
      const id = newStripeId("bps");
      // A flow leads back automatically only if requested; otherwise the page stays until the customer leaves it.
      state.portals.set(id, { customer, returnUrl, leadsBack: flow.after_completion !== undefined });
      return { id, object: "billing_portal.session", customer, return_url: returnUrl, url: `https://billing.stripe.com/p/session/${id}` };
    },
  ),
];

function ownMethod(state: State, customer: string, id: string): string {
  const method = find(state.methods, "PaymentMethod", id);
  if (method.customer !== customer) throw invalid("The customer does not have a payment method with this ID.");
  return id;
}

const blanksAsNull = <Given extends Record<string, string | undefined>>(given: Given) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === "" ? null : value])) as Record<string, string | null>;
