/**
 * The actions of the customer's pages: pay a purchase, change a card, confirm with the bank. Each happens once, even
 * if its button is pressed twice.
 */
import type { BillingDetails } from "#contract/billing/billing.ts";
import { say } from "#contract/sentences/say.ts";
import { ProviderRefusal, QuoteStale } from "../../payment-provider.ts";
import type { Connection, Database } from "#platform/database.ts";
import { makeBill, type Bill } from "../../ledger/bill.ts";
import { changeSubscription, resumeSubscription, retryOpenPayment, type Change, type Waiting } from "../calls/change-subscription.ts";
import { emitEvent } from "../webhooks/emit-event.ts";
import type { ChargeOutcome } from "../../ledger/charge.ts";
import { fullLines, type FindPrice } from "../../ledger/items.ts";
import { buy, tryOpen } from "../../ledger/ledger.ts";
import type { PurchaseRequest } from "../calls/open-page.ts";
import type { PayForm } from "./read-pay-form.ts";
import { accountOf, carryOut } from "../carry-out.ts";
import {
  holdCheckout,
  holdCustomer,
  holdSubscription,
  insertCustomer,
  insertSubscription,
  sandboxId,
  updateCheckout,
  updateCustomer,
  updateSubscription,
  type CheckoutRow,
  type CustomerRow,
} from "../sandbox-rows.ts";
import { bankOf, chargeCard, type KeptCard } from "../test-cards.ts";

export interface PageWorld {
  db: Database;
  findPrice: FindPrice;
  publicUrl: string;
  isTaxInclusive(currency: string): boolean;
  now(): Date;
}

/** What the customer entered; the place determines the tax. */
export interface Entered {
  card: KeptCard;
  details: Pick<BillingDetails, "name" | "country" | "postalCode" | "vatId"> & Partial<Pick<BillingDetails, "line1" | "city">>;
  /** As typed, to refill the form if the bank's page is left unanswered. */
  form?: PayForm;
}

export type PageOutcome =
  | { kind: "done"; url: string }
  /** The bank asks for confirmation; the entries are kept until then. */
  | { kind: "challenge" }
  | { kind: "declined"; reason: string }
  | { kind: "gone" };

/** The bill of a purchase for a place, less the customer's credit. */
export function purchaseBill(
  { items }: PurchaseRequest,
  place: { country: string; vatId: string },
  credit: number,
  taxInclusive: boolean,
): Bill {
  return makeBill(fullLines(items), { currency: items.currency, credit, taxInclusive, ...place });
}

/** Pays an open purchase: customer, subscription, invoice and events in one transaction. For a paid one, only says where to continue. */
export async function payPurchase(world: PageWorld, id: string, entered: Entered | null): Promise<PageOutcome> {
  const now = world.now();
  return onPage(world, id, "purchase", now, async (tx, page) => {
    const confirmed = entered === null;
    const kept = entered ?? (page.entered as Entered | null);
    if (!kept) return { kind: "gone" };
    const request = page.request as PurchaseRequest;
    const { known, row } = await buyerOf(tx, page, request, kept, now);
    const taxInclusive = world.isTaxInclusive(request.items.currency);
    const { items } = request;
    const { subscription: begun, turn } = buy(
      { customer: row, bank: bankOf(kept.card), items, taxInclusive },
      { occasion: "new-card", confirmed },
      now,
    );
    if (turn.outcome.kind !== "paid") return refuse(tx, page, kept, turn.outcome);

    const customer = known ? await updateCustomer(tx, known.id, { card: row.card, details: row.details }) : await insertCustomer(tx, row);
    const moment = { at: now, now };
    const bought = await insertSubscription(tx, {
      ...begun,
      id: sandboxId("sub"),
      customerId: customer.id,
      accountId: request.checkout.accountId,
      changedAt: now,
      createdAt: now,
    });
    const subscription = await carryOut(tx, { subscription: bought, customer }, turn, moment);
    await updateCheckout(tx, id, { state: "done", subscriptionId: subscription.id, customerId: customer.id, entered: null });
    await emitEvent(
      tx,
      "checkout.completed",
      { subscriptionId: subscription.id, customerId: customer.id, accountId: subscription.accountId },
      moment,
      { checkoutId: id },
    );
    return { kind: "done", url: page.successUrl };
  });
}

