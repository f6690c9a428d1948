import { expect, test } from "vitest";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import type { ProviderSubscription } from "#payments/payment-provider.ts";
import { applyTimer, applyTruth, type Effect, type TruthOutcome } from "./subscription-machine.ts";
import {
  happenings,
  nothingPending,
  nothingScheduled,
  stateOf,
  subscriptionStates,
  transitions,
  type Happening,
  type SubscriptionFields,
  type SubscriptionState,
} from "./subscription-states.ts";
import { timersOf } from "./subscription-timers.ts";
import { planFacts as plans } from "#testing/payments/catalogue-plans.ts";

const now = new Date("2027-03-10T10:00:00Z");
const in30Days = after(now, 30 * dayMs);
const accountId = "018f0000-0000-7000-8000-000000000001";

const buy = (planId: string, extraExecutionUnits = 0, extraWorkflowUnits = 0) => ({ planId, extraExecutionUnits, extraWorkflowUnits });

function truth(changes: Partial<ProviderSubscription> = {}): ProviderSubscription {
  return {
    id: "sub-1",
    customerId: "customer-1",
    accountId,
    status: "active",
    providerStatus: "active",
    purchase: buy("pro-1-monthly"),
    currency: "USD",
    periodStartsAt: now,
    periodEndsAt: in30Days,
    cancelAt: null,
    pastDueAt: null,
    retries: [],
    pausedAt: null,
    endedAt: null,
    credit: { amount: 0, currency: "USD" },
    taxInclusive: false,
    card: null,
    changedAt: now,
    ...changes,
  };
}

function row(changes: Partial<SubscriptionFields> = {}): SubscriptionFields {
  return {
    accountId,
    planId: "pro-1-monthly",
    specId: "pro-1",
    customExecutions: null,
    customWorkflows: null,
    status: "active",
    provider: "sandbox",
    providerCustomerId: "customer-1",
    providerSubscriptionId: "sub-1",
    currency: "USD",
    startedAt: now,
    periodStartsAt: now,
    periodEndsAt: in30Days,
    cancelAt: null,
    pastDueAt: null,
    unpaidFrom: null,
    pausedAt: null,
    endedAt: null,
    deletionAt: null,
    warnedAt: null,
    deletedAt: null,
    deletedLife: null,
    taxInclusive: false,
    creditAmount: 0,
    retries: [],
    providerChangedAt: now,
    ...nothingScheduled,
    ...nothingPending,
    ...changes,
  };
}

const trial = {
  planId: "trial-1",
  specId: "trial-1",
  status: "trialing",
  provider: null,
  providerCustomerId: null,
  providerSubscriptionId: null,
  currency: null,
  providerChangedAt: null,
} as const;
const rows: Readonly<Record<Exclude<SubscriptionState, "none">, SubscriptionFields>> = {
  trial: row(trial),
  active: row(),
  cancelling: row({ cancelAt: in30Days }),
  "past-due": row({ status: "past_due", pastDueAt: now }),
  paused: row({ status: "paused", pausedAt: now, deletionAt: in30Days }),
  ended: row({ status: "deleted", endedAt: now, deletionAt: after(now, 7 * dayMs) }),
  gone: row({ status: "deleted", endedAt: now, deletedAt: now }),
};
const truths: Readonly<Partial<Record<Happening, Partial<ProviderSubscription>>>> = {
  "truth active": {},
  "truth cancelling": { cancelAt: in30Days },
  "truth past-due": { status: "past_due", pastDueAt: now, retries: [{ at: now, outcome: "failed" }] },
  "truth paused": { status: "paused", pausedAt: now },
  "truth ended": { status: "deleted", endedAt: now },
  "truth unknown": { status: "unknown", providerStatus: "hibernating" },
};

const apply = (held: SubscriptionFields | null, changes: Partial<ProviderSubscription>, soldHere = true): TruthOutcome =>
  applyTruth({ accountId, held, provider: "sandbox", truth: truth(changes), soldHere, plans, now });
