/** The states of a subscription and their transitions: data, so that a test can walk them all. */
import type { Quotas } from "#domain/plans/plan-facts.ts";
import type { subscriptions } from "#database/tables.ts";
import type { ProviderSubscription, UnpaidTime } from "#payments/payment-provider.ts";
import { mostPastDueDays } from "#contract/billing/plans/plan-days.ts";
import { after, dayMs } from "#platform/clock.ts";

export type SubscriptionRow = typeof subscriptions.$inferSelect;
/** Everything the machine decides; the store sets the version. */
export type SubscriptionFields = Omit<SubscriptionRow, "version">;

/**
 * `trial`: ours, unpaid. `cancelling`: paid, and ends with the period. `ended`: over; the workspace is stopped and waits
 * for its deletion. `gone`: the workspace was deleted. The API's `deleted` covers the last two. A plan that an operator arranged with
 * the customer has no provider: it is `active` without an end, and `cancelling` with one.
 */
export const subscriptionStates = ["none", "trial", "active", "cancelling", "past-due", "paused", "ended", "gone"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** What the provider can report, and which timers can be due here. */
export const happenings = [
  "trial started",
  "trial extended",
  "plan assigned",
  "truth active",
  "truth cancelling",
  "truth past-due",
  "truth paused",
  "truth ended",
  "truth unknown",
  "trial-end due",
  "arranged-end due",
  "deletion due",
] as const;
export type Happening = (typeof happenings)[number];

const fromProvider = {
  "truth active": "active",
  "truth cancelling": "cancelling",
  "truth past-due": "past-due",
} as const;
/** A subscription that is not ours yet is taken over only if it runs. */
const takeOver = { ...fromProvider, "plan assigned": "active" } as const;
const held = { ...fromProvider, "truth paused": "paused", "truth ended": "ended", "truth unknown": null, "plan assigned": null } as const;

/** An operator may end a plan without an end, too. */
const arranged = { ...held, "arranged-end due": "ended" } as const;

/** The state that each event leads to; null: deliberately no change. An unlisted event changes nothing and is never expected. */
export const transitions: Readonly<Record<SubscriptionState, Partial<Record<Happening, SubscriptionState | null>>>> = {
  none: { ...takeOver, "trial started": "trial" },
  // An old subscription of the same customer does not affect the trial.
  trial: {
    ...takeOver,
    "truth paused": null,
    "truth ended": null,
    "truth unknown": null,
    "trial extended": "trial",
    "trial-end due": "ended",
  },
  active: arranged,
  cancelling: arranged,
  "past-due": held,
  // An unpaid attempt to resume changes nothing: it stays stopped, and its deletion keeps its date.
  paused: { ...held, "truth past-due": "paused", "deletion due": "gone" },
  ended: {
    ...takeOver,
    "truth paused": null,
    "truth ended": null,
    "truth unknown": null,
    "trial extended": "trial",
    "deletion due": "gone",
  },
  // A customer who pays again gets a workspace again; a failed attempt brings nothing back.
  gone: { ...takeOver, "truth past-due": null, "truth paused": null, "truth ended": null, "truth unknown": null },
};

/** The state of a row; `none` without one. */
export function stateOf(row: Pick<SubscriptionFields, "status" | "provider" | "deletedAt" | "cancelAt"> | null): SubscriptionState {
  if (!row) return "none";
  if (row.deletedAt) return "gone";
  switch (row.status) {
    case "trialing":
      return row.provider === null ? "trial" : row.cancelAt ? "cancelling" : "active";
    case "active":
      return row.cancelAt ? "cancelling" : "active";
    case "past_due":
      return "past-due";
    case "paused":
      return "paused";
    case "deleted":
      return "ended";
  }
}

const mostPastDueMs = mostPastDueDays * dayMs;

/**
 * The event that the provider's state corresponds to. A subscription that was never paid counts as none. A provider may leave a debt open
 * for ever: after a while it counts as paused here, and goes on with the payment.
 */
export function truthHappening(truth: Pick<ProviderSubscription, "status" | "cancelAt" | "pastDueAt">, now: Date): Happening {
  switch (truth.status) {
    case "active":
    case "trialing":
      return truth.cancelAt ? "truth cancelling" : "truth active";
    case "past_due":
      return truth.pastDueAt && after(truth.pastDueAt, mostPastDueMs) <= now ? "truth paused" : "truth past-due";
    case "paused":
      return "truth paused";
    case "deleted":
      return "truth ended";
    case "pending":
    case "unknown":
      return "truth unknown";
  }
}

const runningStates: ReadonlySet<SubscriptionState> = new Set(["trial", "active", "cancelling", "past-due"]);
/** Whether the workspace of an account in this state runs. */
export const isRunning = (state: SubscriptionState): boolean => runningStates.has(state);

/** Whether an operator assigned the plan, which is billed outside any provider. */
export const isArranged = (row: Pick<SubscriptionFields, "provider" | "status" | "deletedAt" | "cancelAt">): boolean =>
  row.provider === null && isSold(stateOf(row));

/** Paused because somebody asked for it: nothing is owed, so nothing is deleted. A pause after failed payments has a day of deletion. */
export const isPauseRequested = (row: Pick<SubscriptionFields, "status" | "deletedAt" | "deletionAt">): boolean =>
  row.status === "paused" && row.deletedAt === null && row.deletionAt === null;

/** What was used of a period that was never paid, until the workspace stopped for it. */
export function unpaidTime({ status, unpaidFrom, pausedAt }: SubscriptionFields, now: Date): UnpaidTime | null {
  if (status !== "paused" || !unpaidFrom || !pausedAt) return null;
  const to = pausedAt < now ? pausedAt : now;
  return unpaidFrom < to ? { from: unpaidFrom, to } : null;
}

const payingStates: ReadonlySet<SubscriptionState> = new Set(["active", "cancelling", "past-due", "paused"]);
/** Whether there is a subscription that is paid or owed. */
export const isSold = (state: SubscriptionState): boolean => payingStates.has(state);

export const nothingScheduled = {
  scheduledPlanId: null,
  scheduledFromPlanId: null,
  scheduledExecutions: null,
  scheduledWorkflows: null,
  scheduledAt: null,
  scheduledToldAt: null,
} as const;
export const nothingPending = {
  pendingPlanId: null,
  pendingExecutions: null,
  pendingWorkflows: null,
  pendingKey: null,
  pendingAt: null,
} as const;

/** The custom quotas that a row holds; null: its plan's own. */
export const keptQuotas = ({
  customExecutions,
  customWorkflows,
}: Pick<SubscriptionFields, "customExecutions" | "customWorkflows">): Quotas | null =>
  customExecutions === null || customWorkflows === null ? null : { monthlyExecutions: customExecutions, activeWorkflows: customWorkflows };
