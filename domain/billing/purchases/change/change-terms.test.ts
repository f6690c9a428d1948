/**
 * No change of plan returns money, whatever is changed, when and how often: with the sandbox's own calculations, which need no database.
 */
import type { Quotas } from "#domain/plans/plan-facts.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cycleBoundary } from "#payments/ledger/billing-cycle.ts";
import type { Items } from "#payments/ledger/items.ts";
import { planChange, quoteOf } from "#payments/ledger/quote-change.ts";
import type { CustomerRow, SubscriptionRow } from "#payments/sandbox/sandbox-rows.ts";
import { after, hourMs } from "#platform/clock.ts";
import { asksForNow, changeTerms, type ChangeTerms, type Timing } from "./change-terms.ts";
import { directionOf, purchaseOf, quotasOf, type PlanFacts } from "#domain/plans/plan-facts.ts";
import { planFacts } from "#testing/payments/catalogue-plans.ts";

const plans = [...planFacts.values()].filter(({ recurringPrice }) => (recurringPrice["USD"] ?? 0) > 0);
const began = new Date("2027-01-31T10:00:00Z");

interface Bought {
  plan: PlanFacts;
  quotas: Quotas | null;
}

const bought = fc
  .record({ index: fc.nat(plans.length - 1), executions: fc.nat(300), workflows: fc.nat(60) })
  .map(({ index, executions, workflows }): Bought => {
    const plan = plans[index]!;
    return { plan, quotas: quotasOf(plan, { planId: plan.planId, extraExecutionUnits: executions, extraWorkflowUnits: workflows }) };
  });
const step = fc.record({
  to: bought,
  wanted: fc.constantFrom<Timing | undefined>("now", "period-end", undefined),
  hours: fc.integer({ min: 0, max: 24 * 400 }),
});

function itemsOf({ plan, quotas }: Bought): Items {
  const { monthlyExecutions, activeWorkflows } = plan.customQuotas ?? {};
  return {
    purchase: purchaseOf(plan, quotas),
    planName: plan.name,
    cycle: plan.period,
    currency: "USD",
    planAmount: plan.recurringPrice["USD"]!,
    executionUnitAmount: monthlyExecutions?.price["USD"] ?? 0,
    executionsPerUnit: monthlyExecutions?.per ?? 0,
    workflowUnitAmount: activeWorkflows?.price["USD"] ?? 0,
  };
}

interface World {
  now: Date;
  held: Bought;
  subscription: SubscriptionRow;
  customer: CustomerRow;
  paid: number;
}

function start(held: Bought): World {
  const items = itemsOf(held);
  const periodEndsAt = cycleBoundary(began, items.cycle, 1);
  const subscription = {
    status: "active",
    items,
    paidItems: items,
    taxInclusive: false,
    anchorAt: began,
    periodNumber: 0,
    periodStartsAt: began,
    periodEndsAt,
  } as SubscriptionRow;
  return { now: began, held, subscription, customer: { currency: "USD", credit: 0, details: null } as CustomerRow, paid: items.planAmount };
}

/** Time passes, including renewals. */
function pass(world: World, hours: number): void {
  world.now = after(world.now, hours * hourMs);
  const { subscription: held } = world;
  while (held.periodEndsAt <= world.now) {
    held.periodNumber += 1;
    held.periodStartsAt = held.periodEndsAt;
    held.periodEndsAt = cycleBoundary(held.anchorAt, held.items.cycle, held.periodNumber + 1);
    held.paidItems = held.items;
  }
}

/** The change as quoted and made: by the terms, at the provider's price. */
function change(world: World, to: Bought, wanted: Timing | undefined): { terms: ChangeTerms; back: number; due: number } {
  const { subscription, customer, now, held } = world;
  const items = itemsOf(to);
  const direction = directionOf(held, to);
  const priced = (billing: ChangeTerms["billing"]) => {
    const planned = planChange(subscription, customer, items, billing, now);
    return { planned, quote: quoteOf(planned, subscription, customer, now) };
  };
  const givenBack = asksForNow({ wanted, direction }) ? priced("now").quote.givenBack : null;
  const terms = changeTerms({ wanted, direction, givenBack, from: held.plan, to: to.plan });
  const { planned, quote } = priced(terms.billing);
  const back = quote.creditAfter.amount - customer.credit;
  // A change for the period's end is told to the provider then; here the customer keeps the current plan.
  if (terms.timing === "now") {
    Object.assign(subscription, planned.changes);
    world.held = to;
  }
  customer.credit = quote.creditAfter.amount;
  return { terms, back, due: quote.dueNow.amount };
}

test("no change of plan returns money, from and to any plan, at any time, however many changes there are", () => {
  fc.assert(
    fc.property(bought, fc.array(step, { minLength: 1, maxLength: 8 }), (first, steps) => {
      const world = start(first);
      for (const { to, wanted, hours } of steps) {
        pass(world, hours);
        const { back, due, terms } = change(world, to, wanted);
        expect(back).toBe(0);
        expect(due).toBeGreaterThanOrEqual(0);
        if (terms.billing === "next-period") expect(due).toBe(0);
      }
    }),
    { numRuns: 2000, seed: 20261121 },
  );
});

test("a million executions bought and given up seconds later are paid for", () => {
  const custom = plans.find(({ planId }) => planId === "custom-monthly")!;
  const starter = plans.find(({ planId }) => planId === "starter-monthly")!;
  const million: Bought = { plan: custom, quotas: { monthlyExecutions: 1_000_000, activeWorkflows: 50 } };
  for (const wanted of ["now", undefined] as const) {
    const world = start({ plan: starter, quotas: null });
    const up = change(world, million, "now");
    expect(up).toMatchObject({ terms: { timing: "now", billing: "now" }, back: 0 });
    expect(up.due).toBeGreaterThan(100_000);
    pass(world, 1);
    expect(change(world, { plan: starter, quotas: null }, wanted)).toEqual({
      terms: { timing: wanted ?? "period-end", billing: "next-period" },
      back: 0,
      due: 0,
    });
  }
});

test("fewer executions for more workflows return nothing either, and a shorter period waits for the end of the longer one", () => {
  const custom = plans.find(({ planId }) => planId === "custom-monthly")!;
  const yearly = plans.find(({ planId }) => planId === "pro-1-yearly")!;
  const world = start({ plan: custom, quotas: { monthlyExecutions: 1_000_000, activeWorkflows: 50 } });
  expect(change(world, { plan: custom, quotas: { monthlyExecutions: 50_000, activeWorkflows: 60 } }, undefined)).toMatchObject({
    terms: { timing: "period-end" },
    back: 0,
  });
  const other = start({ plan: yearly, quotas: null });
  expect(change(other, { plan: plans.find(({ planId }) => planId === "pro-2-monthly")!, quotas: null }, "now")).toMatchObject({
    terms: { timing: "period-end", billing: "next-period" },
    back: 0,
  });
});
