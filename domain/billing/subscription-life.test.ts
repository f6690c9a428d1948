import { expect, onTestFinished, test } from "vitest";
import { eq } from "drizzle-orm";
import { checkouts, corrections, timers, workspaces } from "#database/tables.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { liveSubscriptions } from "#testing/memory-provider.ts";
import { createTestBilling, owner, type TestBilling } from "#testing/test-billing.ts";
import { cancelScheduledChange } from "./cancel-scheduled-change.ts";
import { cancelSubscription } from "./cancel-subscription.ts";
import { completeCheckout } from "./complete-checkout.ts";
import { confirmChange } from "./confirm-change.ts";
import { correctionCounts } from "./count-correction.ts";
import { quoteChange, type Timing } from "./quote-change.ts";
import { resubscribe } from "./resubscribe.ts";
import { retryPayment } from "./retry-payment.ts";
import { runDue } from "./run-timers.ts";
import { startCheckout } from "./start-checkout.ts";
import { startTrial } from "./start-trial.ts";
import { healGrants } from "./sweep-billing.ts";
import { syncSubscription } from "./sync-subscription.ts";

async function open(options: Parameters<typeof createTestBilling>[0] = {}): Promise<TestBilling> {
  const world = await createTestBilling(options);
  onTestFinished(() => world[Symbol.asyncDispose]());
  return world;
}

async function subscribe(world: TestBilling, planId = "pro-1-monthly"): Promise<string> {
  const accountId = await world.addAccount();
  await world.buy(accountId, planId);
  await world.settle();
  return accountId;
}

async function change(world: TestBilling, accountId: string, planId: string, timing?: Timing, key = newId()): Promise<void> {
  const { previewId } = await quoteChange(world.billing, accountId, { planId, quotas: null, timing });
  await confirmChange(world.billing, accountId, { planId, quotas: null, timing, previewId }, owner, key);
}

const code = (value: string) => expect.objectContaining({ code: value });

test("a trial nobody pays for: mails at −3 d, −1 d, 0 and +4 d, stopped at its end, deleted 7 days later, each to the day", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.pass(14 * dayMs - 1000);
  expect(await world.state(accountId)).toBe("trial");
  await world.pass(1000);
  expect(await world.find(accountId)).toMatchObject({ status: "deleted", endedAt: new Date("2027-01-24T09:00:00Z"), deletionAt: new Date("2027-01-31T09:00:00Z") });
  expect(await world.wanted(accountId)).toBe("stopped");
  await world.pass(7 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
  expect(await world.wanted(accountId)).toBe("deleted");
  expect(await world.mails(accountId)).toEqual(["trial-ending 2027-01-21", "trial-ending 2027-01-23", "trial-ended 2027-01-24", "deletion-warning 2027-01-28", "workspace-deleted 2027-01-31"]);
  expect(await world.audit(accountId)).toEqual(["subscription.ended", "subscription.gone"]);
  expect(await world.database.db.$count(timers)).toBe(0);
});

test("a clock that jumps a year runs each timer once, in the order of time", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  world.clock.advance(365 * dayMs);
  await runDue(world.billing);
  expect(await world.mails(accountId)).toEqual(["trial-ending 2027-01-21", "trial-ending 2027-01-23", "trial-ended 2027-01-24", "deletion-warning 2027-01-28", "workspace-deleted 2027-01-31"]);
  expect(await runDue(world.billing)).toBe(0);
});

test("nobody gets two trials", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  const { periodEndsAt } = await world.find(accountId);
  await world.pass(20 * dayMs);
  await world.database.db.transaction((tx) => startTrial(tx, accountId, world.clock.now()));
  expect(await world.find(accountId)).toMatchObject({ status: "deleted", periodEndsAt });
});

