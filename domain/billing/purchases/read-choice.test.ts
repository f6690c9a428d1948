import { expect, test } from "vitest";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import type { PlanFacts } from "#domain/plans/plan-facts.ts";
import { readChoice } from "./read-choice.ts";

/** The catalogue's plans, with custom quotas allowed or not allowed in the spec `custom`. */
function plansWith(allowCustomQuotas: boolean): Map<string, PlanFacts> {
  const { plans, specs } = readCatalogue();
  return new Map(
    plans.map(({ id, name, spec, billingType, billingPeriod, recurringPrice, customQuotas = null, withdrawn = false }) => {
      const granted = specs.find((each) => each.id === spec)!;
      return [
        id,
        {
          planId: id,
          name,
          specId: spec,
          billingType,
          period: billingPeriod,
          recurringPrice,
          customQuotas,
          withdrawn,
          spec: { ...granted, allowCustomQuotas: granted.allowCustomQuotas && allowCustomQuotas },
        },
      ];
    }),
  );
}

const quotas = { monthlyExecutions: 60_000, activeWorkflows: 60 };

test("quotas can be chosen if the spec allows it", () => {
  expect(readChoice(plansWith(true), { planId: "custom-monthly", quotas }, "USD").quotas).toEqual(quotas);
});

test("if the spec does not allow it, such a plan cannot be bought or its quotas changed; existing customers keep it", () => {
  const plans = plansWith(false);
  const choose = (wanted: typeof quotas | null, kept: string | null) => () =>
    readChoice(plans, { planId: "custom-monthly", quotas: wanted }, "USD", kept);
  expect(choose(quotas, null)).toThrow(expect.objectContaining({ code: "plan_withdrawn" }));
  expect(choose(null, null)).toThrow(expect.objectContaining({ code: "plan_withdrawn" }));
  expect(choose(quotas, "custom-monthly")).toThrow(expect.objectContaining({ code: "plan_withdrawn" }));
  expect(choose(null, "custom-monthly")().plan.planId).toBe("custom-monthly");
});
