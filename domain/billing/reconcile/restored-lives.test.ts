/**
 * A database restored to any moment of a random life, and compared with the provider: account, documents and money equal the life without the
 * restore. With the machine, the provider's own sums and the decision of the comparison, without a database, so there are hundreds; with
 * everything real in restored-dump.slow.test.ts.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { nothingPending, stateOf, type SubscriptionFields } from "../subscription/subscription-states.ts";
import { applyTimer, applyTruth } from "../subscription/subscription-machine.ts";
import { timersOf } from "../subscription/subscription-timers.ts";
import { createMemoryProvider, payable, type MemoryProvider } from "#testing/payments/memory-provider.ts";
import { planFacts as plans } from "#testing/payments/catalogue-plans.ts";
import { createTestClock, type TestClock } from "#testing/test-clock.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import { settleTruths } from "./settle-truths.ts";

const accountId = "018f0000-0000-7000-8000-000000000001";
const planIds = ["starter-monthly", "pro-1-monthly", "pro-1-yearly", "pro-2-monthly"] as const;
const trialMs = 14 * dayMs;

const plan = fc.constantFrom(...planIds);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pass" as const), hours: fc.integer({ min: 1, max: 24 * 40 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("buy" as const), plan }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("change" as const), plan }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("card" as const), pays: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "undo" as const, "resume" as const, "end" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the database holds. */
interface Memory {
  row: SubscriptionFields;
  /** Number by what was charged. */
  documents: Map<string, number>;
  issued: number;
}

interface Life {
  clock: TestClock;
  provider: MemoryProvider;
  memory: Memory;
  /** The provider's copies of the numbers. */
  kept: Map<string, number>;
  keys: number;
}

function begin(): Life {
  const clock = createTestClock(new Date("2027-01-31T10:00:00Z"));
  const now = clock.now();
  const trial = [...plans.values()].find(({ planId }) => planId === "trial-1")!;
  const row = {
    accountId,
    planId: trial.planId,
    specId: trial.specId,
    status: "trialing",
    provider: null,
    providerCustomerId: null,
    providerSubscriptionId: null,
    customExecutions: null,
    customWorkflows: null,
    currency: null,
    startedAt: now,
    periodStartsAt: now,
    periodEndsAt: after(now, trialMs),
    cancelAt: null,
    pastDueAt: null,
    unpaidFrom: null,
    pausedAt: null,
    endedAt: null,
    deletionAt: null,
    deletedAt: null,
    deletedLife: null,
    warnedAt: null,
    scheduledPlanId: null,
    scheduledFromPlanId: null,
    scheduledExecutions: null,
    scheduledWorkflows: null,
    scheduledAt: null,
    scheduledToldAt: null,
    pendingPlanId: null,
    pendingExecutions: null,
    pendingWorkflows: null,
    pendingKey: null,
    pendingAt: null,
    taxInclusive: false,
    creditAmount: 0,
    retries: [],
    providerChangedAt: null,
  } as unknown as SubscriptionFields;
  const months = (planId: string) => (planId.endsWith("yearly") ? 12 : 1);
  const memory = { row, documents: new Map(), issued: 0 };
  return { clock, provider: createMemoryProvider(clock, months), memory, kept: new Map(), keys: 0 };
}

/** Writes the documents that charges lack, with the number that the provider keeps, as `numberDocument` does. */
function writeDocuments({ memory, provider, kept }: Life): void {
  for (const { subscriptionId, what } of provider.charges) {
    const id = `${subscriptionId} ${what}`;
    if (memory.documents.has(id)) continue;
    const number = kept.get(id) ?? (memory.issued += 1);
    memory.issued = Math.max(memory.issued, number);
    memory.documents.set(id, number);
    kept.set(id, number);
  }
}

/** What events do: each of the provider's subscriptions is read, and taken over as it is. */
function hear(life: Life): void {
  const { memory, provider, clock } = life;
  provider.takeEvents();
  const own = memory.row.providerSubscriptionId;
  for (const truth of [...provider.subscriptions.values()].toSorted((one, other) => Number(other.id === own) - Number(one.id === own))) {
    const outcome = applyTruth({
      accountId,
      held: memory.row,
      provider: "sandbox",
      truth: { ...truth },
      soldHere: true,
      plans,
      now: clock.now(),
    });
    if (outcome.kind === "applied") memory.row = outcome.row;
  }
  writeDocuments(life);
}

/** Timers that need no provider, in order. */
function runTimers({ memory, clock }: Life): void {
  for (;;) {
    const due = [...timersOf(memory.row)]
      .filter(
        ([kind, at]) =>
          at <= clock.now() && (kind === "trial-end" || kind === "period-end" || kind === "deletion-warning" || kind === "deletion"),
      )
      .toSorted(([, one], [, other]) => one.getTime() - other.getTime())[0];
    const next =
      due &&
      applyTimer({ held: memory.row, kind: due[0], dueAt: due[1], now: clock.now(), plans, leastNoticeMs: 0, workspace: { life: 1 } });
    if (!next) return;
    memory.row = next.row;
  }
}

const refused = () => undefined;

