/** What resubscribing does and charges, for a preview. */
import type { PriceLine, ResubscribePreview } from "#contract/billing/billing.ts";
import { say } from "#contract/sentences/say.ts";
import { AppError } from "#platform/app-error.ts";
import { findLastBackup } from "#domain/backups/last-backup.ts";
import { startsAnew } from "#domain/workspaces/desired/set-desired-state.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { askProvider } from "../ask-provider.ts";
import type { Billing } from "../billing.ts";
import type { ChangeQuote, ProviderCard } from "#payments/payment-provider.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { purchaseOf, type PlanFacts, type Plans, type Quotas } from "#domain/plans/plan-facts.ts";
import { readChoice } from "./read-choice.ts";
import { expiryOf, sealResumeQuote } from "./sealed-quote.ts";
import { isArranged, keptQuotas, stateOf, unpaidTime, type SubscriptionRow } from "../subscription/subscription-states.ts";
import { findSubscription } from "../subscription/subscription-store.ts";
import { syncSubscription } from "../provider-truth/sync-subscription.ts";

/** The contract's preview, with the card as the provider describes it. */
type ResubscribeQuote = Omit<ResubscribePreview, "card"> & { card: ProviderCard | null };

/** Why a plan without a price can neither be quoted nor renewed. */
export const arrangedRenewal = "We set up your plan for you. Please contact support to renew it.";

/** Refuses (AppError) subscription_not_found if there was never a payment, plan_withdrawn, plan_not_found, payments_unavailable. */
export async function quoteResubscribe(billing: Billing, accountId: string): Promise<ResubscribeQuote> {
  const held = await readEnding(billing, accountId);
  if (held && isArranged(held)) throw new AppError("subscription_not_found", { detail: arrangedRenewal });
  const plans = await readPlans(billing.db);
  const state = stateOf(held);
  if (!held || ((state === "ended" || state === "gone") && held.provider === null)) throw new AppError("subscription_not_found");
  if (state === "ended" || state === "gone") return atCheckout(billing, held, plans);
  // A trial is not charged, and a debt has its own call.
  if (state === "trial" || state === "past-due") return shape(billing, held, plans, { way: "keep", card: null, quote: null });
  if (held.provider !== billing.provider.name)
    throw new AppError("payments_unavailable", { internal: `the subscription is at ${held.provider}` });
  const id = held.providerSubscriptionId!;
  const [quote, truth] = await askProvider(
    () => Promise.all([billing.provider.previewResume(id, unpaidTime(held, billing.clock.now())), billing.provider.readSubscription(id)]),
    undefined,
    "payments_unavailable",
  );
  const found = { card: truth?.card ?? null, quote };
  if (state !== "paused") return shape(billing, held, plans, { way: "keep", ...found });
  return { ...shape(billing, held, plans, { way: "charge", ...found }), ...(await readProspect(billing, held)) };
}

/** The subscription. If its paid period is over it is checked first, since it may already have ended at the provider. */
export async function readEnding(billing: Billing, accountId: string): Promise<SubscriptionRow | null> {
  const held = await findSubscription(billing.db, accountId);
  const isOver = held?.provider === billing.provider.name && stateOf(held) === "cancelling" && held.cancelAt! <= billing.clock.now();
  if (!isOver) return held;
  await askProvider(() => syncSubscription(billing, accountId), undefined, "payments_unavailable");
  return findSubscription(billing.db, accountId);
}

async function atCheckout(billing: Billing, held: SubscriptionRow, plans: Plans): Promise<ResubscribeQuote> {
  const currency = held.currency ?? "USD";
  const prospect = await readProspect(billing, held);
  const { plan, quotas } = readChoice(plans, { planId: held.planId, quotas: keptQuotas(held) }, currency, held.planId);
  const lines = listPrice(plan, quotas, currency);
  const dueNow = { amount: lines.reduce((sum, { amount }) => sum + amount.amount, 0), currency };
  return { ...shape(billing, held, plans, { way: "checkout", card: null, quote: null }), ...prospect, lines, dueNow };
}

/** What a new payment starts. The workspace is locked by no one here: the payment decides it again. */
async function readProspect({ db, clock }: Billing, held: SubscriptionRow): Promise<Pick<ResubscribeQuote, "workspace" | "lastBackup">> {
  const workspace = await findWorkspace(db, held.accountId);
  if (!workspace || !startsAnew(workspace)) return { workspace: workspace ? "kept" : "empty", lastBackup: null };
  const last =
    held.deletedLife === null ? null : await findLastBackup(db, { accountId: held.accountId, life: held.deletedLife }, clock.now());
  return last
    ? { workspace: "restored", lastBackup: { madeAt: last.createdAt.toISOString(), keptUntil: last.keptUntil!.toISOString() } }
    : { workspace: "empty", lastBackup: null };
}

interface Found {
  way: ResubscribePreview["way"];
  card: ProviderCard | null;
  quote: ChangeQuote | null;
}

function shape(billing: Billing, held: SubscriptionRow, plans: Plans, { way, card, quote }: Found): ResubscribeQuote {
  const at = quote?.quotedAt ?? billing.clock.now();
  const dueNow = quote?.dueNow ?? { amount: 0, currency: held.currency ?? "USD" };
  const [quotedAt, expiresAt] = [at.toISOString(), expiryOf(at).toISOString()];
  return {
    previewId: sealResumeQuote(billing.secrets, { accountId: held.accountId, version: held.version, quotedAt, dueNow, expiresAt }),
    quotedAt,
    expiresAt,
    way,
    workspace: "kept",
    lastBackup: null,
    planId: held.planId,
    planName: plans.get(held.planId)?.name ?? held.planId,
    lines: quote ? [...quote.lines] : [],
    tax: quote?.tax ?? null,
    dueNow,
    card,
    nextPayment: quote && { at: quote.nextRenewal.at.toISOString(), amount: quote.nextRenewal.amount },
  };
}

/** The plan and the extra units, in minor units of `currency`; for a plan sold in that currency. */
function listPrice(plan: PlanFacts, quotas: Quotas | null, currency: string): PriceLine[] {
  const { extraExecutionUnits, extraWorkflowUnits } = purchaseOf(plan, quotas);
  const line = (label: string, quantity: number, price: number): PriceLine => ({
    label,
    quantity,
    amount: { amount: quantity * price, currency },
    isProration: false,
  });
  const { monthlyExecutions, activeWorkflows } = plan.customQuotas ?? {};
  return [
    line(plan.name, 1, plan.recurringPrice[currency] ?? 0),
    line(say("executionUnits", { count: monthlyExecutions?.per ?? 0 }), extraExecutionUnits, monthlyExecutions?.price[currency] ?? 0),
    line(say("workflowUnits"), extraWorkflowUnits, activeWorkflows?.price[currency] ?? 0),
  ].filter(({ quantity }) => quantity > 0);
}
