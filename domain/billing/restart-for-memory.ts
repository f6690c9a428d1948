import { requestRestart, writeJournal } from "#domain/workspaces/workspace-store.ts";
import type { Billing } from "./billing.ts";
import type { OpenChange } from "./open-change.ts";

/** The customer agreed to a restart with the change: the workspace gets its memory now, and not at some later start. */
export async function restartForMemory({ db, clock }: Billing, accountId: string, { from, to }: OpenChange): Promise<void> {
  if (to.plan.spec.memoryMb === undefined || from.plan.spec.memoryMb === to.plan.spec.memoryMb) return;
  await db.transaction(async (tx) => {
    const restarted = await requestRestart(tx, accountId, clock.now());
    if (restarted) await writeJournal(tx, restarted.id, { event: "plan-restart", message: "The workspace restarts to get the memory of its new plan." }, clock.now());
  });
}