test("an outage over the warning and the deletion: the owner is warned first, and has their three days", async () => {
  const world = await open({ leastNoticeMs: 3 * dayMs });
  const accountId = await world.addAccount();
  world.clock.advance(60 * dayMs);
  await runDue(world.billing);
  expect(await world.state(accountId)).toBe("ended");
  await world.pass(3 * dayMs - 1000);
  expect(await world.state(accountId)).toBe("ended");
  await world.pass(1000);
  expect(await world.state(accountId)).toBe("gone");
});

test("an event before the customer is back, and a customer who is back before the event, both make the plan active, once", async () => {
  const world = await open();
  const first = await subscribe(world);
  await completeCheckout(world.billing, first);
  const second = await world.addAccount();
  await world.buy(second, "starter-monthly");
  await completeCheckout(world.billing, second);
  expect(await world.state(second)).toBe("active");
  await world.settle();
  for (const accountId of [first, second]) {
    expect(await world.state(accountId)).toBe("active");
    expect((await world.mails(accountId)).filter((mail) => mail.startsWith("subscription-started"))).toHaveLength(1);
  }
  expect(await correctionCounts(world.database.db)).toEqual({});
});

test("a checkout that nobody paid makes nothing active", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await startCheckout(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, currency: null }, owner, newId());
  await completeCheckout(world.billing, accountId);
  expect(await world.state(accountId)).toBe("trial");
});

test("a payment whose event never comes is found by the look at open checkouts", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.buy(accountId, "pro-1-monthly");
  world.provider.takeEvents();
  await world.pass(10 * minuteMs);
  expect(await world.state(accountId)).toBe("trial");
  await world.pass(10 * minuteMs);
  expect(await world.state(accountId)).toBe("active");
});

test("a payment at the very moment of the trial's end keeps the workspace running, without its event", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  world.clock.advance(14 * dayMs);
  await world.buy(accountId, "pro-1-monthly");
  world.provider.takeEvents();
  await runDue(world.billing);
  expect(await world.state(accountId)).toBe("active");
  expect(await world.wanted(accountId)).toBe("running");
  expect((await world.mails(accountId)).filter((mail) => mail.startsWith("trial-ended"))).toEqual([]);
});

test("a double click on pay opens one page; another plan in another tab opens its own, and paying both is charged once from then on", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  const wanted = { planId: "pro-1-monthly", quotas: null, currency: "USD" };
  const key = newId();
  const urls = await Promise.all([startCheckout(world.billing, accountId, wanted, owner, key), startCheckout(world.billing, accountId, wanted, owner, key)]);
  expect(urls[0]).toEqual(urls[1]);
  expect(await startCheckout(world.billing, accountId, wanted, owner, newId())).toEqual(urls[0]);
  await startCheckout(world.billing, accountId, { ...wanted, planId: "starter-monthly" }, owner, newId());
  const pages = await world.database.db.select().from(checkouts);
  expect(pages).toHaveLength(2);
  for (const { checkoutId } of pages) world.provider.pay(checkoutId);
  await world.settle();
  expect(liveSubscriptions(world.provider, accountId)).toHaveLength(1);
  expect(await correctionCounts(world.database.db)).toEqual({ "duplicate-subscription": 1 });
  await expect(startCheckout(world.billing, accountId, wanted, owner, newId())).rejects.toEqual(code("already_subscribed"));
});

test("the same key with something else is refused", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  const wanted = { planId: "pro-1-monthly", quotas: null, currency: "USD" };
  const key = newId();
  await startCheckout(world.billing, accountId, wanted, owner, key);
  await expect(startCheckout(world.billing, accountId, { ...wanted, planId: "starter-monthly" }, owner, key)).rejects.toEqual(code("idempotency_key_reused"));
});

