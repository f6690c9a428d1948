/** What stands in the way of closing an account: money that is owed, or may still come or go. */
import { and, desc, eq, gt, inArray, isNull, isNotNull, or } from "drizzle-orm";
import type { ClosingBlocker } from "#contract/accounts/closing.ts";
import { accounts, billingFindings, checkouts, heldRefunds, invoices, payments } from "#database/tables.ts";
import { pageLifeMs } from "#domain/billing/purchases/checkout/checkout-store.ts";
import { isSold, stateOf } from "#domain/billing/subscription/subscription-states.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { after } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";

export interface Blocker {
  kind: ClosingBlocker;
  /** When it ends without anybody doing anything; null: it does not. */
  until: Date | null;
}

/**
 * Each kind once. What was read stays true until the transaction ends if it locked the subscription and the account before: a purchase needs
 * one of these. Outside of a transaction it is for display only.
 */
export async function readBlockers(db: Connection, accountId: string, now: Date): Promise<Blocker[]> {
  const [account] = await db
    .select({ since: accounts.suspendedAt, until: accounts.suspendedUntil })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return [...(account?.since ? [{ kind: "suspension" as const, until: account.until }] : []), ...(await ofMoney(db, accountId, now))];
}

async function ofMoney(db: Connection, accountId: string, now: Date): Promise<Blocker[]> {
  const blockers: Blocker[] = [];
  const block = (kind: ClosingBlocker, until: Date | null = null) => blockers.push({ kind, until });
  const subscription = await findSubscription(db, accountId);
  if (subscription && isSold(stateOf(subscription))) block("subscription", subscription.cancelAt);
  // One that the provider no longer keeps open may have been paid at its last moment: until its outcome is read, it counts as well.
  const [page] = await db
    .select({ createdAt: checkouts.createdAt })
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), or(inArray(checkouts.state, ["open", "closing"]), isBeingOpened(now))))
    .orderBy(desc(checkouts.createdAt))
    .limit(1);
  const until = page && after(page.createdAt, pageLifeMs);
  if (until) block("checkout", until > now ? until : null);
  const stands = async (status: "open" | "disputed") =>
    (
      await db
        .select({ id: invoices.id })
        .from(invoices)
        .where(and(eq(invoices.accountId, accountId), eq(invoices.status, status)))
        .limit(1)
    ).length > 0;
  const isPending = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.accountId, accountId), eq(payments.status, "pending")))
    .limit(1);
  if ((await stands("open")) || isPending.length > 0) block("invoice");
  if (await stands("disputed")) block("dispute");
  if (await waitsForOperator(db, accountId)) block("refund");
  return blockers;
}

/** A reservation that a dead process left has no outcome that anything would read, and nobody has its address. */
const isBeingOpened = (now: Date) => and(eq(checkouts.state, "opening"), gt(checkouts.createdAt, after(now, -pageLifeMs)));

/** A refund that is not decided or not made, or money at the provider that nobody has explained. */
async function waitsForOperator(db: Connection, accountId: string): Promise<boolean> {
  const refund = await db
    .select({ id: heldRefunds.subscriptionId })
    .from(heldRefunds)
    .where(and(eq(heldRefunds.accountId, accountId), or(isNull(heldRefunds.decision), isNotNull(heldRefunds.runAt))))
    .limit(1);
  const finding = await db
    .select({ id: billingFindings.objectId })
    .from(billingFindings)
    .where(and(eq(billingFindings.accountId, accountId), isNull(billingFindings.closedAt)))
    .limit(1);
  return refund.length > 0 || finding.length > 0;
}
