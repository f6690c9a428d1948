/** The trial: from the launch, once per account, with its timers. */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { subscriptions } from "#database/tables.ts";
import { trialPlanId } from "#domain/plans/catalogue.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { takeTransition } from "./subscription-machine.ts";
import { timerChanges } from "./subscription-timers.ts";
import { changeTimers } from "./timer-store.ts";

/** In the caller's transaction. An account that has or had a subscription keeps it, so an account gets one trial only. */
export async function startTrial(tx: Connection, accountId: string, now: Date): Promise<void> {
  takeTransition("none", "trial started");
  const inserted = await tx
    .insert(subscriptions)
    .values({
      accountId,
      planId: trialPlanId,
      specId: trialPlanId,
      status: "trialing",
      startedAt: now,
      periodStartsAt: now,
      periodEndsAt: after(now, trialDays * dayMs),
    })
    .onConflictDoNothing()
    .returning();
  if (inserted[0]) await changeTimers(tx, accountId, timerChanges(null, inserted[0], now));
}
