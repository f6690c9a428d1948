import fc from "fast-check";
import { expect, test } from "vitest";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import type { ProviderLine, UnpaidTime } from "../payment-provider.ts";
import { isSameCycle } from "./billing-cycle.ts";
import type { Bank } from "./charge.ts";
import type { Items } from "./items.ts";
import { afterTurn, buy, change, end, passTo, resume, setCancel, tryOpen, type Account, type Turn } from "./ledger.ts";
import { planChange, quoteOf } from "./quote-change.ts";
import { quoteResume } from "./quote-resume.ts";

const plan = (planId: string, unit: "day" | "month" | "yr", count: number, planAmount: number): Items => ({
  purchase: { planId, extraExecutionUnits: 0, extraWorkflowUnits: 0 },
  planName: planId,
  cycle: { unit, count },
  currency: "EUR",
  planAmount,
  executionUnitAmount: 0,
  executionsPerUnit: 0,
  workflowUnitAmount: 0,
});
const plans = [
  plan("small", "month", 1, 2399),
  plan("large", "month", 1, 14_001),
  plan("year", "yr", 1, 59_999),
  plan("quarter", "month", 3, 6_007),
  plan("week", "day", 7, 701),
];

const deed = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("pass" as const), hours: fc.oneof(fc.nat(40), fc.nat(24 * 70)) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      items: fc.constantFrom(...plans),
      billing: fc.constantFrom("now" as const, "next-period" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("card" as const), answer: fc.constantFrom("pays", "soft", "hard", "asks") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "undo" as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom("retry" as const, "resume" as const) }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** An account, and everything that its turns wrote. */
interface Life {
  account: Account;
  now: Date;
  card: string;
  issued: { lines: readonly ProviderLine[]; total: number; tax: number; creditUsed: number; status: "paid" | "open" | "void" }[];
  charged: number;
  /** Lines of changes whose sum was zero, which have no invoice. */
  evenLines: ProviderLine[];
  /** Credit that the customer had from the start. */
  had: number;
  /** Moments that a resumption had to charge besides. */
  owedAt: Date[];
}

const began = new Date("2027-10-31T10:00:00Z");

function take(life: Life, turn: Turn): void {
  const { invoice, open, outcome, attempted } = turn;
  const waiting = life.issued.find(({ status }) => status === "open");
  if (open) waiting!.status = open;
  if (invoice) {
    const { lines, total, tax } = invoice.bill;
    life.issued.push({ lines, total, tax: tax?.amount.amount ?? 0, creditUsed: invoice.creditUsed, status: invoice.status });
  }
  if (outcome.kind === "paid") life.charged += attempted;
  life.account = afterTurn(life.account, turn);
}

/** What was used of the period that was not paid for. */
function unpaidOf({ subscription: { pausedAt, periodStartsAt: from } }: Account): UnpaidTime | null {
  return pausedAt && pausedAt > from ? { from, to: pausedAt } : null;
}

