/** Everything at Stripe, page by page, and the numbers of our documents in its invoices' metadata. */
import type Stripe from "stripe";
import type { DocumentNumbers, ListedObject, PaymentProvider } from "../payment-provider.ts";
import { readNumbers, writeNumbers } from "../kept-numbers.ts";
import { moneyOf } from "./prices/stripe-money.ts";
import { asked } from "./stripe-errors.ts";
import { expanded, idOf, toDate } from "./stripe-views.ts";

/** The most that Stripe returns. */
const limit = 100;

/** Implements the port's call. Stripe filters by the second in which something was made. */
export async function listPage(
  stripe: Stripe,
  list: Parameters<PaymentProvider["listPage"]>[0],
  since: Date,
  after: string | null,
): ReturnType<PaymentProvider["listPage"]> {
  const filter = { created: { gte: Math.floor(since.getTime() / 1000) }, limit, ...(after && { starting_after: after }) };
  switch (list) {
    case "customers":
      return pageOf(await asked(() => stripe.customers.list(filter)), listedCustomer);
    case "subscriptions":
      return pageOf(
        await asked(() => stripe.subscriptions.list({ ...filter, status: "all", expand: ["data.customer"] })),
        listedSubscription,
      );
    case "invoices":
      return pageOf(await asked(() => stripe.invoices.list(filter)), listedInvoice);
  }
}

function pageOf<Thing extends { id?: string }>(
  { data, has_more: hasMore }: { data: Thing[]; has_more: boolean },
  view: (thing: Thing) => ListedObject | null,
): { entries: ListedObject[]; next: string | null } {
  return { entries: data.map(view).filter((entry) => entry !== null), next: hasMore ? (data.at(-1)?.id ?? null) : null };
}

/** Deleted customers have neither name nor address. */
const nameOf = (customer: Stripe.Customer | Stripe.DeletedCustomer | null): string =>
  customer && !customer.deleted ? customer.name || customer.email || "" : "";

const listedCustomer = (customer: Stripe.Customer): ListedObject => ({
  id: customer.id,
  customerId: customer.id,
  subscriptionId: null,
  accountId: customer.metadata["accountId"] ?? null,
  name: nameOf(customer),
  at: toDate(customer.created),
  isLive: false,
  paid: null,
  numbers: {},
});

const over: ReadonlySet<string> = new Set(["canceled", "incomplete", "incomplete_expired"]);

const listedSubscription = (subscription: Stripe.Subscription): ListedObject => ({
  id: subscription.id,
  customerId: idOf(subscription.customer) ?? "",
  subscriptionId: subscription.id,
  accountId: subscription.metadata["accountId"] ?? null,
  name: nameOf(expanded(subscription.customer)),
  at: toDate(subscription.created),
  isLive: !over.has(subscription.status),
  paid: null,
  numbers: {},
});

/** Null for a draft, which nobody has seen. */
function listedInvoice(invoice: Stripe.Invoice): ListedObject | null {
  if (invoice.status === "draft" || invoice.total === 0) return null;
  const { subscription, metadata } = invoice.parent?.subscription_details ?? {};
  return {
    id: invoice.id ?? "",
    customerId: idOf(invoice.customer) ?? "",
    subscriptionId: idOf(subscription),
    accountId: metadata?.["accountId"] ?? null,
    name: invoice.customer_name || invoice.customer_email || "",
    at: toDate(invoice.created),
    isLive: false,
    paid: moneyOf(invoice.amount_paid, invoice.currency),
    numbers: readNumbers(invoice.metadata ?? {}),
  };
}

/** Metadata is merged key by key, so documents that were stored before stay. */
export async function keepNumbers(stripe: Stripe, invoiceId: string, numbers: DocumentNumbers): Promise<void> {
  await asked(() => stripe.invoices.update(invoiceId, { metadata: writeNumbers(numbers) }));
}