test("a paused subscription that was resumed but not paid stays stopped, and its deletion keeps its date", () => {
  const later = { status: "past_due", pastDueAt: after(now, dayMs), changedAt: after(now, dayMs) } as const;
  const outcome = apply(rows.paused, later);
  expect(outcome).toMatchObject({ kind: "applied", effects: [], row: { status: "paused", pausedAt: now, deletionAt: in30Days } });
  // Paused again by the provider days later: the thirty days do not restart.
  expect(apply(nextRow(outcome), { status: "paused", pausedAt: after(now, 8 * dayMs), changedAt: after(now, 8 * dayMs) })).toMatchObject({
    row: { pausedAt: now, deletionAt: in30Days },
  });
});

test("a debt that the provider leaves open for ever stops the workspace after 35 days, announced as any pause, and resumes with its payment", () => {
  const open = (days: number) => ({ status: "past_due" as const, pastDueAt: after(now, -days * dayMs), changedAt: after(now, dayMs) });
  expect(apply(rows["past-due"], open(34))).toMatchObject({ kind: "applied", row: { status: "past_due", deletionAt: null } });
  const outcome = apply(rows["past-due"], open(35));
  expect(outcome).toMatchObject({ kind: "applied", row: { status: "paused", pausedAt: now, deletionAt: in30Days } });
  expect(outcome.kind === "applied" && outcome.effects).toEqual(
    expect.arrayContaining([
      { kind: "mail", name: "subscription-paused", at: now },
      { kind: "workspace", desired: "stopped", because: "paused" },
    ]),
  );
  expect(apply(nextRow(outcome), { ...open(36), changedAt: after(now, 2 * dayMs) })).toMatchObject({
    row: { status: "paused", deletionAt: in30Days },
  });
  expect(apply(nextRow(outcome), { changedAt: after(now, 2 * dayMs) })).toMatchObject({
    row: { status: "active", pausedAt: null, deletionAt: null },
  });
});

test("a pause on request has no day of deletion; one that becomes a debt has 30 days from then", () => {
  const asked = apply(rows.active, { status: "paused", pausedAt: now, pausedOnRequest: true });
  expect(asked).toMatchObject({ row: { status: "paused", deletionAt: null } });
  expect(mailsOf(asked.kind === "applied" ? asked.effects : [])).toEqual(["pause-requested"]);
  expect([...timersOf(nextRow(asked)).keys()]).toEqual([]);
  const owed = apply(nextRow(asked), { status: "paused", pausedAt: now, changedAt: after(now, dayMs) });
  expect(owed).toMatchObject({ row: { status: "paused", pausedAt: now, deletionAt: in30Days } });
  const ended = apply(nextRow(asked), { changedAt: after(now, dayMs) });
  expect(mailsOf(ended.kind === "applied" ? ended.effects : [])).toEqual(["pause-ended"]);
});

test.each([
  ["active", true, "pro-2-monthly", "duplicate"],
  ["active", false, "pro-2-monthly", "not-ours"],
  ["active", false, "retainer", "not-ours"],
  ["past-due", false, "pro-2-monthly", "not-ours"],
  ["trial", false, "retainer", "not-ours"],
  ["ended", false, "retainer", "not-ours"],
  ["trial", false, "pro-2-monthly", "applied"],
  ["paused", false, "pro-2-monthly", "applied"],
] as const)("beside one that is %s, another one (sold here: %s) of %s is %s", (from, soldHere, planId, outcome) => {
  expect(apply({ ...rows[from] }, { id: "sub-2", purchase: buy(planId) }, soldHere).kind).toBe(outcome);
});

