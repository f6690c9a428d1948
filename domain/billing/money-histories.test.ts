/**
 * Histories of buying (also twice), changing, using, renewing and ending, with the machine and the sandbox's own calculations. They need
 * no database, so there are thousands. Charges less refunds must equal what was granted, apart from rounding.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { firstPeriod, nextPeriod } from "#payments/ledger/billing-cycle.ts";
import { subtotalOf, fullLines, type Items } from "#payments/ledger/items.ts";
import { planChange, quoteOf } from "#payments/ledger/quote-change.ts";
import type { CustomerRow, SubscriptionRow } from "#payments/sandbox/sandbox-rows.ts";
import { subscriptionView } from "#payments/sandbox/sandbox-views.ts";
import { after, hourMs } from "#platform/clock.ts";
import { asksForNow, changeTerms, type Timing } from "./purchases/change/change-terms.ts";
import { directionOf, grantOf, purchaseOf, quotasOf } from "#domain/plans/plan-facts.ts";
import { applyTruth } from "./subscription/subscription-machine.ts";
import { keptQuotas, stateOf, type SubscriptionFields } from "./subscription/subscription-states.ts";
import { planFacts as plans } from "#testing/payments/catalogue-plans.ts";

const sold = [...plans.values()].filter(({ recurringPrice }) => (recurringPrice["USD"] ?? 0) > 0);
const accountId = "018f0000-0000-7000-8000-000000000001";
const began = new Date("2027-01-31T10:00:00Z");

const choice = fc.record({ index: fc.nat(sold.length - 1), executions: fc.nat(900), workflows: fc.nat(60) });
type Choice = { index: number; executions: number; workflows: number };
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("buy" as const), choice, again: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      choice,
      wanted: fc.constantFrom<Timing | undefined>("now", "period-end", undefined),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("use" as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pass" as const), hours: fc.integer({ min: 0, max: 24 * 70 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const) }) },
);

interface World {
  now: Date;
  row: SubscriptionFields | null;
  theirs: SubscriptionRow[];
  customer: CustomerRow;
  charged: number;
  refunded: number;
  /** The value of time already delivered, at the prices paid for it; not rounded. */
  delivered: number;
  /** Until when each subscription's time is counted. */
  countedTo: Map<string, Date>;
  /** Rounding: each line of a prorated bill is off by half a cent at most. */
  tolerance: number;
  used: number;
  count: number;
}

