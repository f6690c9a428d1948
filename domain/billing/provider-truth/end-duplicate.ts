/** A customer paid twice: the second subscription is refunded and ended, and the customer is told, each once. */
import { and, eq, sql } from "drizzle-orm";
import { corrections } from "#database/tables.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { countCorrection } from "../count-correction.ts";
import { ProviderRefusal, type ProviderSubscription } from "#payments/payment-provider.ts";

/**
 * Refunds first and ends last, so that after a crash in between the duplicate is found still running and the work continues. If the
 * provider refuses the refund, the duplicate is at least never charged again, and is found again until its period ends. Throws the port's
 * errors, on which the event is retried.
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
        detail: `${id} was paid in addition to another subscription, and the provider refuses to refund it: ${error.message}`,
      });
    }
    throw error;
  }
}

async function tell(billing: Billing, accountId: string, duplicate: ProviderSubscription, refunded: Money): Promise<void> {
  const detail = `${duplicate.id} was paid in addition to another subscription: it ends, and its payment is refunded`;
  await changeSubscription(billing, accountId, { actor: theService }, async ({ tx, held, now }) => {
    const known = await tx
      .select({ id: corrections.id })
      .from(corrections)
      .where(
        and(
          eq(corrections.accountId, accountId),
          eq(corrections.kind, "duplicate-subscription"),
          sql`starts_with(${corrections.detail}, ${`${duplicate.id} `})`,
        ),
      )
      .limit(1);
    if (!held || known[0]) return { next: null };
    return {
      next: {
        row: held,
        effects: [
          { kind: "correction", correction: "duplicate-subscription", detail },
          { kind: "audit", action: "subscription.duplicate-refunded" },
          { kind: "mail", name: "duplicate-refunded", at: now, refunded },
        ],
      },
    };
  });
}