const nextRow = (outcome: TruthOutcome): SubscriptionFields => {
  if (outcome.kind !== "applied") throw new Error(`it was ${outcome.kind}`);
  return outcome.row;
};
const mailsOf = (effects: readonly Effect[]) => effects.flatMap((effect) => (effect.kind === "mail" ? [effect.name] : []));
const workspaceOf = (effects: readonly Effect[]) => effects.find((effect) => effect.kind === "workspace")?.desired;
const correctionsOf = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "correction" ? [effect.correction] : []));

test("every state is reachable from none, and every happening occurs somewhere", () => {
  const reached = new Set<SubscriptionState>(["none"]);
  for (let size = 0; size !== reached.size;) {
    size = reached.size;
    for (const from of reached) for (const to of Object.values(transitions[from])) if (to) reached.add(to);
  }
  expect([...reached].toSorted()).toEqual([...subscriptionStates].toSorted());
  const known = new Set(Object.values(transitions).flatMap((row_) => Object.keys(row_)));
  expect([...known].toSorted()).toEqual([...happenings].toSorted());
});

const heldStates = Object.keys(rows) as (keyof typeof rows)[];
const ofItself = heldStates.flatMap((from) => (Object.keys(truths) as Happening[]).map((happening) => [from, happening] as const));

test.each(ofItself)("%s, and the provider reports %s: follows the table", (from, happening) => {
  const held = rows[from];
  const outcome = apply(held, truths[happening]!);
  const wanted = transitions[from][happening];
  // An ended subscription that is reported ended again stays ended; a trial, which has none, takes over a new one.
  if (wanted === null || wanted === undefined) expect(outcome.kind === "applied" ? stateOf(outcome.row) : from).toBe(from);
  else expect(stateOf(nextRow(outcome))).toBe(wanted);
});

test.each(
  heldStates.map(
    (from) => [from, from === "trial" || from === "paused" || from === "ended" || from === "gone" ? "taken over" : "a duplicate"] as const,
  ),
)("a new subscription beside one that is %s is %s", (from, what) => {
  const outcome = apply({ ...rows[from] }, { id: "sub-2", purchase: buy("starter-yearly") });
  expect(outcome.kind).toBe(what === "taken over" ? "applied" : "duplicate");
  if (outcome.kind !== "applied") return;
  expect(outcome.row).toMatchObject({
    status: "active",
    planId: "starter-yearly",
    specId: "starter",
    providerSubscriptionId: "sub-2",
    deletionAt: null,
    endedAt: null,
    deletedAt: null,
  });
  expect(mailsOf(outcome.effects)).toEqual(["subscription-started"]);
  expect(workspaceOf(outcome.effects)).toBe(from === "trial" ? undefined : "running");
});

test.each(["truth paused", "truth ended"] as const)(
  "an old subscription of the same customer that is reported %s changes nothing",
  (happening) => {
    for (const from of heldStates)
      expect(apply({ ...rows[from], providerSubscriptionId: "sub-9" }, truths[happening]!)).toEqual({ kind: "ignored", correction: null });
  },
);

test("a state older than ours is not taken over", () => {
  expect(apply(row({ providerChangedAt: now }), { changedAt: after(now, -1), status: "deleted", endedAt: now }).kind).toBe("ignored");
});

test("a state read while the clock was ahead blocks nothing after the clock is set back", () => {
  const ended = { status: "deleted", endedAt: now } as const;
  const ahead = row({ providerChangedAt: after(now, 2 * hourMs) });
  expect(apply(ahead, { ...ended, changedAt: now })).toMatchObject({ kind: "applied", row: { providerChangedAt: now } });
  // If this host's clock is slow, the provider's times still order its states.
  expect(apply(ahead, { ...ended, changedAt: after(now, hourMs) }).kind).toBe("ignored");
  expect(apply(ahead, { ...ended, changedAt: after(now, -dayMs) }).kind).toBe("ignored");
  expect(apply(row({ providerChangedAt: after(now, minuteMs) }), { ...ended, changedAt: now }).kind).toBe("ignored");
});

