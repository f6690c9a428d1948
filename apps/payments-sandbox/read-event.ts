/** From a signed body of the sandbox to an event of the port. */
import { z } from "zod";
import type { ProviderEvent, ProviderEventKind } from "#domain/billing/payment-provider.ts";
import { SignatureInvalid } from "#domain/billing/payment-provider.ts";

const body = z.object({
  id: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  occurredAt: z.iso.datetime(),
  data: z.looseObject({ subscriptionId: z.string().nullable().default(null), customerId: z.string().nullable().default(null), accountId: z.string().nullable().default(null) }),
});

const kinds: Readonly<Record<string, ProviderEventKind>> = {
  "checkout.completed": "checkout",
  "payment.succeeded": "payment-succeeded",
  "payment.failed": "payment-failed",
  "payment.action_required": "payment-action-required",
  "payment.refunded": "refund",
  "customer.updated": "customer",
};

/** Throws SignatureInvalid for a body that no sandbox would send. Types we don't know are `other`. */
export function readEvent(rawBody: Buffer): ProviderEvent {
  const parsed = body.safeParse(parseJson(rawBody));
  if (!parsed.success) throw new SignatureInvalid("The body is not an event.");
  const { id, type, occurredAt, data } = parsed.data;
  const { subscriptionId, customerId, accountId } = data;
  const known = /^subscription\.(created|updated|past_due|paused|resumed|canceled)$/.test(type) ? "subscription" : kinds[type];
  return { id, type, kind: known ?? "other", occurredAt: new Date(occurredAt), subscriptionId, customerId, accountId, payload: parsed.data };
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString("utf8"));
  } catch {
    return undefined;
  }
}
