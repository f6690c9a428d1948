/**
 * Paddle's webhooks: checks the signature and reads what an event is about. We check signatures ourselves because Paddle's library
 * rejects events after 5 s, accepts future timestamps, and reads only the last of several signatures.
 */
import { z } from "zod";
import { checkHmac, readEventBody } from "../signed-body.ts";
import type { ProviderEvent, ProviderEventKind } from "../payment-provider.ts";

const form = { separator: ";", time: "ts", signature: "h1", joint: ":" };

/** Throws SignatureInvalid unless an `h1` of the header was made with one of the secrets, near `now`. */
export const checkPaddleSignature = (header: string | undefined, secrets: readonly string[], rawBody: Buffer, now: Date): void =>
  checkHmac({ header, form, secrets, rawBody, now });

const event = z.object({
  event_id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(100),
  occurred_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
  data: z.looseObject({ id: z.string().optional() }),
});

const kinds: Readonly<Record<string, ProviderEventKind>> = {
  "transaction.completed": "payment-succeeded",
  "transaction.paid": "checkout",
  "transaction.payment_failed": "payment-failed",
  "transaction.past_due": "payment-failed",
  "adjustment.created": "refund",
  "adjustment.updated": "refund",
  "customer.updated": "customer",
  "payment_method.saved": "customer",
  "payment_method.deleted": "customer",
};

/** Throws SignatureInvalid for a body that Paddle would never send. Unknown types become `other`. */
export function readPaddleEvent(rawBody: Buffer): ProviderEvent {
  const { event_id: id, event_type: type, occurred_at: occurredAt, data } = readEventBody(event, rawBody);
  const isSubscription = type.startsWith("subscription.");
  const custom = data["custom_data"] as Record<string, unknown> | null | undefined;
  return {
    id,
    type,
    kind: isSubscription ? "subscription" : (kinds[type] ?? "other"),
    occurredAt: new Date(occurredAt),
    subscriptionId: isSubscription ? text(data.id) : text(data["subscription_id"]),
    customerId: type.startsWith("customer.") ? text(data.id) : text(data["customer_id"]),
    accountId: text(custom?.["accountId"]),
    payload: { id, type, occurredAt, objectId: data.id ?? null },
  };
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
