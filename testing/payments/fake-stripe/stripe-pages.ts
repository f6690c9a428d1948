/** What customers, banks and operators do at the fake Stripe's pages, as opposed to the adapter's calls. */
import { chargeCard, type KeptCard } from "#payments/sandbox/test-cards.ts";
import { fullLines } from "./billing/stripe-billing.ts";
import { checkoutEvent, customerEvent, methodEvent, send } from "./wire/stripe-events.ts";
import { chargeObject, disputeObject, hostedUrlOf, refundObject } from "./wire/stripe-objects.ts";
import { newStripeId, nowOf, type Charge, type Invoice, type Method, type State } from "./stripe-state.ts";
import { payInvoice, startSubscription } from "./billing/stripe-subscriptions.ts";

export interface AtCheckout {
  name: string;
  country: string;
  postalCode: string;
  /** Entered at Stripe's page. */
  taxId?: { type: string; value: string };
}

function keep(state: State, customer: string, card: KeptCard): Method {
  const method = { id: newStripeId("pm"), customer, card, created: nowOf(state) };
  state.methods.set(method.id, method);
  methodEvent(state, "payment_method.attached", method, method.created);
  return method;
}

/**
 * The card is saved on the subscription, not the customer: "the collected payment method is set as the default_payment_method on the
 * Subscription" (a Stripe engineer at stackoverflow.com/a/76282845, read 2026-11-22).
 */
export function payCheckout(state: State, id: string, card: KeptCard, given: AtCheckout, confirms: boolean): "paid" | "declined" {
  const session = state.checkouts.get(id);
  if (session?.status !== "open") throw new Error("the page is gone");
  const now = nowOf(state);
  const customer = state.customers.get(session.customer)!;
  const isMoved = customer.address?.country !== given.country;
  Object.assign(customer, {
    name: given.name,
    address: {
      line1: null,
      line2: null,
      city: null,
      ...(isMoved ? {} : customer.address),
      country: given.country,
      postal_code: given.postalCode,
    },
  });
  if (given.taxId) customer.taxIds.unshift({ id: newStripeId("txi"), ...given.taxId });
  const lines = fullLines(state, session.items, session.currency, now, now);
  const asked = chargeCard(card, {
    at: new Date(now * 1000),
    amount: lines.reduce((sum, { amount }) => sum + amount, 0),
    occasion: "new-card",
    confirmed: false,
    failedBefore: 0,
  });
  if (asked.kind === "declined" || (asked.kind === "confirm" && !confirms)) return "declined";
  const method = keep(state, customer.id, card);
  const begun = { customer: customer.id, currency: session.currency, metadata: session.metadata, defaultMethod: method.id };
  const subscription = startSubscription(state, begun, session.items, now);
  Object.assign(session, { status: "complete", subscription: subscription.id });
  checkoutEvent(state, "checkout.session.completed", session, now);
  return "paid";
}

/**
 * The portal saves a new card on the customer; a subscription's own stays
 * (docs.stripe.com/customer-management/portal-deep-links, read 2026-11-22).
 */
export function enterAtPortal(state: State, url: string, card: KeptCard): "kept" | "declined" {
  const portal = state.portals.get(url.split("/").at(-1)!);
  if (!portal) throw new Error("the page is gone");
  const now = nowOf(state);
  if (chargeCard(card, { at: new Date(now * 1000), amount: 1, occasion: "new-card", confirmed: true, failedBefore: 0 }).kind !== "paid")
    return "declined";
  const customer = state.customers.get(portal.customer)!;
  customer.defaultMethod = keep(state, customer.id, card).id;
  customerEvent(state, customer, now);
  return "kept";
}

/** The customer confirms with their bank at an invoice's hosted page. */
export function confirmAtInvoice(state: State, url: string): void {
  const invoice = [...state.invoices.values()].find((row) => hostedUrlOf(row) === url);
  if (!invoice) throw new Error(`there is no page ${url}`);
  const outcome = payInvoice(state, invoice, { occasion: "change", confirmed: true }, nowOf(state));
  if (outcome.kind !== "paid") throw new Error(`confirming ended as ${outcome.kind}`);
}

/** Newest first; null: all customers'. */
export const invoicesOf = (state: State, customer: string | null): Invoice[] =>
  [...state.invoices.values()].filter((invoice) => customer === null || invoice.customer === customer).toReversed();

function newestCharge(state: State, customer: string): Charge {
  const newest = [...state.charges.values()].filter((charge) => charge.customer === customer && charge.status === "succeeded").at(-1);
  if (!newest) throw new Error("nothing was paid");
  return newest;
}

/**
 * Refunds the newest payment, or `amount` of it. `charge.refunded` is true once all of it is refunded (stripe 23.1.0, `Charge.refunded`).
 */
export function refund(state: State, charge: Charge, amount: number, status: "succeeded" | "pending" = "succeeded"): object {
  const row = { id: newStripeId("re"), created: nowOf(state), charge: charge.id, amount, status };
  state.refunds.set(row.id, row);
  charge.amountRefunded += amount;
  send(state, "charge.refunded", chargeObject(state, charge), nowOf(state));
  return refundObject(row);
}

export function refundNewest(state: State, customer: string, amount?: number, status?: "succeeded" | "pending"): void {
  const charge = newestCharge(state, customer);
  refund(state, charge, amount ?? charge.amount - charge.amountRefunded, status);
}

/**
 * A bank rejects the newest refund, pending or days after it counted as succeeded, and the seller has the money again
 * (docs.stripe.com/refunds#failed-refunds, not read again).
 */
export function failRefund(state: State, customer: string): void {
  const charge = newestCharge(state, customer);
  const row = [...state.refunds.values()].filter((each) => each.charge === charge.id).at(-1)!;
  row.status = "failed";
  charge.amountRefunded -= row.amount;
  send(state, "refund.failed", refundObject(row), nowOf(state));
}

export function disputeNewest(state: State, customer: string, status = "needs_response"): void {
  const row = { id: newStripeId("dp"), charge: newestCharge(state, customer).id, status };
  state.disputes.set(row.id, row);
  send(state, "charge.dispute.created", disputeObject(state, row), nowOf(state));
}

/** A card network warns of suspected fraud before any dispute. */
export function warnOfNewest(state: State, customer: string): void {
  const charge = newestCharge(state, customer).id;
  send(
    state,
    "radar.early_fraud_warning.created",
    { id: newStripeId("issfr"), object: "radar.early_fraud_warning", charge, actionable: true, fraud_type: "unauthorized_use_of_card" },
    nowOf(state),
  );
}

export function removeMethod(state: State, id: string): void {
  const method = state.methods.get(id)!;
  const previous = { customer: method.customer };
  method.customer = null;
  for (const customer of state.customers.values()) if (customer.defaultMethod === id) customer.defaultMethod = null;
  for (const subscription of state.subscriptions.values()) if (subscription.defaultMethod === id) subscription.defaultMethod = null;
  methodEvent(state, "payment_method.detached", method, nowOf(state), previous);
}
