/**
 * A customer paid twice: the second subscription is refunded and ended, and the customer is told, each once. A refund that is larger than
 * the operator allows waits for a person, and the second subscription is at least never charged again.
 */
import { formatMoney } from "#contract/billing/money/format-money.ts";
import { digitsOf } from "#contract/billing/money/currency-digits.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { after, hourMs } from "#platform/clock.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { defaultRefundLimit } from "../refund-limit.ts";
import { countCorrection, countCorrectionOnce, isCorrectionKnown } from "../count-correction.ts";
import { ProviderRefusal, RefundTooLarge, type ProviderSubscription } from "#payments/payment-provider.ts";
import { claimAgreedRefunds, closeHeldRefund, findHeldRefund, holdRefund } from "./held-refund-store.ts";

/**
 * Refunds first and ends last, so that after a crash in between the duplicate is found still running and the work continues. If the
 * provider refuses the refund, the duplicate is at least never charged again, and is found again until its period ends. Throws the port's
 * errors, on which the event is retried.
 */
export async function endDuplicate(billing: Billing, accountId: string, duplicate: ProviderSubscription): Promise<void> {
  const refunded = await giveBack(billing, accountId, duplicate);
  if (!refunded) return;
  await billing.settlePayments(accountId, duplicate);
  await tell(billing, accountId, duplicate, refunded);
  await billing.provider.cancelNow(duplicate.id, `duplicate-${duplicate.id}`);
  await closeHeldRefund(billing.db, named(billing, duplicate), billing.clock.now());
}

const named = ({ provider }: Billing, { id }: Pick<ProviderSubscription, "id">) => ({ provider: provider.name, subscriptionId: id });

/** The sum that was refunded; null while a person has not agreed to it. */
async function giveBack(billing: Billing, accountId: string, duplicate: ProviderSubscription): Promise<Money | null> {
  const { id, currency } = duplicate;
  const held = await findHeldRefund(billing.db, named(billing, duplicate));
  // A person has decided about exactly this sum.
  if (held && held.decision !== "refund") return null;
  const limit = (billing.refundLimit ?? defaultRefundLimit) * 10 ** digitsOf(currency);
  try {
    return await billing.provider.refundSubscription(id, `duplicate-refund-${id}`, held?.amount ?? limit);
  } catch (error) {
    if (error instanceof RefundTooLarge) {
      await askPerson(billing, accountId, duplicate, error.wanted);
      return null;
    }
    if (error instanceof ProviderRefusal && !duplicate.cancelAt) {
      await endWithPeriod(billing, duplicate);
      await countCorrection(billing.db, billing, {
        accountId,
        kind: "duplicate-not-refunded",
        detail: `${id} was paid in addition to another subscription, and the provider refuses to refund it: ${error.message}`,
      });
    }
    throw error;
  }
}

/** We sold it, so we may end it: it is never charged again, whatever the person decides about its payment. */
const endWithPeriod = ({ provider }: Billing, { id }: ProviderSubscription) => provider.cancelAtPeriodEnd(id, `duplicate-period-end-${id}`);

async function askPerson(billing: Billing, accountId: string, duplicate: ProviderSubscription, wanted: Money): Promise<void> {
  if (!duplicate.cancelAt) await endWithPeriod(billing, duplicate);
  await billing.db.transaction(async (tx) => {
    const now = billing.clock.now();
    if (!(await holdRefund(tx, { ...named(billing, duplicate), accountId }, wanted, now))) return;
    const detail = `was paid in addition to another subscription: refunding ${formatMoney(wanted)} waits for a person (npm run ops -- refunds)`;
    await countCorrectionOnce(tx, billing, { accountId, kind: "refund-waits", about: duplicate.id, detail }, now);
  });
}

/** What an agreed refund needs at the provider is repeated this often. */
const agreedAgainMs = hourMs;
const agreedAtOnce = 20;

/** Refunds that a person has agreed to. `begin` runs the work for one account. */
export async function refundAgreed(
  billing: Billing,
  begin: (key: string, work: (own: Billing) => Promise<unknown>) => unknown,
): Promise<void> {
  const now = billing.clock.now();
  const agreed = await claimAgreedRefunds(billing.db, billing.provider.name, now, after(now, agreedAgainMs), agreedAtOnce);
  for (const { accountId, subscriptionId } of agreed) {
    begin(`refund of ${subscriptionId}`, async (own) => {
      const duplicate = await own.provider.readSubscription(subscriptionId);
      if (duplicate) await endDuplicate(own, accountId, duplicate);
    });
  }
}

async function tell(billing: Billing, accountId: string, duplicate: ProviderSubscription, refunded: Money): Promise<void> {
  const kind = "duplicate-subscription";
  await changeSubscription(billing, accountId, { actor: theService }, async ({ tx, held, now }) => {
    if (!held || (await isCorrectionKnown(tx, { accountId, kind, about: duplicate.id }))) return { next: null };
    const detail = `${duplicate.id} was paid in addition to another subscription: it ends, and its payment is refunded`;
    return {
      next: {
        row: held,
        effects: [
          { kind: "correction", correction: kind, detail },
          { kind: "audit", action: "subscription.duplicate-refunded" },
          { kind: "mail", name: "duplicate-refunded", at: now, refunded },
        ],
      },
    };
  });
}
