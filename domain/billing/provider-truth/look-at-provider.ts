/** Something changed here that the provider has to hear of. */
import type { Connection } from "#platform/database.ts";
import { findSubscription } from "../subscription/subscription-store.ts";
import { changeTimers } from "../subscription/timer-store.ts";

/** Looks at the account's subscription at the provider now, in the worker, and tells what is new here; nothing where there is none. For the transaction of the change. */
export async function lookAtProvider(tx: Connection, accountId: string, now: Date): Promise<void> {
  const held = await findSubscription(tx, accountId);
  if (held?.provider) await changeTimers(tx, accountId, { arm: [["truth-check", now]], clear: [] });
}
