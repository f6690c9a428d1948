/**
 * What an account's row becomes if all its subscriptions at the provider are read at once. Pure; nothing is ended or refunded here: of two
 * that are paid, a person decides.
 */
import type { PaymentProviderName, ProviderSubscription } from "#payments/payment-provider.ts";
import type { Plans } from "#domain/plans/plan-facts.ts";
import { applyTruth, type Effect } from "../subscription/subscription-machine.ts";
import type { SubscriptionFields } from "../subscription/subscription-states.ts";

export interface SettledTruths<Row extends SubscriptionFields> {
  /** `held` itself if there was nothing to take over. */
  row: Row | SubscriptionFields | null;
  effects: Effect[];
  /** Subscriptions that may charge and were not taken over, and why: `second-subscription`, or the kind of a correction. */
  left: { truth: ProviderSubscription; why: string }[];
}

/**
 * The subscription that the row names first, so that one which has ended makes room for its successor; then the others, oldest first.
 */
export function settleTruths<Row extends SubscriptionFields>(given: {
  accountId: string;
  held: Row | null;
  provider: PaymentProviderName;
  truths: readonly ProviderSubscription[];
  /** The ids of those that were bought at a page of ours, as far as the database remembers. */
  soldHere: ReadonlySet<string>;
  plans: Plans;
  now: Date;
}): SettledTruths<Row> {
  const { accountId, held, provider, truths, soldHere, plans, now } = given;
  const settled: SettledTruths<Row> = { row: held, effects: [], left: [] };
  for (const truth of inOrder(held, truths)) {
    const outcome = applyTruth({ accountId, held: settled.row, provider, truth, soldHere: soldHere.has(truth.id), plans, now });
    if (outcome.kind === "applied") {
      settled.row = outcome.row;
      settled.effects.push(...outcome.effects);
    } else if (outcome.kind === "duplicate" || (outcome.kind === "not-ours" && truth.purchase))
      settled.left.push({ truth, why: "second-subscription" });
    else if (outcome.kind === "not-ours") settled.left.push({ truth, why: "was not sold here" });
    else if (outcome.correction) settled.left.push({ truth, why: outcome.correction.kind });
  }
  // Such as one that is past due, for which the machine brings nothing back.
  for (const truth of truths)
    if (
      mayCharge.has(truth.status) &&
      truth.id !== settled.row?.providerSubscriptionId &&
      !settled.left.some(({ truth: { id } }) => id === truth.id)
    )
      settled.left.push({ truth, why: `is ${truth.providerStatus} and nobody's plan` });
  return settled;
}

const mayCharge: ReadonlySet<ProviderSubscription["status"]> = new Set(["active", "trialing", "past_due", "paused"]);

function inOrder(held: SubscriptionFields | null, truths: readonly ProviderSubscription[]): ProviderSubscription[] {
  const isHeld = ({ id }: ProviderSubscription) => Number(id === held?.providerSubscriptionId);
  return truths.toSorted(
    (one, other) =>
      isHeld(other) - isHeld(one) || one.periodStartsAt.getTime() - other.periodStartsAt.getTime() || (one.id < other.id ? -1 : 1),
  );
}
