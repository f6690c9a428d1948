/** Reads the sandbox's signed body into an event of the port. */
import { z } from "zod";
import type { ProviderEvent, ProviderEventKind } from "../../payment-provider.ts";
import { readEventBody } from "../../signed-body.ts";

const event = z.object({
  id: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  occurredAt: z.iso.datetime(),
  data: z.looseObject({
    subscriptionId: z.string().nullable().default(null),
    customerId: z.string().nullable().default(null),
    accountId: z.string().nullable().default(null),
  }),
});

const kinds: Readonly<Record<string, ProviderEventKind>> = {
  "checkout.completed": "checkout",
  "payment.succeeded": "payment-succeeded",
  "payment.failed": "payment-failed",
  "payment.action_required": "payment-action-required",
  "payment.refunded": "refund",
  "payment.disputed": "refund",
  "customer.updated": "customer",
};

/** Throws SignatureInvalid for a body that the sandbox would never send. Unknown types become `other`. */
export function readEvent(rawBody: Buffer): ProviderEvent {
  const payload = readEventBody(event, rawBody);
  const { id, type, occurredAt, data } = payload;
  const { subscriptionId, customerId, accountId } = data;
  const known = /^subscription\.(created|updated|past_due|paused|resumed|canceled)$/.test(type) ? "subscription" : kinds[type];
  return { id, type, kind: known ?? "other", occurredAt: new Date(occurredAt), subscriptionId, customerId, accountId, payload };
}
