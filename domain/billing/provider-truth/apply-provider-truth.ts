/** Writes what the provider says into the account's row, under its lock. The only way from the provider to us. */
import { theService, type Actor, type Billing } from "../billing.ts";
import { countCorrection } from "../count-correction.ts";
import type { ProviderSubscription } from "#payments/payment-provider.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { applyTruth } from "../subscription/subscription-machine.ts";
import { lockSubscription, saveSubscription } from "../subscription/subscription-store.ts";

export interface TruthApplied {
  kind: "applied" | "ignored" | "duplicate";
  changed: boolean;
}

/** Older truth than is held changes nothing. A duplicate changes nothing here either: the caller ends it at the provider. */
export async function applyProviderTruth(
  billing: Billing,
  accountId: string,
  truth: ProviderSubscription,
  actor: Actor = theService,
): Promise<TruthApplied> {
  return billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    const plans = await readPlans(tx);
    const outcome = applyTruth({ accountId, held, provider: billing.provider.name, truth, plans, now: billing.clock.now() });
    if (outcome.kind === "applied")
      return { kind: "applied", changed: await saveSubscription(tx, { billing, accountId, held, next: outcome, plans, actor }) };
    if (outcome.kind === "ignored" && outcome.correction) await countCorrection(tx, billing, { accountId, ...outcome.correction });
    return { kind: outcome.kind, changed: false };
  });
}