test("up is at once, charged once under a double click; down waits for the end of what was paid", async () => {
  const world = await open();
  const accountId = await subscribe(world, "starter-monthly");
  const before = world.provider.charges.length;
  const preview = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  expect(preview).toMatchObject({ direction: "upgrade", timing: "now" });
  const key = newId();
  const confirm = () => confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId: preview.previewId }, owner, key);
  await Promise.all([confirm(), confirm()]);
  await confirm();
  expect(world.provider.charges).toHaveLength(before + 1);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", pendingKey: null });

  await change(world, accountId, "starter-monthly");
  const end = (await world.find(accountId)).periodEndsAt!;
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", scheduledPlanId: "starter-monthly", scheduledAt: end });
  await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "pro-1" });
  await world.pass(30 * minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "starter", scheduledPlanId: null });
  expect(await world.mails(accountId)).toEqual(expect.arrayContaining([expect.stringContaining("change-scheduled"), expect.stringContaining("plan-changed")]));
  expect(await correctionCounts(world.database.db)).toEqual({});
});

test("two tabs, two plans: the second one's price is stale, and it is charged for one only", async () => {
  const world = await open();
  const accountId = await subscribe(world, "starter-monthly");
  const charges = world.provider.charges.length;
  const previews = await Promise.all(["pro-1-monthly", "pro-2-monthly"].map(async (planId) => ({ planId, quotas: null, previewId: (await quoteChange(world.billing, accountId, { planId, quotas: null })).previewId })));
  const done = await Promise.allSettled(previews.map((agreed) => confirmChange(world.billing, accountId, agreed, owner, newId())));
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(done.find((one) => one.status === "rejected")?.reason).toEqual(code("preview_stale"));
  expect(world.provider.charges).toHaveLength(charges + 1);
});

test("a price that is older than a quarter of an hour is asked for again", async () => {
  const world = await open();
  const accountId = await subscribe(world, "starter-monthly");
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  await world.pass(16 * minuteMs);
  await expect(confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId }, owner, newId())).rejects.toEqual(code("preview_stale"));
  await expect(confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId: "v1.made-up" }, owner, newId())).rejects.toEqual(code("preview_stale"));
});

test("a payment that fails in a change changes nothing, and the next try may succeed", async () => {
  const world = await open();
  const accountId = await subscribe(world, "starter-monthly");
  world.provider.cardPays = false;
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  const agreed = { planId: "pro-1-monthly", quotas: null, previewId };
  const key = newId();
  await expect(confirmChange(world.billing, accountId, agreed, owner, key)).rejects.toEqual(code("payment_declined"));
  // The same key is answered alike, also when the card would pay by now.
  world.provider.cardPays = true;
  await expect(confirmChange(world.billing, accountId, agreed, owner, key)).rejects.toEqual(code("payment_declined"));
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", pendingPlanId: null });
  await change(world, accountId, "pro-1-monthly");
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1" });
});

test("a provider that answers nobody after doing it: the same key finds it done, and nothing is charged again", async () => {
  const world = await open();
  const accountId = await subscribe(world, "starter-monthly");
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  const agreed = { planId: "pro-1-monthly", quotas: null, previewId };
  const key = newId();
  const charges = world.provider.charges.length;
  world.provider.trouble = "lost";
  await expect(confirmChange(world.billing, accountId, agreed, owner, key)).rejects.toEqual(code("payments_unavailable"));
  world.provider.trouble = "none";
  // The event is heard of first: it was asked for, so nothing is counted as a mismatch.
  await world.settle();
  await confirmChange(world.billing, accountId, agreed, owner, key);
  expect(world.provider.charges).toHaveLength(charges + 1);
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1", pendingPlanId: null });
  expect(await correctionCounts(world.database.db)).toEqual({});
});

test("what waits for the period's end can be taken back, also in its last hour", async () => {
  const world = await open();
  const accountId = await subscribe(world, "pro-2-monthly");
  await change(world, accountId, "starter-monthly");
  await cancelScheduledChange(world.billing, accountId, owner, newId());
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", scheduledPlanId: null });
  await change(world, accountId, "starter-monthly");
  const end = (await world.find(accountId)).periodEndsAt!;
  await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "pro-2" });
  await cancelScheduledChange(world.billing, accountId, owner, newId());
  await world.pass(hourMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-2", scheduledPlanId: null, status: "active" });
});

