/** Something changed here that the provider needs to know. */
import type { Connection } from "#platform/database.ts";
import { findSubscription } from "../subscription/subscription-store.ts";
import { changeTimers } from "../subscription/timer-store.ts";

/**
 * Schedules an immediate check of the account's subscription, in which the worker also tells the provider what is new; does nothing without
 * a subscription. For use in the transaction of the change.
 */
export async function lookAtProvider(tx: Connection, accountId: string, now: Date): Promise<void> {
  const held = await findSubscription(tx, accountId);
  if (held?.provider) await changeTimers(tx, accountId, { arm: [["truth-check", now]], clear: [] });
}
