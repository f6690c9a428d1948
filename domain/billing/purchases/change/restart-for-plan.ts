import { requestRestart, writeJournal } from "#domain/workspaces/workspace-store.ts";
import type { Billing } from "../../billing.ts";
import type { OpenChange } from "./open-change.ts";
import { changesStart } from "./quote-change.ts";

/** The customer agreed to a restart with the change: the workspace gets what its plan includes now, and not at some later start. */
export async function restartForPlan(billing: Billing, accountId: string, change: OpenChange): Promise<void> {
  if (!changesStart(billing, change)) return;
  const { db, clock } = billing;
  await db.transaction(async (tx) => {
    const restarted = await requestRestart(tx, accountId, clock.now());
    if (restarted)
      await writeJournal(
        tx,
        restarted.id,
        { event: "plan-restart", message: "The workspace restarts to apply its new plan." },
        clock.now(),
      );
  });
}