function itemsOf({ index, executions, workflows }: Choice): Items {
  const plan = sold[index]!;
  const quotas = quotasOf(plan, { planId: plan.planId, extraExecutionUnits: executions, extraWorkflowUnits: workflows });
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
const chosen = (items: Items) => ({
  plan: plans.get(items.purchase.planId)!,
  quotas: quotasOf(plans.get(items.purchase.planId)!, items.purchase),
});
const priceOf = (items: Items) => subtotalOf(fullLines(items));

const shareOf = ({ periodStartsAt, periodEndsAt }: SubscriptionRow, from: Date, to: Date): number =>
  (to.getTime() - from.getTime()) / (periodEndsAt.getTime() - periodStartsAt.getTime());

/** Counts what a subscription has delivered up to a time within its period. */
function deliver(world: World, theirs: SubscriptionRow, to: Date): void {
  world.delivered += priceOf(theirs.paidItems) * shareOf(theirs, world.countedTo.get(theirs.id)!, to);
  world.countedTo.set(theirs.id, to);
}

/** What was delivered, plus the rest of what is paid. */
const granted = (world: World): number =>
  liveOf(world).reduce(
    (sum, theirs) => sum + priceOf(theirs.paidItems) * shareOf(theirs, world.countedTo.get(theirs.id)!, theirs.periodEndsAt),
    world.delivered,
  );

/** Applies the provider's state to the machine, or ends a duplicate. */
function tell(world: World, theirs: SubscriptionRow): void {
  const outcome = applyTruth({
    accountId,
    held: world.row,
    provider: "sandbox",
    truth: subscriptionView(theirs, world.customer),
    soldHere: true,
    plans,
    now: world.now,
  });
  if (outcome.kind === "applied") world.row = outcome.row;
  if (outcome.kind !== "duplicate") return;
  world.refunded += priceOf(theirs.paidItems);
  Object.assign(theirs, { status: "canceled", endedAt: world.now, changedAt: world.now });
}

function buy(world: World, wanted: Choice): void {
  const items = itemsOf(wanted);
  world.count += 1;
  const bought = {
    id: `sub-${world.count}`,
    customerId: "cus",
    accountId,
    status: "active",
    currency: "USD",
    items,
    paidItems: items,
    taxInclusive: false,
    ...firstPeriod(world.now, items.cycle),
    changedAt: world.now,
    cancelsAtPeriodEnd: false,
    retries: [],
    pausedAt: null,
    pastDueAt: null,
    endedAt: null,
  } as unknown as SubscriptionRow;
  world.theirs.push(bought);
  world.charged += priceOf(items);
  world.countedTo.set(bought.id, world.now);
  tell(world, bought);
}

const liveOf = (world: World) => world.theirs.filter(({ status }) => status === "active");

function change(world: World, wanted: Choice, timing: Timing | undefined): void {
  const held = liveOf(world)[0];
  if (!held || !world.row) return;
  const [items, to] = [itemsOf(wanted), chosen(itemsOf(wanted))];
  const from = { plan: plans.get(world.row.planId)!, quotas: keptQuotas(world.row) };
  const direction = directionOf(from, to);
  const priced = (billing: "now" | "next-period") => {
    const planned = planChange(held, world.customer, items, billing, world.now);
    return { planned, quote: quoteOf(planned, held, world.customer, world.now) };
  };
  const givenBack = asksForNow({ wanted: timing, direction }) ? priced("now").quote.givenBack : null;
  const terms = changeTerms({ wanted: timing, direction, givenBack, from: from.plan, to: to.plan });
  if (terms.timing === "period-end") return;
  const { planned, quote } = priced(terms.billing);
  world.charged += quote.dueNow.amount;
  world.tolerance += planned.bill.lines.length;
  deliver(world, held, world.now);
  world.customer.credit = quote.creditAfter.amount;
  world.row = {
    ...world.row,
    pendingPlanId: to.plan.planId,
    pendingExecutions: to.quotas?.monthlyExecutions ?? null,
    pendingWorkflows: to.quotas?.activeWorkflows ?? null,
    pendingKey: "key",
    pendingAt: world.now,
  };
  Object.assign(held, planned.changes, { changedAt: world.now });
  tell(world, held);
}

function pass(world: World, hours: number): void {
  world.now = after(world.now, hours * hourMs);
  for (const held of liveOf(world)) {
    while (held.periodEndsAt <= world.now) {
      deliver(world, held, held.periodEndsAt);
      const period = nextPeriod(held, held.items.cycle, held.paidItems.cycle);
      Object.assign(held, period, { paidItems: held.items, changedAt: period.periodStartsAt });
      world.charged += priceOf(held.items);
      world.used = 0;
    }
    tell(world, held);
  }
}

function check(world: World): void {
  const live = liveOf(world);
  // A double payment is settled to one, and nothing was ever credited, whatever was used.
  expect(live.length).toBeLessThanOrEqual(1);
  expect(world.customer.credit).toBe(0);
  expect(Math.abs(world.charged - world.refunded - world.customer.credit - granted(world))).toBeLessThanOrEqual(world.tolerance / 2 + 0.01);
  if (!live[0] || !world.row) return;
  expect(stateOf(world.row)).toBe("active");
  // The grant equals what is billed, and what was paid for this period is at least its price.
  const { plan, quotas } = chosen(live[0].items);
  expect([world.row.planId, world.row.specId, keptQuotas(world.row)]).toEqual([plan.planId, plan.specId, quotas]);
  if (live[0].items.cycle.unit === live[0].paidItems.cycle.unit)
    expect(priceOf(live[0].paidItems)).toBeGreaterThanOrEqual(priceOf(live[0].items));
}

test("whatever is bought, changed and used, in any order: charges less refunds equal what was granted, and nothing is credited", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 20 }), (steps) => {
      const world: World = {
        now: began,
        row: null,
        theirs: [],
        customer: { currency: "USD", credit: 0, details: null, card: null } as unknown as CustomerRow,
        charged: 0,
        refunded: 0,
        delivered: 0,
        countedTo: new Map(),
        tolerance: 0,
        used: 0,
        count: 0,
      };
      for (const each of steps) {
        pass(world, 1);
        if (each.do === "buy" && (each.again || liveOf(world).length === 0)) buy(world, each.choice);
        if (each.do === "change") change(world, each.choice, each.wanted);
        if (each.do === "use" && world.row)
          world.used = Math.max(
            world.used,
            Math.floor(each.share * Math.max(0, grantOf(plans.get(world.row.planId)!.spec, keptQuotas(world.row)).executions)),
          );
        if (each.do === "pass") pass(world, each.hours);
        if (each.do === "end") {
          for (const held of liveOf(world)) {
            // Ending it gives up the rest.
            deliver(world, held, held.periodEndsAt);
            Object.assign(held, { status: "canceled", endedAt: world.now, changedAt: world.now });
            tell(world, held);
          }
        }
        check(world);
      }
    }),
    { numRuns: 1500, seed: 20261121 },
  );
});