test("from monthly to yearly moves the period; a legacy plan is kept and can't be chosen by others", async () => {
  const world = await open();
  const accountId = await subscribe(world, "pro-1-monthly");
  await world.pass(10 * dayMs);
  await change(world, accountId, "pro-1-yearly");
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-yearly", periodEndsAt: new Date("2028-01-20T09:00:00Z") });
  await expect(quoteChange(world.billing, accountId, { planId: "power-monthly", quotas: null })).rejects.toEqual(code("plan_withdrawn"));
  await expect(quoteChange(world.billing, accountId, { planId: "trial-1", quotas: null })).rejects.toEqual(code("plan_not_found"));
});

test("quotas out of a plan's bounds are refused together; the currency is the first purchase's", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  const asked = startCheckout(world.billing, accountId, { planId: "custom-monthly", quotas: { monthlyExecutions: 1, activeWorkflows: 5000 }, currency: "EUR" }, owner, newId());
  await expect(asked).rejects.toMatchObject({ code: "validation_failed", details: { errors: [{ code: "quota.too_small" }, { code: "quota.too_large" }] } });
  await startCheckout(world.billing, accountId, { planId: "custom-monthly", quotas: { monthlyExecutions: 75_000, activeWorkflows: 60 }, currency: "EUR" }, owner, newId());
  const [page] = await world.database.db.select().from(checkouts);
  world.provider.pay(page!.checkoutId);
  await world.settle();
  expect(await world.find(accountId)).toMatchObject({ currency: "EUR", customExecutions: 75_000, customWorkflows: 60 });
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await world.pass(32 * dayMs);
  await startCheckout(world.billing, accountId, { planId: "starter-monthly", quotas: null, currency: "USD" }, owner, newId());
  expect((await world.database.db.select().from(checkouts).where(eq(checkouts.planId, "starter-monthly")))[0]).toMatchObject({ currency: "EUR" });
});

test("a downgrade below what is used says what will stop working", async () => {
  const world = await open();
  const accountId = await subscribe(world, "pro-1-monthly");
  await world.database.db.update(workspaces).set({ activeWorkflows: 12 }).where(eq(workspaces.accountId, accountId));
  const preview = await quoteChange(world.billing, accountId, { planId: "starter-monthly", quotas: null });
  expect(preview).toMatchObject({ direction: "downgrade", timing: "period-end", restarts: false });
  expect(preview.stopsWorking).toContain("12 workflows are active and Starter allows 5: no other workflow can be activated until 5 or fewer are active.");
  expect(preview.stopsWorking).toContain("Global variables is not part of Starter.");
});

