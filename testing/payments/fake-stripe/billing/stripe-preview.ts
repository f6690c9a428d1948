/**
 * Invoice previews (`POST /v1/invoices/create_preview`). They are drafts: `ending_balance` is "null if the invoice has not been finalized
 * yet" (stripe 23.1.0, `Invoice.ending_balance`).
 */
import type Stripe from "stripe";
import type { z } from "zod";
import { billFor, boundary, fullLines, intervalOf, type Bill } from "./stripe-billing.ts";
import { invalid } from "../wire/stripe-error.ts";
import { discountsOf, lineObject, list, taxesOf, type Shown } from "../wire/stripe-objects.ts";
import type { params } from "../wire/stripe-params.ts";
import { nowOf, type Line, type State, type Subscription } from "../stripe-state.ts";
import { changedItems, nextItems, planUpdate, recurringBill } from "./stripe-subscriptions.ts";

/** An item beside those of the subscription. */
export const itemLine = ({ amount, description, period, metadata }: AddedItem): Line => ({
  label: description,
  quantity: 1,
  amount,
  isProration: false,
  start: period.start,
  end: period.end,
  price: "",
  metadata,
});

type AddedItem = Pick<z.output<typeof params.createItem>, "amount" | "description" | "period" | "metadata">;

export function showPreview(
  state: State,
  subscription: Subscription,
  { schedule, preview_mode: mode, subscription_details: details, invoice_items: added = [] }: z.output<typeof params.createPreview>,
): object {
  const now = nowOf(state);
  if (schedule && details) throw invalid("You may only specify one of these parameters: schedule, subscription_details.");
  if (details?.resume_at) {
    if (subscription.status !== "paused") throw invalid("`resume_at` can only be set on paused subscriptions.");
    const end = boundary(now, intervalOf(state, subscription.items), 1);
    return shown(
      state,
      subscription,
      billFor(state, subscription, [...fullLines(state, subscription.items, subscription.currency, now, end), ...added.map(itemLine)]),
      end,
    );
  }
  const items = details?.items ? changedItems(state, subscription, details.items) : null;
  if (mode === "recurring" || !items) {
    const isCancelled = subscription.cancelAtPeriodEnd
      ? details?.cancel_at_period_end !== false
      : subscription.cancelAt !== null && details?.cancel_at !== "";
    if (mode === "next" && (isCancelled || subscription.status === "canceled"))
      throw invalid("No upcoming invoices for customer", "invoice_upcoming_none");
    return shown(
      state,
      subscription,
      recurringBill(state, subscription, items ?? (schedule ? nextItems(state, subscription) : subscription.items)),
      subscription.periodEnd,
    );
  }
  const at = details!.proration_date ?? now;
  const { lines, periodEnd } = planUpdate(state, subscription, items, details!.proration_behavior !== "none", at);
  return shown(state, subscription, billFor(state, subscription, lines), periodEnd);
}

function shown(
  state: State,
  subscription: Subscription,
  { lines, discount, tax, total, amountDue }: Bill,
  periodEnd: number,
): Shown<Stripe.Invoice> {
  return {
    id: `upcoming_in_${subscription.id}`,
    object: "invoice",
    status: "draft",
    currency: subscription.currency.toLowerCase(),
    created: nowOf(state),
    period_end: periodEnd,
    total,
    amount_due: amountDue,
    amount_remaining: amountDue,
    starting_balance: state.customers.get(subscription.customer)!.balance,
    ending_balance: null,
    total_taxes: taxesOf(tax),
    total_discount_amounts: discountsOf(discount),
    lines: list(
      lines.map((line, index) => lineObject(line, index, subscription.currency)),
      "/v1/invoices/upcoming/lines",
    ),
    parent: { type: "subscription_details", quote_details: null, subscription_details: { subscription: subscription.id, metadata: {} } },
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  };
}
