import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts } from "#database/tables.ts";
import { dayMs } from "#platform/clock.ts";
import { openTestBilling, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import type { Command, OpsContext } from "../command.ts";
import { close, reopen } from "./close.ts";
import { show } from "./show.ts";
import { resume } from "./suspend.ts";

async function openScene(prepare: (world: TestBilling) => Promise<string>) {
  const world = await openTestBilling();
  const accountId = await prepare(world);
  const [account] = await world.database.db.select().from(accounts).where(eq(accounts.id, accountId));
  const run = async (command: Command, reason = "The company is gone.") => {
    const lines: string[] = [];
    const context = {
      ...world.billing,
      config: { publicUrl: "https://example.com", lastBackupDays: 30, closedAccountDays: 30 },
      operator: "grace",
      reason,
      print: (line: string) => lines.push(line),
    };
    await command.run(context as unknown as OpsContext, { arguments: [account!.name], options: {} });
    return lines.join("\n");
  };
  return { world, accountId, name: account!.name, run };
}

test("closes, shows by whom, why and until when, and reopens", async () => {
  const { world, accountId, name, run } = await openScene((world) => world.addAccount());
  const said = await run(close);
  expect(said).toContain(`${name} is closed. Its workspace is being deleted after a last backup`);
  expect(said).toContain("can reopen the account until 2027-02-09 09:00 UTC");
  expect(await world.desiredState(accountId)).toBe("deleted");
  const shown = await run(show);
  expect(shown).toMatch(/closed since .* by grace: The company is gone\., can be reopened until 2027-02-09 09:00 UTC/);
  expect(shown).toContain(`npm run ops -- reopen ${name}`);
  await expect(run(close)).rejects.toThrow("is closed already");
  expect(await run(reopen)).toContain(
    `${name} is open again. If its workspace was running before and its plan has not ended, it comes back from its last backup.`,
  );
  expect(await world.desiredState(accountId)).toBe("running");
  await expect(run(reopen)).rejects.toThrow("is not closed");
});

test("says what stands in the way, and closes nothing", async () => {
  const { world, accountId, name, run } = await openScene(subscribe);
  await expect(run(close)).rejects.toThrow(`${name} can't be closed:\n  a subscription runs or is owed`);
  await expect(run(close, "x".repeat(501))).rejects.toThrow("500 characters");
  expect(await world.desiredState(accountId)).toBe("running");
});

test("a suspended account is reopened only after its suspension was lifted", async () => {
  const { world, accountId, name, run } = await openScene((world) => world.addAccount());
  await run(close);
  await world.database.db.update(accounts).set({ suspendedAt: world.clock.now(), suspendedBy: "grace", suspensionReason: "Spam." });
  await expect(run(reopen)).rejects.toThrow(`${name} is suspended. Lift the suspension first: npm run ops -- resume ${name}`);
  await run(resume);
  expect(await run(reopen)).toContain(`${name} is open again`);
  expect(await world.desiredState(accountId)).toBe("running");
});

test("on its day it is too late to reopen", async () => {
  const { world, run } = await openScene((world) => world.addAccount());
  await run(close);
  await world.pass(30 * dayMs);
  await expect(run(reopen)).rejects.toThrow("its day is over");
  expect(await run(show)).toContain("The account is being erased: the worker does it within minutes");
});

test("neither can be typed without a reason", () => {
  expect([close.asksWhy, reopen.asksWhy]).toEqual([true, true]);
});
