/** Everything at Paddle, page by page. Paddle is the seller and numbers its own documents. */
import type { Customer, Paddle, Subscription, Transaction } from "@paddle/paddle-node-sdk";
import type { ListedObject, PaymentProvider } from "../payment-provider.ts";
import { accountOf } from "./paddle-customers.ts";
import { asked } from "./paddle-errors.ts";
import { minor } from "./paddle-views.ts";

/** The most that Paddle returns, of transactions 30. */
const perPage = 200;
/** Ids begin with the time at which they were made. */
const newestFirst = "id[DESC]";

/** Implements the port's call. Of customers and subscriptions Paddle filters by no time: the list ends at the first that is older. */
export async function listPage(
  paddle: Paddle,
  list: Parameters<PaymentProvider["listPage"]>[0],
  since: Date,
  after: string | null,
): ReturnType<PaymentProvider["listPage"]> {
  const from = { orderBy: newestFirst, ...(after && { after }) };
  switch (list) {
    case "customers":
      return pageOf(await next(() => paddle.customers.list({ ...from, perPage, status: ["active", "archived"] })), since, listedCustomer);
    case "subscriptions":
      return pageOf(await next(() => paddle.subscriptions.list({ ...from, perPage })), since, listedSubscription);
    case "invoices":
      return pageOf(
        await next(() =>
          paddle.transactions.list({ ...from, "createdAt[GTE]": since.toISOString(), status: charged, include: ["customer"] }),
        ),
        since,
        listedTransaction,
      );
  }
}

const charged: Transaction["status"][] = ["billed", "paid", "completed", "past_due"];

interface Page<Thing> {
  things: Thing[];
  hasMore: boolean;
}

async function next<Thing>(list: () => { next(): Promise<Thing[]>; readonly hasMore: boolean }): Promise<Page<Thing>> {
  return asked(async () => {
    const collection = list();
    return { things: await collection.next(), hasMore: collection.hasMore };
  });
}

function pageOf<Thing extends { id: string; createdAt: string }>(
  { things, hasMore }: Page<Thing>,
  since: Date,
  view: (thing: Thing) => ListedObject,
): { entries: ListedObject[]; next: string | null } {
  const recent = things.filter(({ createdAt }) => new Date(createdAt) >= since);
  return { entries: recent.map(view), next: hasMore && recent.length === things.length ? (things.at(-1)?.id ?? null) : null };
}

const nameOf = (customer: Pick<Customer, "name" | "email"> | null): string => customer?.name || customer?.email || "";

const listedCustomer = (customer: Customer): ListedObject => ({
  id: customer.id,
  customerId: customer.id,
  subscriptionId: null,
  accountId: accountOf(customer),
  name: nameOf(customer),
  at: new Date(customer.createdAt),
  isLive: false,
  paid: null,
  numbers: {},
});

/** Lists of subscriptions do not include their customers. */
const listedSubscription = (subscription: Subscription): ListedObject => ({
  id: subscription.id,
  customerId: subscription.customerId,
  subscriptionId: subscription.id,
  accountId: accountOf(subscription),
  name: "",
  at: new Date(subscription.createdAt),
  isLive: subscription.status !== "canceled",
  paid: null,
  numbers: {},
});

const isPaid = ({ status }: Transaction): boolean => status === "paid" || status === "completed";

const listedTransaction = (transaction: Transaction): ListedObject => ({
  id: transaction.id,
  customerId: transaction.customerId ?? "",
  subscriptionId: transaction.subscriptionId,
  accountId: accountOf(transaction),
  name: nameOf(transaction.customer),
  at: new Date(transaction.billedAt ?? transaction.createdAt),
  isLive: false,
  paid: { amount: isPaid(transaction) ? minor(transaction.details?.totals?.grandTotal) : 0, currency: transaction.currencyCode },
  numbers: {},
});
