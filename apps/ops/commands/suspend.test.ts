import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts, auditLog } from "#database/tables.ts";
import { providerNames } from "#payments/providers.ts";
import { openTestBilling, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import type { Command, CommandInput, OpsContext } from "../command.ts";
import { show } from "./show.ts";
import { resume, suspend } from "./suspend.ts";

async function openScene() {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const [account] = await world.database.db.select().from(accounts).where(eq(accounts.id, accountId));
  const run = async (command: Command, options: CommandInput["options"] = {}, reason = "It sends spam.") => {
    const lines: string[] = [];
    const context = {
      ...world.billing,
      config: { publicUrl: "https://example.com", supportEmail: "help@example.com", lastBackupDays: 30 },
      operator: "grace",
      reason,
      print: (line: string) => lines.push(line),
    };
    await command.run(context as unknown as OpsContext, { arguments: [account!.name], options });
    return lines.join("\n");
  };
  return { world, accountId, name: account!.name, run };
}

const desired = (world: TestBilling, accountId: string) => world.desiredState(accountId);

test("suspends with an end, names what is still charged, shows it, and lifts it", async () => {
  const { world, accountId, name, run } = await openScene();
  const { providerSubscriptionId } = await world.find(accountId);
  const said = await run(suspend, { until: "2027-03-31" });
  expect(said).toContain(`${name} is suspended until 2027-03-31 23:59 UTC. Its workspace stops now`);
  expect(said).toMatch(/continues and is charged again at 2027-02-\d\d .* nothing is cancelled or refunded automatically/);
  expect(said).toContain(`cancel ${providerSubscriptionId} at ${providerNames[0]}`);
  expect(await desired(world, accountId)).toBe("stopped");
  const shown = await run(show);
  expect(shown).toMatch(/suspended since .* until 2027-03-31 23:59 UTC by grace: It sends spam\./);
  expect(shown).toContain(`Lift it: npm run ops -- resume ${name}`);
  expect(shown).toContain("no payment lifts the suspension");
  expect(shown).not.toContain("stopped although its plan is active");
  expect(await run(suspend, {}, "It mines.")).toContain("was suspended already; its reason and end are replaced: until it is lifted");
  expect(await run(resume)).toContain("is no longer suspended");
  expect(await desired(world, accountId)).toBe("running");
  await expect(run(resume)).rejects.toThrow("is not suspended");
  const { rows } = await world.database.pool.query("select action from audit_log where account_id = $1 and action like 'account.%'", [
    accountId,
  ]);
  expect(rows.map(({ action }) => action as string)).toEqual(["account.suspended", "account.suspended", "account.resumed"]);
  expect(await world.database.db.select().from(auditLog)).not.toEqual([]);
});

test.each([
  ["2020-01-01", "must not be over"],
  ["2027-02-30", "must be a day"],
])("--until %s is refused, and nothing is suspended", async (until, sentence) => {
  const { world, accountId, run } = await openScene();
  await expect(run(suspend, { until })).rejects.toThrow(sentence);
  await expect(run(suspend, {}, "x".repeat(501))).rejects.toThrow("500 characters");
  expect(await desired(world, accountId)).toBe("running");
});

test("neither can be typed without a reason", () => {
  expect([suspend.asksWhy, resume.asksWhy]).toEqual([true, true]);
});
