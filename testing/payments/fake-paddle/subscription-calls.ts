/** Subscription calls; each line is one Paddle endpoint. */
import { desc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { makeBill, payerOf } from "#payments/ledger/bill.ts";
import { changeSubscription, endNow, prepareChange, resumeSubscription, setCancel } from "#payments/sandbox/calls/change-subscription.ts";
import { fullLines, type FindPrice } from "#payments/ledger/items.ts";
import { chargeBesides } from "#payments/ledger/ledger.ts";
import { openCardPage } from "#payments/sandbox/calls/open-page.ts";
import { accountOf, carryOut } from "#payments/sandbox/carry-out.ts";
import { holdSubscription, selectInvoices, type SubscriptionRow } from "#payments/sandbox/sandbox-rows.ts";
import { sandboxInvoices, sandboxPayments, sandboxSubscriptions } from "#database/tables.ts";
import type { ChangeRequest, ProviderLine } from "#payments/payment-provider.ts";
import { minuteMs } from "#platform/clock.ts";
import type { ISubscriptionPreviewResponse, ISubscriptionResponse } from "@paddle/paddle-node-sdk";
import { pricesOf } from "./paddle-currency.ts";
import { PaddleFault, declined, refused } from "./paddle-fault.ts";
import { items, purchaseOf } from "./paddle-items.ts";
import { nextTransactionObject, subscriptionObject } from "./paddle-objects.ts";
import { both, call, settle, subscriptionOf, type Call, type FakeWorld, type OneTimeProduct } from "./paddle-world.ts";
import { percentOffAt, showInvoice } from "./transaction-calls.ts";

const nothing = z.undefined();
const change = z.strictObject({
  items,
  proration_billing_mode: z.enum([
    "prorated_immediately",
    "prorated_next_billing_period",
    "full_immediately",
    "full_next_billing_period",
    "do_not_bill",
  ]),
  on_payment_failure: z.enum(["prevent_change", "apply_change"]),
});
/** Prices that are in no catalogue, of products that are in none: developer.paddle.com/api-reference/subscriptions/create-subscription-charge. */
const oneTimeCharge = z.strictObject({
  effective_from: z.enum(["immediately", "next_billing_period"]),
  items: z
    .array(
      z.strictObject({
        quantity: z.literal(1),
        price: z.strictObject({
          description: z.string().min(2).max(500),
          name: z.string().min(1).max(150),
          unit_price: z.strictObject({ amount: z.string().regex(/^[1-9]\d*$/), currency_code: z.string().regex(/^[A-Z]{3}$/) }),
          tax_mode: z.enum(["internal", "external"]),
          quantity: z.strictObject({ minimum: z.literal(1), maximum: z.literal(1) }),
          product: z.strictObject({
            name: z.string().min(1).max(200),
            tax_category: z.string(),
            custom_data: z.record(z.string(), z.unknown()),
          }),
        }),
      }),
    )
    .min(1),
  on_payment_failure: z.literal("prevent_change"),
});

/** A transaction of its own, charged now; a card that refuses leaves nothing to pay. */
async function chargeOnce(world: FakeWorld, id: string, charged: readonly { product: OneTimeProduct; amount: number }[]): Promise<void> {
  const { harness } = world;
  if (world.refusesCharges) throw declined("The card has no money left");
  const at = harness.now();
  const outcome = await harness.db.transaction(async (tx) => {
    const account = await accountOf(tx, await holdSubscription(tx, id));
    const lines = charged.map(({ product, amount }) => oneTimeLine(product, amount, account.customer.currency));
    const turn = chargeBesides(account, lines, at);
    await carryOut(tx, account, turn, { at, now: at });
    const [invoice] = await selectInvoices(tx, account.customer.id);
    if (turn.invoice)
      world.products.set(
        invoice!.id,
        charged.map(({ product }) => product),
      );
    return turn.outcome;
  });
  if (outcome.kind !== "paid") throw declined(outcome.reason);
}

const oneTimeLine = ({ name: label }: OneTimeProduct, amount: number, currency: string): ProviderLine => ({
  label,
  quantity: 1,
  amount: { amount, currency },
  isProration: false,
});

export const subscriptionCalls: readonly Call[] = [
  call(
    "GET",
    "subscriptions",
    nothing,
    async (world, _ids, _body, query) => {
      const [customerIds, statuses] = ["customer_id", "status"].map((name) => query.get(name)?.split(",") ?? null);
      const rows = await world.harness.db
        .select({ id: sandboxSubscriptions.id, status: sandboxSubscriptions.status })
        .from(sandboxSubscriptions)
        .where(
          customerIds
            ? inArray(sandboxSubscriptions.customerId, customerIds)
            : query.has("id")
              ? eq(sandboxSubscriptions.id, query.get("id")!)
              : undefined,
        )
        .orderBy(desc(sandboxSubscriptions.id));
      return Promise.all(rows.filter(({ status }) => !statuses || statuses.includes(status)).map(({ id }) => showSubscription(world, id)));
    },
    {
      query: [
        "address_id",
        "after",
        "collection_mode",
        "customer_id",
        "id",
        "order_by",
        "per_page",
        "price_id",
        "scheduled_change_action",
        "status",
      ],
    },
  ),
  call(
    "GET",
    "subscriptions/:id",
    nothing,
    async (world, [id], _body, query) => {
      const include = query.get("include")?.split(",") ?? [];
      const { next_transaction: next, recurring_transaction_details: recurring, ...shown } = await showSubscription(world, id!);
      return {
        ...shown,
        ...(include.includes("next_transaction") && { next_transaction: next }),
        ...(include.includes("recurring_transaction_details") && { recurring_transaction_details: recurring }),
      };
    },
    { query: ["include"] },
  ),
  call("PATCH", "subscriptions/:id/preview", change, async (world, [id], body): Promise<ISubscriptionPreviewResponse> => {
    const held = await both(world, id!);
    refuseUnlessActive(held.subscription, body.proration_billing_mode);
    refuseLocked(world, held.subscription);
    const { planned, quote } = await prepareChange(findPriceOf(world, body), held, requestOf(id!, body), world.harness.now());
    const { currency } = held.subscription;
    const renewal = makeBill(fullLines(planned.nextRenewal.items), {
      ...payerOf(held.customer, held.subscription.taxInclusive),
      credit: planned.bill.creditAfter,
    });
    const creditToBalance = Math.max(0, -planned.bill.total);
    const { id: _id, ...shown } = subscriptionObject(held.subscription, null);
    return {
      ...shown,
      next_billed_at: quote.nextRenewal.at.toISOString(),
      immediate_transaction:
        planned.bill.lines.length === 0 ? null : nextTransactionObject(planned.bill, currency, world.harness.now(), creditToBalance),
      next_transaction: nextTransactionObject(renewal, currency, quote.nextRenewal.at, 0),
      update_summary: null,
    };
  }),
  call("PATCH", "subscriptions/:id", z.union([change, z.strictObject({ scheduled_change: z.null() })]), async (world, [id], body) => {
    const held = await both(world, id!);
    if (held.subscription.status === "canceled")
      throw refused("subscription_update_when_canceled", "cannot update subscription, as subscription is canceled");
    refuseLocked(world, held.subscription);
    // Complete, also for what staff added.
    if ("items" in body) world.others.set(id!, othersIn(world, id!, body));
    if ("scheduled_change" in body) await settle(world, (doing) => setCancel(doing, id!, false));
    else {
      refuseUnlessActive(held.subscription, body.proration_billing_mode);
      const request = requestOf(id!, body);
      const findPrice = findPriceOf(world, body);
      const { quote } = await prepareChange(findPrice, held, request, world.harness.now());
      await settle(world, (doing) =>
        changeSubscription({ ...doing, findPrice }, request, { quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow }),
      );
    }
    return showSubscription(world, id!);
  }),
  call("POST", "subscriptions/:id/charge", oneTimeCharge, async (world, [id], { effective_from: from, items: charged }) => {
    if (world.chargeFault) throw refused(world.chargeFault, "No one-time charges");
    const { status, currency } = await subscriptionOf(world, id!);
    if (status !== "active") throw refused(`subscription_is_${status}_action_invalid`, `A subscription that is ${status} can't be charged`);
    if (charged.some(({ price }) => price.unit_price.currency_code !== currency))
      throw refused("invalid_field", "currency_code must be the subscription's");
    const lines = charged.map(({ price }) => ({ product: price.product, amount: Number(price.unit_price.amount) }));
    if (from === "immediately") await chargeOnce(world, id!, lines);
    else world.waiting.set(id!, [...(world.waiting.get(id!) ?? []), ...lines]);
    return showSubscription(world, id!);
  }),
  call(
    "POST",
    "subscriptions/:id/cancel",
    z.strictObject({ effective_from: z.enum(["immediately", "next_billing_period"]) }),
    async (world, [id], { effective_from: from }) => {
      const subscription = await subscriptionOf(world, id!);
      if (subscription.status === "canceled") throw refused("subscription_is_canceled_action_invalid", "The subscription is canceled");
      refuseLocked(world, subscription);
      await settle(world, (doing) => (from === "immediately" ? endNow(doing, id!) : setCancel(doing, id!, true)));
      return showSubscription(world, id!);
    },
  ),
  call(
    "POST",
    "subscriptions/:id/resume",
    z.strictObject({
      effective_from: z.literal("immediately"),
      on_resume: z.enum(["start_new_billing_period", "continue_existing_billing_period"]),
    }),
    async (world, [id]) => {
      const { status } = await subscriptionOf(world, id!);
      if (status !== "paused") throw refused("subscription_cannot_be_resumed", "Only a paused subscription can be resumed");
      // A new period begins immediately whether or not the card pays; unpaid, it is past due and retried like a renewal.
      await settle(world, (doing) => resumeSubscription(doing, id!, null, null, true));
      return showSubscription(world, id!);
    },
  ),
  call("GET", "subscriptions/:id/update-payment-method-transaction", nothing, async (world, [id]) => {
    const subscription = await subscriptionOf(world, id!);
    if (subscription.status === "canceled") throw refused("subscription_is_canceled_action_invalid", "The subscription is canceled");
    const { harness } = world;
    const url = await openCardPage(
      harness.db,
      subscription,
      `${harness.world.publicUrl}/manage/billing`,
      harness.world.publicUrl,
      harness.now(),
    );
    const newest = (await selectInvoices(harness.db, subscription.customerId)).find(({ subscriptionId }) => subscriptionId === id);
    return { ...(await showInvoice(world, newest!)), checkout: { url } };
  }),
];

const othersIn = ({ others }: FakeWorld, id: string, { items: sent }: z.output<typeof change>): string[] =>
  (others.get(id) ?? []).filter((price) => sent.some(({ price_id: priceId }) => priceId === price));

const findPriceOf = ({ harness }: FakeWorld, body: z.output<typeof change>): FindPrice =>
  pricesOf(
    harness.world.findPrice,
    body.items.map(({ price_id: id }) => id).filter((id) => id.startsWith("pri_")),
  );

const requestOf = (subscriptionId: string, body: z.output<typeof change>): ChangeRequest => ({
  subscriptionId,
  purchase: purchaseOf(body.items),
  billing: body.proration_billing_mode === "prorated_immediately" ? "now" : "next-period",
});

/** Of a trialing one only "do_not_bill" is accepted (developer.paddle.com/errors/subscriptions, not read again). */
function refuseUnlessActive({ status }: SubscriptionRow, mode: string): void {
  if (status === "trialing" && mode === "do_not_bill") return;
  if (status === "past_due") throw refused("subscription_update_when_past_due", "cannot update subscription, as subscription is past due");
  if (status !== "active") throw refused(`subscription_is_${status}_action_invalid`, `A subscription that is ${status} can't be changed`);
}

/**
 * Nothing can be changed in the half hour before a renewal:
 * developer.paddle.com/errors/subscriptions/subscription_locked_renewal, read 2026-11-22.
 */
const lockedBeforeRenewalMs = 30 * minuteMs;

function refuseLocked({ harness }: FakeWorld, { status, periodEndsAt }: SubscriptionRow): void {
  const leftMs = periodEndsAt.getTime() - harness.now().getTime();
  if (status === "active" && leftMs >= 0 && leftMs <= lockedBeforeRenewalMs)
    throw new PaddleFault(409, "subscription_locked_renewal", "unable to update subscription 30m0s before renewal");
}

/** An item of staff's, whose price has no custom data of ours. */
const othersItem = (like: ISubscriptionResponse["items"][number], id: string): ISubscriptionResponse["items"][number] => ({
  ...like,
  quantity: 1,
  price: { ...like.price, id, custom_data: null },
});

/** Adds the charges that waited for a renewal to the first one since then, to its sums and to the attempts to pay it. */
export async function billWaiting(world: FakeWorld, since: Date): Promise<void> {
  const { db } = world.harness;
  for (const [id, charges] of world.waiting) {
    const { subscription, customer } = await both(world, id);
    const renewal = (await selectInvoices(db, customer.id)).findLast(
      (row) => row.subscriptionId === id && row.issuedAt > since && !row.lines.some(({ isProration }) => isProration),
    );
    if (!renewal) continue;
    const added = charges.map(({ product, amount }) => oneTimeLine(product, amount, subscription.currency));
    const lines = [...renewal.lines, ...added];
    const { tax, total } = makeBill(lines, { ...payerOf(customer, subscription.taxInclusive), credit: 0 });
    await db.update(sandboxInvoices).set({ lines, tax, total }).where(eq(sandboxInvoices.id, renewal.id));
    await db
      .update(sandboxPayments)
      .set({ amount: total - renewal.creditUsed })
      .where(eq(sandboxPayments.invoiceId, renewal.id));
    world.products.set(renewal.id, [...renewal.lines.map(() => undefined), ...charges.map(({ product }) => product)]);
    world.waiting.delete(id);
  }
}

function nextOf(world: FakeWorld, { id, items: sold, currency, periodEndsAt }: SubscriptionRow, payer: ReturnType<typeof payerOf>) {
  const waiting = world.waiting.get(id) ?? [];
  const added = waiting.map(({ product, amount }) => oneTimeLine(product, amount, currency));
  const whole = fullLines(sold);
  const products = [...whole.map(() => undefined), ...waiting.map(({ product }) => product)];
  return nextTransactionObject(
    makeBill([...whole, ...added], payer),
    currency,
    periodEndsAt,
    0,
    products,
    percentOffAt(world, id, periodEndsAt),
  );
}

export async function showSubscription(world: FakeWorld, id: string): Promise<ISubscriptionResponse> {
  const { subscription, customer } = await both(world, id);
  const renews = (subscription.status === "active" || subscription.status === "trialing") && !subscription.cancelsAtPeriodEnd;
  const payer = payerOf(customer, subscription.taxInclusive);
  const bill = makeBill(fullLines(subscription.items), payer);
  const recurring =
    subscription.status === "canceled" ? null : nextTransactionObject(bill, subscription.currency, subscription.periodEndsAt, 0);
  const shown = subscriptionObject(subscription, renews ? nextOf(world, subscription, payer) : null);
  const added = (world.others.get(id) ?? []).map((priceId) => othersItem(shown.items[0]!, priceId));
  return { ...shown, items: [...added, ...shown.items], recurring_transaction_details: recurring?.details ?? null };
}
