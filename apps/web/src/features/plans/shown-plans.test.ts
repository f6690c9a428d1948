import { describe, expect, test } from "vitest";
import { readCatalogue, planView } from "#domain/plans/catalogue.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import {
  byPrice,
  familyOf,
  isLatest,
  namesApart,
  periodOf,
  plansByFamily,
  sharedCurrencies,
  shownPlans,
  sizeOf,
  yearlyPercent,
} from "./shown-plans.ts";

const shipped = readCatalogue();
const all = new Map(
  shipped.plans.map((plan) => [
    plan.id,
    planView(
      plan,
      shipped.specs.find(({ id }) => id === plan.spec)!,
    ),
  ]),
);
const plan = (id: string): Plan => all.get(id)!;
/** As the API lists them: without what was withdrawn and without the trial. */
const listed = shipped.plans.filter(({ withdrawn, billingType }) => !withdrawn && billingType !== "one-time").map(({ id }) => plan(id));
const ids = (plans: readonly Plan[]) => plans.map(({ id }) => id);
const withVersion = (version: string): Plan => ({
  ...plan("starter-monthly"),
  spec: { ...plan("starter-monthly").spec, metadata: { ...plan("starter-monthly").spec.metadata, version } },
});

test.each([
  ["v1", false],
  ["v2", false],
  ["v3", true],
  ["v10", true],
  ["", false],
  ["beta", false],
])("a plan of version %s is one of the latest: %s", (version, latest) => expect(isLatest(withVersion(version))).toBe(latest));

test("every yearly plan has billing type year, with custom quotas or without", () => {
  const yearly = [...all.values()].filter(({ billing_period: { unit } }) => unit === "yr");
  expect(ids(yearly)).toContain("custom-yearly");
  expect(new Set(yearly.map(({ billing_type: type }) => type))).toEqual(new Set(["year"]));
  expect(new Set(yearly.map(periodOf))).toEqual(new Set(["yearly"]));
  expect(plan("custom-monthly").billing_type).toBe("custom");
});

test("two specs may share a slug, but never slug and group", () => {
  const names = shipped.specs.map(({ metadata: { group, slug } }) => `${group} ${slug}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(["opt-out custom", "enterprise custom"]));
});

describe("the plans on offer", () => {
  test("monthly and yearly plans are separate, sorted by USD price", () => {
    expect(ids(shownPlans(listed.toReversed(), "monthly", null))).toEqual([
      "starter-monthly",
      "pro-1-monthly",
      "custom-monthly",
      "pro-2-monthly",
    ]);
    expect(ids(shownPlans(listed, "yearly", null))).toEqual(["starter-yearly", "pro-1-yearly", "custom-yearly", "pro-2-yearly"]);
  });
  test("the customer's own plan stays visible in both periods when it is no longer one of the latest", () => {
    expect(ids(shownPlans(listed, "monthly", plan("power-monthly")))).toContain("power-monthly");
    expect(ids(shownPlans(listed, "yearly", plan("large-monthly")))).toContain("large-monthly");
    expect(ids(shownPlans(listed, "yearly", plan("starter-monthly")))).not.toContain("starter-monthly");
  });
  test("a trial is not offered as a plan", () => expect(ids(shownPlans(listed, "monthly", plan("trial-1")))).not.toContain("trial-1"));
  test("an older plan in the list is not offered", () => expect(shownPlans([withVersion("v2")], "monthly", null)).toEqual([]));
});

test("a plan without a price in USD comes last", () => {
  const unpriced = { ...plan("starter-monthly"), id: "unpriced", recurring_price: { EUR: 1 } };
  expect(ids(byPrice([unpriced, plan("pro-2-monthly")]))).toEqual(["pro-2-monthly", "unpriced"]);
});

test.each([
  ["starter-monthly", "monthly"],
  ["starter-yearly", "yearly"],
  ["custom-monthly", "monthly"],
  ["custom-yearly", "yearly"],
])("%s is paid %s", (id, period) => expect(periodOf(plan(id))).toBe(period));

test("the yearly percent promises no more than the catalogue gives", () => {
  expect(yearlyPercent(listed, "USD")).toEqual({ percent: 16, isSameForAll: true });
  const cheaper = listed.map((each) => (each.id === "pro-1-yearly" ? { ...each, recurring_price: { USD: 36_000, EUR: 1 } } : each));
  expect(yearlyPercent(cheaper, "USD")).toEqual({ percent: 50, isSameForAll: false });
  expect(yearlyPercent([plan("starter-yearly")], "USD").percent).toBe(0);
  expect(yearlyPercent(listed, "JPY").percent).toBe(0);
});

test("only a currency that all plans have can be chosen", () => {
  expect(sharedCurrencies(listed)).toEqual(["USD", "EUR"]);
  expect(sharedCurrencies([...listed, { ...plan("starter-monthly"), recurring_price: { USD: 1 } }])).toEqual(["USD"]);
  expect(sharedCurrencies([])).toEqual([]);
});

test("the sizes of a plan are one offer, smallest first, and their names say their size", () => {
  const offers = plansByFamily(shownPlans(listed, "yearly", null)).map((plans) => plans.map(({ id }) => id));
  expect(offers).toEqual([["starter-yearly"], ["pro-1-yearly", "pro-2-yearly"], ["custom-yearly"]]);
  const larger = plan("pro-2-monthly");
  expect([larger.name, larger.spec.displayName, familyOf(larger), sizeOf(larger)]).toEqual(["Pro 50K", "Pro 50K", "Pro", "50K"]);
  // Of an operator's own catalogue without families.
  const { family: _family, ...spec } = larger.spec;
  const same = [plan("starter-monthly"), { ...larger, name: "Starter", spec }];
  expect(plansByFamily(same)).toEqual([same]);
  // A retired plan with the name of a family is a separate offer.
  const retired = { ...larger, id: "pro-old", name: "Pro", spec };
  expect(plansByFamily([retired, plan("pro-1-monthly"), larger]).map((plans) => plans.map(({ id }) => id))).toEqual([
    ["pro-old"],
    ["pro-1-monthly", "pro-2-monthly"],
  ]);
  expect(same.map(sizeOf)).toEqual(["2.5K", "50K"]);
  expect(sizeOf({ ...larger, spec: { ...spec, monthlyExecutionsLimit: -1 } })).toBe("Unlimited executions");
});

test("a change between two with the same name says what differs", () => {
  const pro = (executions: number, isYearly = false) => ({ name: "Pro", executions, isYearly });
  expect(namesApart(pro(10_000), pro(50_000))).toEqual(["Pro, 10,000 executions a month", "Pro, 50,000 executions a month"]);
  expect(namesApart(pro(10_000), pro(10_000, true))).toEqual(["Pro, monthly", "Pro, yearly"]);
  expect(namesApart({ ...pro(2_500), name: "Starter" }, pro(10_000))).toEqual(["Starter", "Pro"]);
});