test("a subscription of another account is never taken over, and an operator is told", () => {
  expect(apply(rows.trial, { accountId: "018f0000-0000-7000-8000-000000000002" })).toMatchObject({
    kind: "ignored",
    correction: { kind: "foreign-subscription" },
  });
});

test("an unrecognised status keeps the last state and tells an operator; an unpaid new subscription counts as none", () => {
  expect(apply(rows.active, { status: "unknown", providerStatus: "hibernating" })).toMatchObject({
    kind: "ignored",
    correction: { kind: "unknown-status" },
  });
  expect(apply(rows.trial, { status: "pending" })).toEqual({ kind: "ignored", correction: null });
});

test("a plan that is not in the catalogue keeps the current row and tells an operator", () => {
  const outcome = apply(rows.active, { purchase: null, periodEndsAt: after(in30Days, dayMs) });
  expect(nextRow(outcome)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", periodEndsAt: after(in30Days, dayMs) });
  expect(outcome.kind === "applied" && correctionsOf(outcome.effects)).toEqual(["unknown-plan"]);
  expect(apply(null, { purchase: null })).toMatchObject({ kind: "ignored", correction: { kind: "unknown-plan" } });
});

test("a cancelled plan that ran to its end deletes the workspace then, without another warning", () => {
  const cancelAt = rows.cancelling.cancelAt!;
  // Providers round it.
  const endedAt = after(cancelAt, -minuteMs);
  const ended = apply(rows.cancelling, { status: "deleted", endedAt });
  expect(nextRow(ended)).toMatchObject({ status: "deleted", endedAt, deletionAt: endedAt, cancelAt: null });
  expect(ended.kind === "applied" && [workspaceOf(ended.effects), mailsOf(ended.effects)]).toEqual(["stopped", ["subscription-ended"]]);
  expect([...timersOf(nextRow(ended))]).toEqual([["deletion", endedAt]]);
  const notice = { now: endedAt, plans, leastNoticeMs: 3 * dayMs };
  const gone = applyTimer({ held: nextRow(ended), kind: "deletion", dueAt: endedAt, workspace: { life: 2 }, ...notice })!;
  expect([workspaceOf(gone.effects), mailsOf(gone.effects)]).toEqual(["deleted", []]);
  expect(gone.row).toMatchObject({ deletedAt: endedAt, deletedLife: 2, deletionAt: null });
  // The owner is told only once it is gone.
  expect([...timersOf(gone.row)]).toEqual([["deletion-report", endedAt]]);
  const report = applyTimer({ held: gone.row, kind: "deletion-report", dueAt: endedAt, ...notice })!;
  expect(mailsOf(report.effects)).toEqual(["workspace-deleted"]);
});

test.each([
  ["a running plan ended by staff, a refund or a dispute", "active"],
  ["a cancelled plan ended before its day", "cancelling"],
  ["a plan cancelled while past due", "past-due"],
] as const)("%s ends unannounced: the workspace stops, and is deleted 7 days later with a warning", (_what, state) => {
  const endedAt = after(now, -dayMs);
  const held = state === "past-due" ? { ...rows["past-due"], cancelAt: endedAt } : rows[state];
  const ended = apply(held, { status: "deleted", endedAt });
  expect(nextRow(ended)).toMatchObject({
    status: "deleted",
    endedAt,
    deletionAt: after(endedAt, 7 * dayMs),
    warnedAt: null,
    cancelAt: null,
  });
  expect(ended.kind === "applied" && [workspaceOf(ended.effects), mailsOf(ended.effects)]).toEqual(["stopped", ["subscription-ended"]]);
  expect([...timersOf(nextRow(ended)).keys()]).toEqual(["deletion-warning", "deletion"]);
});

test("where the owner has deleted the workspace, nobody is warned of a deletion or told of one", () => {
  const held = { ...rows.ended, deletionAt: now };
  const given = { held, dueAt: now, now, plans, leastNoticeMs: 0, workspace: null };
  expect(applyTimer({ ...given, kind: "deletion-warning" })).toMatchObject({ row: { warnedAt: now }, effects: [] });
  const gone = applyTimer({ ...given, kind: "deletion" })!;
  expect(mailsOf(gone.effects)).toEqual([]);
  expect(gone.row).toMatchObject({ deletedAt: now, deletedLife: null });
  expect([...timersOf(gone.row).keys()]).toEqual([]);
});

test("a pause keeps the workspace's data for 30 days, also if the subscription is cancelled meanwhile", () => {
  const paused = apply(rows["past-due"], { status: "paused", pausedAt: now });
  expect(nextRow(paused)).toMatchObject({ status: "paused", pausedAt: now, deletionAt: in30Days });
  expect(paused.kind === "applied" && [workspaceOf(paused.effects), mailsOf(paused.effects)]).toEqual(["stopped", ["subscription-paused"]]);
  // Cancelled while paused: the 30 days stay.
  expect(nextRow(apply(rows.paused, { status: "deleted", endedAt: now }))).toMatchObject({ status: "deleted", deletionAt: in30Days });
});

test("each new failed payment is announced; a repeated report of one is not", () => {
  const failed = (count: number) => ({
    status: "past_due" as const,
    pastDueAt: now,
    retries: Array.from({ length: count }, (_, index) => ({ at: after(now, index * dayMs), outcome: "failed" as const })),
  });
  const first = apply(rows.active, failed(1));
  const again = apply(nextRow(first), failed(2));
  expect(first.kind === "applied" && mailsOf(first.effects)).toEqual(["payment-failed"]);
  expect(again.kind === "applied" && mailsOf(again.effects)).toEqual(["payment-failed"]);
  const same = apply(nextRow(again), failed(2));
  expect(same.kind === "applied" && same.effects).toEqual([]);
});

test("a downgrade that the provider knows of is granted when the paid period is over, not before", () => {
  const held = row({ planId: "pro-2-monthly", specId: "pro-2", scheduledPlanId: "starter-monthly", scheduledAt: in30Days });
  const told = nextRow(apply(held, { purchase: buy("starter-monthly"), changedAt: after(now, 1) }));
  expect(told).toMatchObject({
    planId: "starter-monthly",
    specId: "pro-2",
    scheduledPlanId: "starter-monthly",
    scheduledToldAt: after(now, 1),
  });
  expect(applyTimer({ held: told, kind: "period-end", dueAt: after(in30Days, -1), now, plans, leastNoticeMs: 0 })).toBeNull();
  const over = applyTimer({ held: told, kind: "period-end", dueAt: in30Days, now: in30Days, plans, leastNoticeMs: 0 })!;
  expect(over.row).toMatchObject({ planId: "starter-monthly", specId: "starter", ...nothingScheduled });
  expect(mailsOf(over.effects)).toEqual(["plan-changed"]);
  // The renewal may arrive before the timer runs.
  const renewed = nextRow(
    apply(told, {
      purchase: buy("starter-monthly"),
      periodStartsAt: in30Days,
      periodEndsAt: after(in30Days, 30 * dayMs),
      changedAt: in30Days,
    }),
  );
  expect(renewed).toMatchObject({ specId: "starter", scheduledPlanId: null });
});

test("a plan changed at the provider without us is counted; more is granted immediately, less when the period is over", () => {
  const up = apply(rows.active, { purchase: buy("pro-2-monthly") });
  expect(nextRow(up)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-2", scheduledPlanId: null });
  const down = apply(rows.active, { purchase: buy("starter-monthly") });
  expect(nextRow(down)).toMatchObject({
    planId: "starter-monthly",
    specId: "pro-1",
    scheduledPlanId: "starter-monthly",
    scheduledAt: in30Days,
  });
  for (const outcome of [up, down]) expect(outcome.kind === "applied" && correctionsOf(outcome.effects)).toEqual(["plan-mismatch"]);
  // Reported only in the next period: what was paid for is over.
  const renewed = { periodStartsAt: in30Days, periodEndsAt: after(in30Days, 30 * dayMs), changedAt: in30Days };
  expect(nextRow(apply(rows.active, { ...renewed, purchase: buy("starter-monthly") }))).toMatchObject({
    planId: "starter-monthly",
    specId: "starter",
    scheduledPlanId: null,
  });
  const asked = apply(row({ pendingPlanId: "starter-monthly", pendingKey: "key" }), { purchase: buy("starter-monthly") });
  expect(nextRow(asked)).toMatchObject({ specId: "starter", pendingPlanId: null, scheduledPlanId: null });
  expect(asked.kind === "applied" && correctionsOf(asked.effects)).toEqual([]);
});

test("custom quotas follow from the billed units", () => {
  expect(nextRow(apply(rows.trial, { purchase: buy("custom-monthly", 25, 10) }))).toMatchObject({
    specId: "custom",
    customExecutions: 75_000,
    customWorkflows: 60,
  });
});

test("a trial, an ended and a deleted subscription have exactly their timers", () => {
  expect([...timersOf(rows.trial)].map(([kind, at]) => [kind, Math.round((at.getTime() - in30Days.getTime()) / dayMs)])).toEqual([
    ["ending-in-3-days", -3],
    ["ending-in-1-day", -1],
    ["trial-end", 0],
  ]);
  expect([...timersOf(rows.ended).keys()]).toEqual(["deletion-warning", "deletion"]);
  expect([...timersOf(rows.gone).keys()]).toEqual([]);
});

test("a deletion without its warning warns and waits; one warned a moment ago waits too", () => {
  const held = { ...rows.ended, endedAt: after(now, -7 * dayMs), deletionAt: now };
  const threeDays = 3 * dayMs;
  const workspace = { life: 1 };
  const first = applyTimer({ held, kind: "deletion", dueAt: now, now, plans, leastNoticeMs: threeDays, workspace })!;
  expect(mailsOf(first.effects)).toEqual(["deletion-warning"]);
  expect(first.row).toMatchObject({ status: "deleted", deletedAt: null, warnedAt: now, deletionAt: after(now, threeDays) });
  const second = applyTimer({
    held: first.row,
    kind: "deletion",
    dueAt: after(now, threeDays),
    now: after(now, threeDays),
    plans,
    leastNoticeMs: threeDays,
    workspace,
  })!;
  expect(workspaceOf(second.effects)).toBe("deleted");
  expect(second.row).toMatchObject({ deletedAt: after(now, threeDays), deletionAt: null });
});

test("a paused subscription whose workspace was deleted is also ended at the provider", () => {
  const gone = applyTimer({
    held: { ...rows.paused, deletionAt: now, warnedAt: after(now, -3 * dayMs) },
    kind: "deletion",
    dueAt: now,
    now,
    plans,
    leastNoticeMs: 0,
  })!;
  expect([...timersOf(gone.row)]).toEqual([["end-at-provider", now]]);
  expect([...timersOf(nextRow(apply(gone.row, { status: "deleted", endedAt: now })))]).toEqual([]);
});

test("a failed payment attempt does not bring back a deleted workspace", () => {
  const gone = { ...rows.gone, endedAt: null };
  expect(apply(gone, { ...truths["truth past-due"], changedAt: after(now, dayMs) })).toEqual({ kind: "ignored", correction: null });
  // It is still ended at the provider, and if it is paid after all it runs again.
  expect([...timersOf(gone).keys()]).toEqual(["end-at-provider"]);
  expect(nextRow(apply(gone, { changedAt: after(now, dayMs) }))).toMatchObject({ status: "active", deletedAt: null });
});