test("memory is the one limit that needs a restart: said in the preview, done with the change, and never by itself", async () => {
  const world = await open();
  const billing = { ...world.billing, workspaceMemoryMb: 1024 };
  const accountId = await subscribe(world, "pro-1-monthly");
  const workspace = async () => (await world.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
  const { generation } = await workspace();
  const preview = await quoteChange(billing, accountId, { planId: "pro-2-monthly", quotas: null });
  expect(preview.restarts).toBe(true);
  await confirmChange(billing, accountId, { planId: "pro-2-monthly", quotas: null, previewId: preview.previewId }, owner, newId());
  expect(await workspace()).toMatchObject({ memoryMb: 2048, generation: generation + 1, desiredState: "running" });
  const down = await quoteChange(billing, accountId, { planId: "starter-monthly", quotas: null });
  expect(down.restarts).toBe(false);
  await confirmChange(billing, accountId, { planId: "starter-monthly", quotas: null, previewId: down.previewId }, owner, newId());
  world.billing.workspaceMemoryMb = 1024;
  await world.pass(32 * dayMs);
  // At its next start, whenever that is.
  expect(await workspace()).toMatchObject({ memoryMb: 1024, generation: generation + 1 });
});

test("past due: mails at each failed try, the workspace runs, no change of plan; then paused and stopped, deleted 30 days later and ended at the provider", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(31 * dayMs);
  expect(await world.state(accountId)).toBe("past-due");
  expect(await world.wanted(accountId)).toBe("running");
  await expect(quoteChange(world.billing, accountId, { planId: "pro-2-monthly", quotas: null })).rejects.toEqual(code("update_billing_first"));
  await expect(retryPayment(world.billing, accountId, owner, newId())).rejects.toEqual(code("payment_declined"));
  await world.pass(7 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  expect(await world.wanted(accountId)).toBe("stopped");
  await expect(quoteChange(world.billing, accountId, { planId: "pro-2-monthly", quotas: null })).rejects.toEqual(code("update_billing_first"));
  const { pausedAt, deletionAt } = await world.find(accountId);
  expect(deletionAt!.getTime() - pausedAt!.getTime()).toBe(30 * dayMs);
  await world.pass(30 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
  expect(await world.wanted(accountId)).toBe("deleted");
  expect([...world.provider.subscriptions.values()].map(({ status }) => status)).toEqual(["deleted"]);
  const names = (await world.mails(accountId)).map((mail) => mail.split(" ")[0]);
  expect(names).toEqual(["subscription-started", "payment-failed", "payment-failed", "payment-failed", "payment-failed", "subscription-paused", "deletion-warning", "workspace-deleted"]);
});

test("paying while past due, and resubscribing while paused, restore everything", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(31 * dayMs);
  world.provider.cardPays = true;
  await retryPayment(world.billing, accountId, owner, newId());
  expect(await world.state(accountId)).toBe("active");
  world.provider.cardPays = false;
  await world.pass(40 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  await expect(resubscribe(world.billing, accountId, owner, newId())).rejects.toEqual(code("payment_declined"));
  world.provider.cardPays = true;
  const key = newId();
  const charges = world.provider.charges.length;
  expect(await Promise.all([resubscribe(world.billing, accountId, owner, key), resubscribe(world.billing, accountId, owner, key)])).toEqual([{ url: null }, { url: null }]);
  expect(world.provider.charges).toHaveLength(charges + 1);
  expect(await world.find(accountId)).toMatchObject({ status: "active", deletionAt: null, pausedAt: null });
  expect(await world.wanted(accountId)).toBe("running");
});

test("a cancellation runs to the end of what was paid, with everything; resubscribing before undoes it", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  await cancelSubscription(world.billing, accountId, { reason: "too dear" }, owner, newId());
  const { cancelAt } = await world.find(accountId);
  expect(await world.state(accountId)).toBe("cancelling");
  await expect(quoteChange(world.billing, accountId, { planId: "pro-2-monthly", quotas: null })).rejects.toEqual(code("update_billing_first"));
  expect(await resubscribe(world.billing, accountId, owner, newId())).toEqual({ url: null });
  expect(await world.find(accountId)).toMatchObject({ cancelAt: null, status: "active" });
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await world.pass(cancelAt!.getTime() - world.clock.now().getTime() - 1000);
  expect(await world.wanted(accountId)).toBe("running");
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1" });
  await world.pass(1000);
  expect(await world.find(accountId)).toMatchObject({ status: "deleted", endedAt: cancelAt });
  expect(await world.wanted(accountId)).toBe("stopped");
  await world.pass(8 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
  const names = (await world.mails(accountId)).map((mail) => mail.split(" ")[0]);
  expect(names).toEqual(["subscription-started", "cancel-confirmed", "cancel-undone", "cancel-confirmed", "subscription-ending", "subscription-ending", "subscription-ended", "deletion-warning", "workspace-deleted"]);
});

test("after the end, resubscribing opens a checkout for the same plan; paying it before the deletion keeps the workspace", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await world.pass(33 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  const { url } = await resubscribe(world.billing, accountId, owner, newId());
  world.provider.pay(url!.split("/").at(-1)!);
  await world.settle();
  expect(await world.find(accountId)).toMatchObject({ status: "active", planId: "pro-1-monthly", deletionAt: null });
  await world.pass(20 * dayMs);
  expect(await world.wanted(accountId)).toBe("running");
});

test("a deletion that is due meets a payment whose event is late: the workspace stays", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.pass(20 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  world.clock.advance(dayMs);
  await world.buy(accountId, "pro-1-monthly");
  world.provider.takeEvents();
  await runDue(world.billing);
  expect(await world.state(accountId)).toBe("active");
  expect(await world.wanted(accountId)).toBe("running");
});

test("while a resubscription is under way a due deletion waits for it", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(38 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  const { deletionAt } = await world.find(accountId);
  await world.pass(deletionAt!.getTime() - world.clock.now().getTime() - 1000);
  world.provider.cardPays = true;
  world.provider.trouble = "lost";
  await expect(resubscribe(world.billing, accountId, owner, newId())).rejects.toEqual(code("payments_unavailable"));
  world.provider.takeEvents();
  world.clock.advance(minuteMs);
  await runDue(world.billing);
  expect(await world.wanted(accountId)).toBe("stopped");
  // It was paid, as is found before anything is deleted.
  world.provider.trouble = "none";
  await world.pass(hourMs);
  expect(await world.state(accountId)).toBe("active");
  expect(await world.wanted(accountId)).toBe("running");
});

test("nothing is deleted while the provider cannot be asked", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await world.pass(34 * dayMs);
  world.provider.trouble = "away";
  world.clock.advance(10 * dayMs);
  await runDue(world.billing);
  expect(await world.wanted(accountId)).toBe("stopped");
  world.provider.trouble = "none";
  await world.pass(2 * hourMs);
  expect(await world.wanted(accountId)).toBe("deleted");
});

test("whoever pays after the deletion gets a workspace again", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.pass(22 * dayMs);
  expect(await world.wanted(accountId)).toBe("deleted");
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect(await world.wanted(accountId)).toBe("running");
  expect(await world.find(accountId)).toMatchObject({ deletedAt: null, status: "active" });
});

