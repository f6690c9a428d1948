/** Writes the provider's state into the account's row, under its lock. The only path from the provider to us. */
import { theService, type Actor, type Billing } from "../billing.ts";
import type { Connection } from "#platform/database.ts";
import { changeSubscription } from "../carry-out.ts";
import { countCorrection } from "../count-correction.ts";
import type { ProviderSubscription } from "#payments/payment-provider.ts";
import { wasSoldHere } from "../purchases/checkout/checkout-store.ts";
import { applyTruth } from "../subscription/subscription-machine.ts";

interface TruthApplied {
  kind: "applied" | "ignored" | "duplicate" | "not-ours";
  changed: boolean;
}

/**
 * A state older than ours changes nothing. Neither does another subscription beside the account's: the caller ends a duplicate at the
 * provider, and leaves alone what is not ours.
 */
export async function applyProviderTruth(
  billing: Billing,
  accountId: string,
  truth: ProviderSubscription,
  actor: Actor = theService,
): Promise<TruthApplied> {
  const { kind, changed } = await changeSubscription(billing, accountId, { actor }, async ({ tx, held, plans, now }) => {
    const { name: provider } = billing.provider;
    const soldHere = await wasSoldHere(tx, provider, truth.id);
    const outcome = applyTruth({ accountId, held, provider, truth, soldHere, plans, now });
    if (outcome.kind === "applied") return { kind: outcome.kind, next: outcome };
    const correction = outcome.kind === "ignored" ? outcome.correction : null;
    return {
      kind: outcome.kind,
      next: null,
      also: async (tx: Connection) => correction && countCorrection(tx, billing, { accountId, ...correction }),
    };
  });
  return { kind, changed };
}