async function live(life: Life, each: Step): Promise<void> {
  const { provider, clock, memory } = life;
  const key = `key-${(life.keys += 1)}`;
  const id = memory.row.providerSubscriptionId ?? "";
  const state = stateOf(memory.row);
  switch (each.do) {
    case "pass":
      for (let left = each.hours; left > 0; left -= 24) {
        clock.advance(Math.min(left, 24) * hourMs);
        provider.runDue();
        hear(life);
        runTimers(life);
      }
      return;
    case "buy": {
      if (state !== "trial" && state !== "ended" && state !== "gone") return;
      const purchase = { planId: each.plan, extraExecutionUnits: 0, extraWorkflowUnits: 0 };
      await provider.createCheckout(
        { accountId, purchase, currency: "USD", customerId: null } as Parameters<MemoryProvider["createCheckout"]>[0],
        key,
      );
      provider.pay(payable(provider).at(-1)!);
      return;
    }
    case "change": {
      const purchase = { planId: each.plan, extraExecutionUnits: 0, extraWorkflowUnits: 0 };
      if (state !== "active") return;
      // As confirm-change.ts does first: what the provider reports then was chosen, and is granted immediately.
      memory.row = { ...memory.row, pendingPlanId: each.plan, pendingKey: key, pendingAt: clock.now() };
      await provider
        .change(
          { subscriptionId: id, purchase, billing: "now" },
          { quotedAt: clock.now(), expectedDueNow: { amount: 1, currency: "USD" } },
          key,
        )
        .catch(() => void (memory.row = { ...memory.row, ...nothingPending }));
      return;
    }
    case "card":
      provider.cardPays = each.pays;
      return;
    case "cancel":
      await provider.cancelAtPeriodEnd(id, key).catch(refused);
      return;
    case "undo":
      if (state === "cancelling") await provider.undoCancel(id, key).catch(refused);
      return;
    case "resume":
      await provider.resume(id, { amount: 1, currency: "USD" }, key).catch(refused);
      return;
    case "end":
      await provider.cancelNow(id, key).catch(refused);
  }
}

/** What `reconcile` does after a restored dump: numbers first, then the account in one decision, then the missing documents. */
function reconcileNow(life: Life): string[] {
  const { memory, provider, clock, kept } = life;
  memory.issued = Math.max(memory.issued, ...kept.values());
  const truths = [...provider.subscriptions.values()].map((truth) => ({ ...truth }));
  const { row, left } = settleTruths({
    accountId,
    held: memory.row,
    provider: "sandbox",
    truths,
    soldHere: new Set<string>(),
    plans,
    now: clock.now(),
  });
  memory.row = row!;
  writeDocuments(life);
  runTimers(life);
  return left.map(({ truth }) => truth.id);
}

const copyOf = ({ row, documents, issued }: Memory): Memory => ({ row: { ...row }, documents: new Map(documents), issued });

/** What a customer pays for and has. */
const accountNow = ({ row }: Memory) => {
  const { planId, providerSubscriptionId, periodStartsAt, periodEndsAt, cancelAt, currency } = row;
  return { state: stateOf(row), planId, providerSubscriptionId, periodStartsAt, periodEndsAt, cancelAt, currency };
};

/** Nothing is paid any more. What was bought and ended on lost days leaves its documents, and the account as it was. */
const isOver = ({ row }: Memory): boolean => ["trial", "paused", "ended", "gone"].includes(stateOf(row));

/**
 * The spec that is granted for it. A smaller plan chosen on a lost day looks like one changed at the provider by hand, so the larger one stays
 * granted until the period ends: never less than what was paid.
 */
function expectGrant({ row }: Memory, without: Memory): void {
  if (row.specId === without.row.specId) return;
  expect(row).toMatchObject({ scheduledAt: row.periodEndsAt, scheduledPlanId: without.row.planId });
}

test("a database restored to any moment of a random life: after comparing, account, documents and money equal the life without the restore", async () => {
  const seen = { lives: 0, listed: 0, forgotten: 0, states: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.nat(), async (steps, moment) => {
      const life = begin();
      const restoredTo = moment % (steps.length + 1);
      let dump = copyOf(life.memory);
      for (const [index, each] of steps.entries()) {
        if (index === restoredTo) dump = copyOf(life.memory);
        await live(life, each);
        hear(life);
        runTimers(life);
      }
      if (restoredTo === steps.length) dump = copyOf(life.memory);
      const without = copyOf(life.memory);
      const money = [life.provider.charges.length, life.provider.refunds.length, life.provider.subscriptions.size];

      const forgotten = without.documents.size - dump.documents.size;

      life.memory = dump;
      const left = reconcileNow(life);
      if (isOver(without)) expect(isOver(life.memory)).toBe(true);
      else if (left.includes(without.row.providerSubscriptionId!)) {
        // Bought and past due since: a person decides, as its workspace was deleted or stopped in the dump.
        expect(stateOf(without.row)).toBe("past-due");
        seen.listed += 1;
      } else {
        expect(accountNow(life.memory)).toEqual(accountNow(without));
        expectGrant(life.memory, without);
      }
      expect([...life.memory.documents].toSorted()).toEqual([...without.documents].toSorted());
      expect([life.provider.charges.length, life.provider.refunds.length, life.provider.subscriptions.size]).toEqual(money);
      // The next document of anybody gets a number that nobody has.
      expect(life.memory.issued).toBe(without.issued);
      // Comparing again changes nothing.
      const once = copyOf(life.memory);
      reconcileNow(life);
      expect(accountNow(life.memory)).toEqual(accountNow(once));

      seen.lives += 1;
      seen.forgotten += Number(forgotten > 0);
      seen.states.add(stateOf(without.row));
    }),
    { numRuns: 1000, seed: 20261129 },
  );
  expect(seen.lives).toBe(1000);
  // Else this proves nothing.
  expect(seen.forgotten).toBeGreaterThan(300);
  expect(seen.listed).toBeLessThan(30);
  expect([...seen.states].toSorted()).toEqual(expect.arrayContaining(["active", "cancelling", "ended", "past-due", "trial"]));
});