test("a trial's cancellation is a note that can be taken back", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  expect(await world.find(accountId)).toMatchObject({ status: "trialing", cancelAt: new Date("2027-01-24T09:00:00Z") });
  expect(await resubscribe(world.billing, accountId, owner, newId())).toEqual({ url: null });
  expect(await world.find(accountId)).toMatchObject({ cancelAt: null });
});

test("events that never come are made up for within a week, and counted", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  const { providerSubscriptionId } = await world.find(accountId);
  await world.provider.cancelAtPeriodEnd(providerSubscriptionId!, "at the provider's own pages");
  world.provider.takeEvents();
  await world.pass(6 * dayMs);
  expect(await world.state(accountId)).toBe("active");
  await world.pass(dayMs);
  expect(await world.state(accountId)).toBe("cancelling");
  expect(await correctionCounts(world.database.db)).toEqual({ "missed-event": 1 });
});

test("a grant that is not what is billed is found, counted and healed", async () => {
  const world = await open();
  const accountId = await subscribe(world);
  await world.database.db.execute(`update subscriptions set spec_id = 'starter' where account_id = '${accountId}'`);
  expect(await healGrants(world.billing)).toBe(1);
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1" });
  expect(await healGrants(world.billing)).toBe(0);
  expect((await world.database.db.select().from(corrections)).map(({ kind }) => kind)).toEqual(["grant-mismatch"]);
});

test("a plan that was changed at the provider is taken over", async () => {
  const world = await open();
  const accountId = await subscribe(world, "starter-monthly");
  const { providerSubscriptionId } = await world.find(accountId);
  const quote = await world.provider.previewChange({ subscriptionId: providerSubscriptionId!, purchase: { planId: "pro-2-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 }, billing: "now" }, null);
  await world.provider.change({ subscriptionId: providerSubscriptionId!, purchase: { planId: "pro-2-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 }, billing: "now" }, { quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow }, "by hand");
  await syncSubscription(world.billing, accountId);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-2" });
  expect(await correctionCounts(world.database.db)).toEqual({ "plan-mismatch": 1 });
});
