import { expect, test } from "vitest";
import { judgePlans } from "#testing/fleet/judge-plans.ts";

const accounts = 1_500;

test("no claim and no page reads more than 50 rows for each that it returns, with everything overdue and long histories", async () => {
  expect(await judgePlans(accounts, { asIfLarge: true })).toEqual([]);
});

test("an index that is missing, or sorted so that no query can use it, is noticed", async () => {
  const before = [
    "drop index workspace_journal_newest",
    "create index on workspace_journal (workspace_id, id desc nulls last)",
    "drop index backups_due",
  ];
  const found = await judgePlans(accounts, { asIfLarge: true, before });
  expect(found.filter((each) => each.includes('from "workspace_journal"'))).not.toEqual([]);
  expect(found.filter((each) => each.includes('update "backups" set "state"'))).not.toEqual([]);
});
