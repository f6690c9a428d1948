/** Events: written in the same transaction as the change they report, delivered later (deliver-webhooks.ts). */
import { sandboxWebhooks } from "#database/tables.ts";
import { after } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { sql } from "drizzle-orm";
import { readControls } from "./webhook-controls.ts";
import { sandboxId } from "../sandbox-rows.ts";

export type SandboxEventType =
  | "checkout.completed"
  | "subscription.created"
  | "subscription.updated"
  | "subscription.past_due"
  | "subscription.paused"
  | "subscription.resumed"
  | "subscription.canceled"
  | "payment.succeeded"
  | "payment.failed"
  | "payment.action_required"
  | "payment.refunded"
  | "payment.disputed"
  | "customer.updated";

/** Wakes the delivery loop in any process. */
export const webhookQueuedChannel = "sandbox_webhook";

interface EventSubject {
  subscriptionId?: string | undefined;
  customerId: string;
  accountId: string;
}

/** A webhook's body: only ids, since the current state is read again. */
export interface EventPayload {
  id: string;
  type: string;
  occurredAt: string;
  data: { subscriptionId: string | null; customerId: string | null; accountId: string | null } & Record<string, unknown>;
}

/** Two times: when the event happened, and the service's current time, from which a tester's delay counts. */
export interface Moment {
  at: Date;
  now: Date;
}

/** Queues an event as the tester's controls require: late, twice, or not at all. */
export async function emitEvent(
  tx: Connection,
  type: SandboxEventType | (string & {}),
  subject: EventSubject,
  { at, now }: Moment,
  more: Record<string, unknown> = {},
): Promise<string> {
  const controls = await readControls(tx);
  const id = sandboxId("evt");
  const payload: EventPayload = {
    id,
    type,
    occurredAt: at.toISOString(),
    data: { subscriptionId: subject.subscriptionId ?? null, customerId: subject.customerId, accountId: subject.accountId, ...more },
  };
  await tx.insert(sandboxWebhooks).values({
    id,
    type,
    payload,
    occurredAt: at,
    dueAt: controls.drop ? null : after(now, controls.delaySeconds * 1000),
    droppedAt: controls.drop ? now : null,
    copies: controls.duplicate ? 2 : 1,
  });
  await tx.execute(sql`select pg_notify(${webhookQueuedChannel}, '')`);
  return id;
}