function act(life: Life, each: Deed): void {
  const { subscription } = life.account;
  const isRunning = subscription.status === "active";
  switch (each.do) {
    case "card":
      life.card = each.answer;
      return;
    case "pass": {
      const until = after(life.now, each.hours * hourMs);
      for (let at = life.account.subscription.dueAt; at && at <= until; at = life.account.subscription.dueAt) {
        const before = life.account.subscription;
        for (const turn of passTo(life.account, at)) take(life, turn);
        const { periodStartsAt, periodEndsAt } = life.account.subscription;
        // A renewal leaves no gap.
        if (periodStartsAt.getTime() !== before.periodStartsAt.getTime()) expect(periodStartsAt).toEqual(before.periodEndsAt);
        expect(periodEndsAt > periodStartsAt).toBe(true);
      }
      life.now = until;
      return;
    }
    case "change": {
      if (!isRunning || subscription.cancelsAtPeriodEnd) return;
      const planned = planChange(subscription, life.account.customer, each.items, each.billing, life.now);
      const { dueNow, creditAfter } = quoteOf(planned, subscription, life.account.customer, life.now);
      const [before, turn] = [life.charged, change(life.account, planned, false, life.now)];
      take(life, turn);
      if (turn.outcome.kind !== "paid") return expect(life.account.subscription).toEqual(subscription);
      // What was quoted is what is charged.
      expect([life.charged - before, life.account.customer.credit]).toEqual([dueNow.amount, creditAfter.amount]);
      if (!turn.invoice) life.evenLines.push(...planned.bill.lines);
      return;
    }
    case "cancel":
    case "undo":
      if (subscription.status !== "canceled") take(life, setCancel(life.account, each.do === "cancel", life.now));
      return;
    case "retry":
      if (subscription.status === "past_due") take(life, tryOpen(life.account, { occasion: "renewal", confirmed: false }, life.now));
      return;
    case "resume": {
      if (subscription.status !== "paused") return;
      const unpaid = unpaidOf(life.account);
      const { dueNow } = quoteResume(life.account, life.now, unpaid);
      const before = life.charged;
      take(life, resume(life.account, unpaid, { confirmed: false }, life.now));
      if (life.account.subscription.status !== "active") return;
      if (unpaid) life.owedAt.push(unpaid.from);
      expect(life.charged - before).toBe(dueNow.amount);
    }
  }
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

function check({ issued, charged, account, now, evenLines, had, owedAt }: Life): void {
  // Lines and tax add up to the invoice.
  for (const { lines, total, tax } of issued) expect(sum(lines.map(({ amount }) => amount.amount)) + tax).toBe(total);
  const counted = issued.filter(({ status }) => status !== "void");
  const paid = counted.filter(({ status }) => status === "paid");
  const given = sum(paid.map(({ total }) => Math.max(0, -total)));
  const used = sum(counted.map(({ creditUsed }) => creditUsed));
  // What cards paid is what invoices say, less credit, and no credit is lost or made.
  expect(charged).toBe(sum(paid.map(({ total, creditUsed }) => Math.max(0, total) - creditUsed)));
  expect(account.customer.credit).toBe(had + given - used);
  expect(account.customer.credit).toBeGreaterThanOrEqual(0);
  // At most one invoice waits, exactly while the subscription owes.
  expect(counted.length - paid.length).toBe(account.open ? 1 : 0);
  expect(account.subscription.status === "past_due").toBe(account.open !== null);
  if (account.subscription.status === "active") {
    expect(account.subscription.periodStartsAt <= now && now < account.subscription.periodEndsAt).toBe(true);
    expect(account.subscription.dueAt).toEqual(account.subscription.periodEndsAt);
  }
  // No time is sold twice: of all lines at any moment, those that charge exceed those that credit by at most one.
  const edges = [...counted.flatMap(({ lines }) => lines), ...evenLines].flatMap(({ label, period }) => {
    const sign = label.startsWith("Unused") ? -1 : 1;
    return [
      { at: Date.parse(period!.from), by: sign },
      { at: Date.parse(period!.to), by: -sign },
    ];
  });
  const steps = [...Map.groupBy(edges, ({ at }) => at)].toSorted(([one], [other]) => one - other);
  let covered = 0;
  const depths = steps.map(([, each]) => (covered += sum(each.map(({ by }) => by))));
  expect(depths.filter((depth) => depth < 0 || depth > 1)).toEqual([]);
  // Nor is any served unsold while it runs, or left out when it is resumed.
  for (const moment of [...owedAt, ...(account.subscription.status === "active" ? [now] : [])])
    expect(depths[steps.findLastIndex(([at]) => at <= moment.getTime())]).toBe(1);
}

test("whatever is bought, changed, declined, cancelled and resumed: lines add up to invoices, invoices less credit to charges, and no time is sold twice or left out", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...plans),
      fc.nat(30_000),
      fc.array(deed, { minLength: 3, maxLength: 40, size: "max" }),
      (items, had, deeds) => {
        const bank: Bank = ({ amount }) =>
          amount <= 0 || life.card === "pays"
            ? { kind: "paid" }
            : life.card === "asks"
              ? { kind: "confirm", reason: "asks" }
              : { kind: "declined", hard: life.card === "hard", reason: "no" };
        const customer = { currency: "EUR", credit: had, details: { country: "DE", vatId: "" } };
        const life = { now: began, card: "pays", issued: [], charged: 0, evenLines: [], had, owedAt: [] } as unknown as Life;
        const { subscription, turn } = buy(
          { customer, bank, items, taxInclusive: false },
          { occasion: "new-card", confirmed: true },
          began,
        );
        life.account = { subscription, customer, bank, open: null };
        take(life, turn);
        check(life);
        for (const each of deeds) {
          act(life, each);
          check(life);
        }
      },
    ),
    { numRuns: 250, seed: 20261129 },
  );
});

