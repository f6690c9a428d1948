/** Stripe's webhooks: checks the signature and reads what an event is about. */
import { z } from "zod";
import { checkHmac, readEventBody } from "../signed-body.ts";
import { SignatureInvalid, type ProviderEvent, type ProviderEventKind } from "../payment-provider.ts";

const form = { separator: ",", time: "t", signature: "v1", joint: "." };

/**
 * Throws SignatureInvalid unless a `v1` of the header was made with one of the secrets, near `now`. Stripe's
 * library accepts future timestamps.
 */
export const checkStripeSignature = (header: string | undefined, secrets: readonly string[], rawBody: Buffer, now: Date): void =>
  checkHmac({ header, form, secrets, rawBody, now });

const event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(100),
  created: z.number().int(),
  livemode: z.boolean(),
  data: z.object({
    object: z.looseObject({ id: z.string().optional(), object: z.string().optional() }),
    previous_attributes: z.looseObject({}).nullish(),
  }),
});

const kinds: Readonly<Record<string, ProviderEventKind>> = {
  "checkout.session.completed": "checkout",
  "checkout.session.expired": "checkout",
  "checkout.session.async_payment_succeeded": "checkout",
  "checkout.session.async_payment_failed": "checkout",
  "invoice.paid": "payment-succeeded",
  "invoice.payment_failed": "payment-failed",
  "invoice.payment_action_required": "payment-action-required",
  "invoice.voided": "invoice",
  "invoice.marked_uncollectible": "invoice",
  "charge.refunded": "refund",
  "charge.dispute.created": "refund",
  "charge.dispute.updated": "refund",
  "charge.dispute.funds_withdrawn": "refund",
  "charge.dispute.funds_reinstated": "refund",
  "charge.dispute.closed": "refund",
  "charge.refund.updated": "refund",
  "refund.updated": "refund",
  "refund.failed": "refund",
  "radar.early_fraud_warning.created": "fraud-warning",
  "radar.early_fraud_warning.updated": "fraud-warning",
  "customer.updated": "customer",
  "customer.deleted": "customer",
  "payment_method.attached": "customer",
  "payment_method.updated": "customer",
  "payment_method.automatically_updated": "customer",
  "payment_method.detached": "customer",
};

/** Throws SignatureInvalid for a body that Stripe would never send, and for an event of the other mode. Unknown types become `other`. */
export function readStripeEvent(rawBody: Buffer, { isTest }: { isTest: boolean }): ProviderEvent {
  const { id, type, created, livemode, data } = readEventBody(event, rawBody);
  if (livemode === isTest) throw new SignatureInvalid(`event ${id} is of ${livemode ? "live" : "test"} mode, and the key is not`);
  const thing = data.object;
  const isSubscription = thing.object === "subscription";
  return {
    id,
    type,
    kind: type.startsWith("customer.subscription.") ? "subscription" : (kinds[type] ?? "other"),
    occurredAt: new Date(created * 1000),
    subscriptionId: isSubscription ? text(thing["id"]) : subscriptionOf(thing),
    // A dispute, refund or warning names only its charge; a removed card names only its previous customer.
    customerId:
      thing.object === "customer"
        ? text(thing["id"])
        : (text(thing["customer"]) ?? text(data.previous_attributes?.["customer"]) ?? text(thing["charge"])),
    accountId: accountOf(thing),
    payload: { id, type, created, object: thing.object ?? null, objectId: thing["id"] ?? null },
  };
}

/** A checkout names its subscription directly, an invoice through its parent. */
function subscriptionOf(thing: Record<string, unknown>): string | null {
  const parent = thing["parent"] as { subscription_details?: { subscription?: unknown } | null } | null | undefined;
  return text(thing["subscription"]) ?? text(parent?.subscription_details?.subscription);
}

function accountOf(thing: Record<string, unknown>): string | null {
  const parent = thing["parent"] as { subscription_details?: { metadata?: Record<string, unknown> | null } | null } | null | undefined;
  const metadata = thing["metadata"] as Record<string, unknown> | null | undefined;
  return text(thing["client_reference_id"]) ?? text(metadata?.["accountId"]) ?? text(parent?.subscription_details?.metadata?.["accountId"]);
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
