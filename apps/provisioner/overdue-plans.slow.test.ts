import { expect, test } from "vitest";
import { judgePlans } from "#testing/fleet/judge-plans.ts";

test("with 100,000 accounts, everything overdue and long histories, no claim and no page reads more than 50 rows for each that it returns", async () => {
  expect(await judgePlans(100_000, { asIfLarge: false })).toEqual([]);
});