/** Saves a new card and pays the open amount with it. `entered` null: the card entered before, now confirmed with the bank. */
export async function changeCard(world: PageWorld, id: string, entered: KeptCard | null): Promise<PageOutcome> {
  const now = world.now();
  return onPage(world, id, "card", now, async (tx, page) => {
    const card = entered ?? (page.entered as { card: KeptCard } | null)?.card;
    if (!card) return { kind: "gone" };
    const held = await holdSubscription(tx, page.subscriptionId!);
    // A card is saved only if its bank would pay with it. This checks the smallest sum and does not charge it.
    const charge = { at: now, occasion: "new-card", confirmed: entered === null, failedBefore: 0 } as const;
    const asked = chargeCard(card, { ...charge, amount: 1 });
    if (asked.kind !== "paid") return refuse(tx, page, { card }, asked);
    const moment = { at: now, now };
    const customer = await updateCustomer(tx, held.customer.id, { card });
    // The subscription shows its card, so it counts as changed too.
    const subscription = await updateSubscription(tx, held.subscription.id, {}, now);
    await emitEvent(
      tx,
      "customer.updated",
      { subscriptionId: subscription.id, customerId: customer.id, accountId: subscription.accountId },
      moment,
    );
    if (subscription.status === "past_due") {
      const account = await accountOf(tx, { subscription, customer });
      await carryOut(tx, account, tryOpen(account, { occasion: "new-card", confirmed: charge.confirmed }, now), moment);
    }
    await updateCheckout(tx, id, { state: "done", entered: null });
    return { kind: "done", url: page.successUrl };
  });
}

/** The customer confirmed with their bank: the waiting action is carried out now, at the agreed sum. */
export async function confirmWaiting(world: PageWorld, id: string): Promise<PageOutcome> {
  const now = world.now();
  const confirmed = onPage(world, id, "confirmation", now, async (tx, page) => {
    const change: Change = { tx, findPrice: world.findPrice, publicUrl: world.publicUrl, now, confirmed: true };
    const outcome = await actOn(change, page.subscriptionId!, page.request as Waiting);
    if ("declined" in outcome) return { kind: "declined", reason: outcome.declined };
    await updateCheckout(tx, id, { state: "done" });
    return { kind: "done", url: page.successUrl };
  });
  return confirmed.catch((error: unknown) => {
    // It has since renewed, been changed in another tab, or ended, so the agreed action is no longer possible.
    if (error instanceof QuoteStale || error instanceof ProviderRefusal) return { kind: "declined", reason: say("confirmationOutOfDate") };
    throw error;
  });
}

function actOn(change: Change, subscriptionId: string, waiting: Waiting) {
  if (waiting.kind === "resume") {
    const { expectedDueNow, unpaid } = waiting;
    return resumeSubscription(
      change,
      subscriptionId,
      expectedDueNow,
      unpaid ? { from: new Date(unpaid.from), to: new Date(unpaid.to) } : null,
    );
  }
  if (waiting.kind === "retry") return retryOpenPayment(change, subscriptionId);
  const { request, quotedAt, expectedDueNow } = waiting;
  return changeSubscription(change, request, { quotedAt: new Date(quotedAt), expectedDueNow });
}

/** Runs `act` with the page's row locked; a used or expired page is answered without it. */
async function onPage(
  world: PageWorld,
  id: string,
  kind: CheckoutRow["kind"],
  now: Date,
  act: (tx: Connection, page: CheckoutRow) => Promise<PageOutcome>,
): Promise<PageOutcome> {
  return world.db.transaction(async (tx) => {
    const page = await holdCheckout(tx, id);
    if (!page || page.kind !== kind) return { kind: "gone" };
    if (page.state === "done") return { kind: "done", url: page.successUrl };
    if (page.expiresAt <= now) return { kind: "gone" };
    return act(tx, page);
  });
}

async function refuse(
  tx: Connection,
  page: CheckoutRow,
  entered: object,
  outcome: Exclude<ChargeOutcome, { kind: "paid" }>,
): Promise<PageOutcome> {
  if (outcome.kind === "declined") return { kind: "declined", reason: outcome.reason };
  await updateCheckout(tx, page.id, { entered });
  return { kind: "challenge" };
}

/** The buyer, known or new, with the address entered now merged into known details. Writes nothing. */
async function buyerOf(
  tx: Connection,
  page: CheckoutRow,
  { checkout, items }: PurchaseRequest,
  { card, details: entered }: Entered,
  now: Date,
): Promise<{ known: CustomerRow | undefined; row: CustomerRow }> {
  const known = page.customerId ? await holdCustomer(tx, page.customerId) : undefined;
  const details: BillingDetails = { ...emptyDetails, ...(known?.details ?? checkout.details), ...entered };
  const fresh = {
    id: sandboxId("cus"),
    accountId: checkout.accountId,
    email: checkout.email,
    name: checkout.name,
    currency: items.currency,
    credit: 0,
    createdAt: now,
  };
  return { known, row: { ...(known ?? fresh), card, details: { ...details, name: details.name || checkout.name } } };
}

const emptyDetails: BillingDetails = { name: "", line1: "", line2: "", postalCode: "", city: "", country: "US", vatId: "" };
