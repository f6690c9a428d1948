/**
 * What happens to subscriptions over time: they renew, retry failed payments, pause and end. Each step runs in its own
 * transaction, as of the time it was due, so a clock that jumps a year causes twelve renewals in order, each once.
 */
import type { Database } from "#platform/database.ts";
import { passTo } from "../ledger/ledger.ts";
import { accountOf, carryOutAll } from "./carry-out.ts";
import { findDueSubscription, holdSubscription } from "./sandbox-rows.ts";

/** Does everything due at `now`; resolves with the number of steps. */
export async function runDue(db: Database, now: Date): Promise<number> {
  let steps = 0;
  while (await runOneStep(db, now)) steps += 1;
  return steps;
}

async function runOneStep(db: Database, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const id = await findDueSubscription(tx, now);
    if (id === undefined) return false;
    const account = await accountOf(tx, await holdSubscription(tx, id));
    const at = account.subscription.dueAt!;
    await carryOutAll(tx, account, passTo(account, at), { at, now });
    return true;
  });
}
