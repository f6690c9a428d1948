import { expect, test } from "vitest";
import { languages } from "#contract/accounts/language.ts";
import { planView, readCatalogue } from "#domain/plans/catalogue.ts";
import { customPrice, extraUnits, quotaProblem, readNumber, toStep } from "./custom-quotas.ts";

const bounds = { min: 50_000, max: 1_000_000, step: 1_000, included: 50_000, per: 1_000, price: { USD: 180 } };
const { plans, specs } = readCatalogue();
const plan = planView(
  plans.find(({ id }) => id === "custom-monthly")!,
  specs.find(({ id }) => id === "custom")!,
);

test.each([
  ["", "required"],
  ["  ", "required"],
  ["many", "number"],
  ["1e5", "number"],
  ["60000.5", "number"],
  ["49999", "tooFew"],
  ["-5", "tooFew"],
  ["1000001", "tooMany"],
  ["50000", null],
  ["60,000", null],
  ["1 000 000", null],
  ["60.000", null],
  ["1.000.000", null],
  ["60.00", "number"],
  ["60000.500", "number"],
])("%j is refused as %s", (text, problem) => expect(quotaProblem(text, bounds)).toBe(problem));

test.each(languages)("a number is read as the field itself writes it for a reader of %s", (language) => {
  for (const value of [50, 50_000, 1_000_000]) expect(readNumber(new Intl.NumberFormat(language).format(value))).toBe(value);
});

test("numbers may have separators", () => expect([readNumber("60,000"), readNumber("x")]).toEqual([60_000, null]));

test.each([
  [50_000, 50_000, 0],
  [50_001, 51_000, 1],
  [51_000, 51_000, 1],
  [999_999, 1_000_000, 950],
])("%d is sold as %d, %d units above what is included", (entered, sold, units) => {
  expect(toStep(entered, bounds)).toBe(sold);
  expect(extraUnits(sold, bounds)).toBe(units);
});

test("the price is the plan's and each unit above it", () => {
  expect(customPrice(plan, { monthlyExecutions: 50_000, activeWorkflows: 50 }, "USD")).toEqual({ amount: 14_000, currency: "USD" });
  expect(customPrice(plan, { monthlyExecutions: 60_000, activeWorkflows: 52 }, "USD")).toEqual({
    amount: 14_000 + 10 * 180 + 2 * 150,
    currency: "USD",
  });
  expect(customPrice(plan, { monthlyExecutions: 60_000, activeWorkflows: 52 }, "EUR")).toEqual({
    amount: 13_000 + 10 * 170 + 2 * 140,
    currency: "EUR",
  });
  expect(customPrice(plan, { monthlyExecutions: 60_000, activeWorkflows: 52 }, "JPY")).toBeNull();
});
