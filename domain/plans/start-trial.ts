/** The trial: 14 days from the launch, once per account. */
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { trialDays, trialPlanId } from "./catalogue.ts";
import { insertTrial } from "./plan-store.ts";

/** Starts the trial of the account; a second call changes nothing. */
export async function startTrial(db: Connection, accountId: string, now: Date): Promise<void> {
  await insertTrial(db, accountId, trialPlanId, now, after(now, trialDays * dayMs));
}
