/** What is paid, owed and due while an account is suspended. */
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { accounts, backups, workspaces } from "#database/tables.ts";
import { cancelSubscription } from "#domain/billing/purchases/cancel-subscription.ts";
import { quoteResubscribe } from "#domain/billing/purchases/quote-resubscribe.ts";
import { resubscribe } from "#domain/billing/purchases/resubscribe.ts";
import { dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { resumeAccount } from "./resume-account.ts";
import { suspendAccount } from "./suspend-account.ts";

const partsOf = ({ billing }: TestBilling) => ({ ...billing, supportEmail: "help@example.com" });
async function suspend(world: TestBilling, accountId: string): Promise<void> {
  const [account] = await world.database.db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId));
  await suspendAccount(partsOf(world), { accountId, accountName: account!.name }, { by: "grace", reason: "It sends spam.", until: null });
}
const resume = (world: TestBilling, accountId: string) => resumeAccount(partsOf(world), accountId, { operator: "grace" });
const workspaceOf = async (world: TestBilling, accountId: string) =>
  (await world.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;

test("a paid renewal lifts no suspension, the subscription continues, and afterwards the workspace runs", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await suspend(world, accountId);
  const before = (await world.find(accountId)).periodEndsAt!;
  const charges = world.provider.charges.length;
  await world.pass(40 * dayMs);
  expect(world.provider.charges.length).toBe(charges + 1);
  expect(await world.state(accountId)).toBe("active");
  expect((await world.find(accountId)).periodEndsAt!.getTime()).toBeGreaterThan(before.getTime());
  expect(await world.desiredState(accountId)).toBe("stopped");
  await resume(world, accountId);
  expect(await world.desiredState(accountId)).toBe("running");
});

test("a debt paid while suspended lifts nothing, and starts the workspace afterwards", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(40 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  const { previewId } = await quoteResubscribe(world.billing, accountId);
  await suspend(world, accountId);
  world.provider.cardPays = true;
  const mailed = vi.spyOn(world.billing, "renderMail");
  await resubscribe(world.billing, accountId, previewId, owner, newId());
  await world.settle();
  expect(await world.state(accountId)).toBe("active");
  expect(mailed.mock.calls.map(([{ name, isSuspended }]) => [name, isSuspended])).toEqual([["payment-recovered", true]]);
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "stopped", resumesAs: "running" });
  await resume(world, accountId);
  expect(await world.desiredState(accountId)).toBe("running");
});

test("an unpaid workspace is not deleted while its owner can't pay; afterwards they have a week, and a warning", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.pass(12 * dayMs);
  await suspend(world, accountId);
  await world.pass(60 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  expect(await world.desiredState(accountId)).toBe("stopped");
  await resume(world, accountId);
  const sent = (await world.mails(accountId)).length;
  await world.pass(6 * dayMs);
  expect(await world.desiredState(accountId)).toBe("stopped");
  expect((await world.mails(accountId)).slice(sent).map((mail) => mail.split(" ")[0])).toEqual(["deletion-warning"]);
  await world.pass(2 * dayMs);
  expect(await world.desiredState(accountId)).toBe("deleted");
});

test("what the owner cancelled ends and is deleted as they were told; paid again while suspended, it comes back afterwards with everything", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await suspend(world, accountId);
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await world.pass(40 * dayMs);
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "deleted", observedState: "deleted", life: 1 });
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect(await world.state(accountId)).toBe("active");
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "deleted", life: 1 });
  // Longer than its backup would have been kept.
  await world.pass(28 * dayMs);
  await resume(world, accountId);
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "running", life: 2 });
  const [last] = await world.database.db.select().from(backups);
  expect(await world.restored()).toEqual([{ backupId: last!.id, life: 2 }]);
});
