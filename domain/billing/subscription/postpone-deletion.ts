/** After a suspension or a closing, in which the owner could not pay: what becomes of an unpaid workspace. */
import type { Connection } from "#platform/database.ts";
import { after } from "#platform/clock.ts";
import { isCancelledEnd } from "./subscription-machine.ts";
import { stateOf } from "./subscription-states.ts";
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

/**
 * The workspace of an ended plan was deleted for another reason, in this life: from now on it counts as deleted because nobody paid, so that
 * the next payment brings it back with its last backup. Any other subscription stays as it is.
 */
export async function markGone(tx: Connection, accountId: string, life: number, now: Date): Promise<void> {
  const held = await lockSubscription(tx, accountId);
  if (!held || stateOf(held) !== "ended") return;
  const row = { ...held, deletedAt: now, deletedLife: life, deletionAt: null };
  await writeSubscription(tx, held, row);
  await changeTimers(tx, accountId, timerChanges(held, row, now));
}