test("a cycle that changes with the next period is counted from that period's start", () => {
  const bank: Bank = () => ({ kind: "paid" });
  const customer = { currency: "EUR", credit: 0, details: null };
  const [small, , year] = plans as [Items, Items, Items];
  const { subscription } = buy({ customer, bank, items: small, taxInclusive: false }, { occasion: "new-card", confirmed: true }, began);
  expect(isSameCycle(small.cycle, year.cycle)).toBe(false);
  const [turn] = passTo({ subscription: { ...subscription, items: year }, customer, bank, open: null }, subscription.periodEndsAt);
  expect(turn!.changes).toMatchObject({
    anchorAt: subscription.periodEndsAt,
    periodNumber: 0,
    periodEndsAt: new Date("2028-11-30T10:00:00Z"),
    paidItems: year,
  });
});

test("credit in an open invoice is not charged again, and is the customer's once more if the subscription ends", () => {
  const bank: Bank = ({ amount }) => (amount > 0 ? { kind: "declined", hard: false, reason: "no" } : { kind: "paid" });
  const customer = { currency: "EUR", credit: 1000, details: null };
  const paying = { customer: { ...customer, credit: 0 }, bank: () => ({ kind: "paid" }) as const, items: plans[0]!, taxInclusive: false };
  const { subscription } = buy(paying, { occasion: "new-card", confirmed: true }, began);
  const account: Account = { subscription, customer, bank, open: null };
  const owing = afterTurn(account, passTo(account, subscription.periodEndsAt)[0]!);
  expect([owing.customer.credit, owing.open, owing.subscription.status]).toEqual([
    0,
    { total: 2399, creditUsed: 1000, failed: 1 },
    "past_due",
  ]);
  const answered: Account = { ...owing, bank: () => ({ kind: "paid" }) };
  expect(tryOpen(answered, { occasion: "new-card", confirmed: true }, subscription.periodEndsAt)).toMatchObject({
    attempted: 1399,
    credit: 0,
  });
  const ended = afterTurn(owing, end(owing, after(subscription.periodEndsAt, dayMs)));
  expect([ended.customer.credit, ended.open, ended.subscription.dueAt]).toEqual([1000, null, null]);
});

test("a subscription that staff paused while it owed is resumed for a new period alone, with the credit of what it owed", () => {
  const paying: Bank = () => ({ kind: "paid" });
  const customer = { currency: "EUR", credit: 0, details: null };
  const buyer = { customer, bank: paying, items: plans[0]!, taxInclusive: false };
  const { subscription } = buy(buyer, { occasion: "new-card", confirmed: true }, began);
  const paused = { ...subscription, status: "paused", pausedAt: began };
  const account: Account = { subscription: paused, customer, bank: paying, open: { total: 2399, creditUsed: 1000, failed: 1 } };
  const turn = resume(account, null, { confirmed: false }, after(began, dayMs));
  expect([turn.open, turn.attempted, afterTurn(account, turn).open]).toEqual(["void", 1399, null]);
});
