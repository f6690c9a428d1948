/** Somebody paid twice: the second subscription's money goes back, it ends, and its payer is told, each once. */
import { and, eq } from "drizzle-orm";
import { corrections } from "#database/tables.ts";
import type { Money } from "#contract/billing/money.ts";
import { theService, type Billing } from "../billing.ts";
import { countCorrection } from "../count-correction.ts";
import { ProviderRefusal, type ProviderSubscription } from "#payments/payment-provider.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { lockSubscription, saveSubscription } from "../subscription/subscription-store.ts";

/**
 * The money first and the end last: whoever dies between finds the duplicate running, and goes on. Where the provider refuses to give
 * the money back, the duplicate is at least never charged again, and is found until its period ends. Throws the port's errors, on which
 * the event is tried again.
 */
export async function endDuplicate(billing: Billing, accountId: string, duplicate: ProviderSubscription): Promise<void> {
  const refunded = await giveBack(billing, accountId, duplicate);
  await billing.settlePayments(accountId, duplicate);
  await tell(billing, accountId, duplicate, refunded);
  await billing.provider.cancelNow(duplicate.id, `duplicate-${duplicate.id}`);
}

async function giveBack(billing: Billing, accountId: string, { id, cancelAt }: ProviderSubscription): Promise<Money> {
  try {
    return await billing.provider.refundSubscription(id, `duplicate-refund-${id}`);
  } catch (error) {
    if (error instanceof ProviderRefusal && !cancelAt) {
      await billing.provider.cancelAtPeriodEnd(id, `duplicate-period-end-${id}`);
      await countCorrection(billing.db, billing, {
        accountId,
        kind: "duplicate-not-refunded",
        detail: `${id} was paid beside another one, and the provider does not give it back: ${error.message}`,
      });
    }
    throw error;
  }
}

async function tell(billing: Billing, accountId: string, duplicate: ProviderSubscription, refunded: Money): Promise<void> {
  await billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    const detail = `${duplicate.id} was paid beside another one: it ends, and its payment goes back`;
    const known = await tx
      .select({ id: corrections.id })
      .from(corrections)
      .where(and(eq(corrections.accountId, accountId), eq(corrections.kind, "duplicate-subscription"), eq(corrections.detail, detail)))
      .limit(1);
    if (!held || known[0]) return;
    await countCorrection(tx, billing, { accountId, kind: "duplicate-subscription", detail });
    const effects = [
      { kind: "audit" as const, action: "subscription.duplicate-refunded" },
      { kind: "mail" as const, name: "duplicate-refunded" as const, at: billing.clock.now(), refunded },
    ];
    await saveSubscription(tx, { billing, accountId, held, next: { row: held, effects }, plans: await readPlans(tx), actor: theService });
  });
}
