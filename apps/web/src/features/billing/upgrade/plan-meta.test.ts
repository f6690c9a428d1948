import { expect, test } from "vitest";
import { planSpecView, readCatalogue } from "#domain/plans/catalogue.ts";
import { isMismatch } from "./plan-meta.ts";

const spec = planSpecView(readCatalogue().specs[1]!, "starter-monthly", null);
const billing = (planId: string, status: "active" | "deleted" = "active") => ({
  status,
  planId,
  updateUrl: null,
  cancelAt: null,
  isArranged: false,
});

test.each([
  [billing("starter-monthly"), spec, false],
  [billing("pro-1-monthly"), spec, true],
  [billing("pro-1-monthly", "deleted"), spec, false],
  [null, spec, false],
  [billing("pro-1-monthly"), null, false],
])("billed %j, allowed %j: a mismatch is %s", (billed, allowed, mismatch) => expect(isMismatch(billed, allowed)).toBe(mismatch));
