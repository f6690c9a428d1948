/** After a suspension, in which the owner could not pay, an unpaid workspace is kept for another week. */
import type { Connection } from "#platform/database.ts";
import { after } from "#platform/clock.ts";
import { isCancelledEnd } from "./subscription-machine.ts";
import { lockSubscription, writeSubscription } from "./subscription-store.ts";
import { deletionAfterEndMs, timerChanges } from "./subscription-timers.ts";
import { changeTimers } from "./timer-store.ts";

/**
 * A deletion that is due sooner than a week from now is due then, with a new warning before it. One that the owner chose by cancelling keeps
 * its day. In a transaction that locked the subscription before the account.
 */
export async function postponeDeletion(tx: Connection, accountId: string, now: Date): Promise<void> {
  const held = await lockSubscription(tx, accountId);
  const deletionAt = after(now, deletionAfterEndMs);
  if (!held?.deletionAt || held.deletionAt >= deletionAt || isCancelledEnd(held)) return;
  const row = { ...held, deletionAt, warnedAt: null };
  await writeSubscription(tx, held, row);
  await changeTimers(tx, accountId, timerChanges(held, row, now));
}
