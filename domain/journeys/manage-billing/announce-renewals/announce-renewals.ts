/**
 * Tells customers ahead of time that a plan renews and what it will cost, where a period is longer than a month: a year after the
 * purchase, a charge of a thousand euros must not be a surprise. Only where we are the seller: other sellers send their own notices.
 */
import { findOwner } from "#domain/accounts/credential-store.ts";
import type { Billing } from "#domain/billing/billing.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { renewalMail } from "#domain/mail/templates/billing/receipt-mail.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import { readNextPayment } from "../read-next-payment.ts";
import { listRenewals, markAnnounced, type ComingRenewal } from "./renewal-store.ts";

const mailsAtOnce = 100;

type Announcing = Billing & {
  /** How long before a renewal it is announced; 0: never. */
  renewalNoticeDays: number;
};

/** Mails each owner once per renewal; never rejects. A renewal whose price the provider does not tell now is tried again. */
export async function announceRenewals(parts: Announcing): Promise<void> {
  const { db, clock, log, provider, renewalNoticeDays } = parts;
  if (provider.isSeller || renewalNoticeDays === 0) return;
  try {
    const now = clock.now();
    const until = after(now, renewalNoticeDays * dayMs);
    for (const renewal of await listRenewals(db, provider.name, { now, until, most: mailsAtOnce })) {
      try {
        await announce(parts, renewal);
      } catch (error) {
        log.warn({ err: error, accountId: renewal.accountId }, "a renewal could not be announced; the next sweep will retry");
      }
    }
  } catch (error) {
    log.error({ err: error }, "renewals could not be announced; the next sweep will retry");
  }
}

async function announce(parts: Announcing, { accountId, renewsAt, planId }: ComingRenewal): Promise<void> {
  const { db, clock, publicUrl } = parts;
  const owner = await findOwner(db, accountId);
  const next = await readNextPayment(parts, accountId);
  // Credit may pay all of it: then nothing is charged.
  if (!owner || !next || next.amount.amount <= 0) return;
  const planName = (await readPlans(db)).get(planId)?.name ?? planId;
  const { email, fullName, language, timezone, accountName } = owner;
  const mail = await renewalMail(
    { email, fullName, language, timezone, accountName, planName, at: renewsAt, total: next.amount },
    publicUrl,
  );
  await db.transaction(async (tx) => {
    // What the mail says must hold when it is queued: the owner may have cancelled or changed the plan meanwhile.
    const held = await lockSubscription(tx, accountId);
    const renews = held?.status === "active" && !held.cancelAt && held.periodEndsAt?.getTime() === renewsAt.getTime();
    if (!renews || (held.scheduledPlanId ?? held.planId) !== planId) return;
    if (await markAnnounced(tx, { accountId, renewsAt })) await queueMail(tx, mail, clock.now());
  });
}
