/** The pages that customers are sent to. Each is a row with a secret 128-bit address. */
import { randomBytes } from "node:crypto";
import { ProviderRefusal, type CheckoutRequest } from "../../payment-provider.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Waiting } from "./change-subscription.ts";
import type { Items } from "../../ledger/items.ts";
import { holdCheckout, insertCheckout, updateCheckout, type SubscriptionRow } from "../sandbox-rows.ts";

const purchaseLifeMs = dayMs;
const cardLifeMs = hourMs;
const confirmationLifeMs = 23 * hourMs;

const pageId = (prefix: string): string => `${prefix}_${randomBytes(16).toString("hex")}`;

/** What a purchase page sells, priced when the page was opened. */
export interface PurchaseRequest {
  checkout: CheckoutRequest;
  items: Items;
}

export async function openPurchase(
  tx: Connection,
  checkout: CheckoutRequest,
  items: Items,
  publicUrl: string,
  now: Date,
): Promise<{ checkoutId: string; url: string }> {
  const id = pageId("chk");
  const request: PurchaseRequest = { checkout, items };
  await insertCheckout(tx, {
    id,
    kind: "purchase",
    request,
    customerId: checkout.customerId,
    successUrl: checkout.successUrl,
    cancelUrl: checkout.cancelUrl,
    createdAt: now,
    expiresAt: after(now, purchaseLifeMs),
  });
  return { checkoutId: id, url: `${publicUrl}/sandbox/checkout/${id}` };
}

/** A payment in progress is completed first. */
export function closePurchase(db: Database, id: string, now: Date): Promise<"expired" | "paid"> {
  return db.transaction(async (tx) => {
    const page = await holdCheckout(tx, id);
    if (page?.kind !== "purchase") throw new ProviderRefusal(`There is no checkout ${id}.`);
    if (page.state === "done") return "paid";
    if (page.expiresAt > now) await updateCheckout(tx, id, { expiresAt: now, entered: null });
    return "expired";
  });
}

export async function openCardPage(
  tx: Connection,
  subscription: SubscriptionRow,
  returnUrl: string,
  publicUrl: string,
  now: Date,
): Promise<string> {
  const id = pageId("crd");
  await insertCheckout(tx, {
    id,
    kind: "card",
    request: {},
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    successUrl: returnUrl,
    cancelUrl: returnUrl,
    createdAt: now,
    expiresAt: after(now, cardLifeMs),
  });
  return `${publicUrl}/sandbox/card/${id}`;
}

export async function openConfirmation(
  tx: Connection,
  subscription: SubscriptionRow,
  waiting: Waiting,
  publicUrl: string,
  now: Date,
): Promise<string> {
  const id = pageId("cnf");
  const returnUrl = `${publicUrl}/manage/billing`;
  await insertCheckout(tx, {
    id,
    kind: "confirmation",
    request: waiting,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    successUrl: returnUrl,
    cancelUrl: returnUrl,
    createdAt: now,
    expiresAt: after(now, confirmationLifeMs),
  });
  return `${publicUrl}/sandbox/confirm/${id}`;
}
