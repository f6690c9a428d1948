import { expect, test } from "vitest";
import { and, eq } from "drizzle-orm";
import { checkouts, workspaceJournal, workspaces } from "#database/tables.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { requestRestart } from "#domain/workspaces/workspace-store.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import { liveSubscriptions, payable } from "#testing/payments/memory-provider.ts";
import { openSecondPage, openTestBilling, owner, refusal, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { cancelScheduledChange } from "./purchases/change/cancel-scheduled-change.ts";
import { cancelSubscription } from "./purchases/cancel-subscription.ts";
import { confirmChange } from "./purchases/change/confirm-change.ts";
import { syncSubscription } from "./provider-truth/sync-subscription.ts";
import { correctionCounts } from "./count-correction.ts";
import type { Timing } from "./purchases/change/change-terms.ts";
import { quoteChange } from "./purchases/change/quote-change.ts";
import { startCheckout } from "./purchases/checkout/start-checkout.ts";

async function change(world: TestBilling, accountId: string, planId: string, timing?: Timing, key = newId()): Promise<void> {
  const { previewId } = await quoteChange(world.billing, accountId, { planId, quotas: null, timing });
  await confirmChange(world.billing, accountId, { planId, quotas: null, timing, previewId }, owner, key);
}

/** Until the last hour of the period, in which the provider is told of the scheduled change; `act` runs in the middle of that. */
async function whileTold(world: TestBilling, accountId: string, act: () => Promise<unknown>): Promise<unknown> {
  const { change: tell } = world.provider;
  let acted: Promise<unknown> | undefined;
  world.provider.change = async (...asked) => {
    world.provider.change = tell;
    acted = act();
    await acted.catch(() => undefined);
    return tell(...asked);
  };
  const end = (await world.find(accountId)).periodEndsAt!;
  await world.pass(end.getTime() - world.clock.now().getTime() - hourMs);
  return acted;
}

test("however often a customer clicks to pay, with any keys, one page is open", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const wanted = { planId: "pro-1-monthly", quotas: null, currency: "USD" };
  const click = (planId = wanted.planId, key = newId()) => startCheckout(world.billing, accountId, { ...wanted, planId }, owner, key);
  const key = newId();
  const urls = await Promise.all([click(wanted.planId, key), click(wanted.planId, key), ...Array.from({ length: 8 }, () => click())]);
  expect(new Set(urls.map(({ url }) => url)).size).toBe(1);
  expect(await click()).toEqual(urls[0]);
  const open = () => world.database.db.select().from(checkouts).where(eq(checkouts.state, "open"));
  expect(await open()).toHaveLength(1);
  expect(payable(world.provider)).toHaveLength(1);

  // Another plan in another tab: its page replaces the first.
  const [starter] = [await click("starter-monthly")];
  expect(payable(world.provider)).toEqual([starter.url.split("/").at(-1)]);
  expect(world.provider.pay(urls[0]!.url.split("/").at(-1)!)).toBeUndefined();
  // Two concurrent tabs: one page remains, and it can still be paid at.
  await Promise.allSettled([click("pro-2-monthly"), click("starter-monthly"), click("pro-1-monthly")]);
  expect(payable(world.provider)).toHaveLength(1);
  expect(await open()).toMatchObject([{ checkoutId: payable(world.provider)[0] }]);
  world.provider.pay(payable(world.provider)[0]!);
  await world.settle();
  expect(liveSubscriptions(world.provider, accountId)).toHaveLength(1);
  expect(world.provider.charges).toHaveLength(1);
  expect(await correctionCounts(world.database.db)).toEqual({});
  await expect(click()).rejects.toEqual(refusal("already_subscribed"));
});

test("if a page is paid at the moment another one replaces it, the paid one counts", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const wanted = { planId: "pro-1-monthly", quotas: null, currency: "USD" };
  const { url } = await startCheckout(world.billing, accountId, wanted, owner, newId());
  world.provider.pay(url.split("/").at(-1)!);
  world.provider.takeEvents();
  await expect(startCheckout(world.billing, accountId, { ...wanted, planId: "starter-monthly" }, owner, newId())).rejects.toEqual(
    refusal("already_subscribed"),
  );
  expect(await world.find(accountId)).toMatchObject({ status: "active", planId: "pro-1-monthly" });
});

test("while the provider cannot say whether the previous page is closed, no new one is opened", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const wanted = { planId: "pro-1-monthly", quotas: null, currency: "USD" };
  await startCheckout(world.billing, accountId, wanted, owner, newId());
  world.provider.trouble = "away";
  const key = newId();
  const other = () => startCheckout(world.billing, accountId, { ...wanted, planId: "starter-monthly" }, owner, key);
  await expect(other()).rejects.toEqual(refusal("payments_unavailable"));
  world.provider.trouble = "none";
  const { url } = await other();
  expect(payable(world.provider)).toEqual([url.split("/").at(-1)]);
});

test("after a double payment, one is refunded automatically and announced once, and the plan stays", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const kept = (await world.find(accountId)).providerSubscriptionId;
  const checkoutId = await openSecondPage(world, accountId);
  const twice = world.provider.pay(checkoutId)!;
  // No answer at first: the event is retried and continues where it stopped.
  world.provider.trouble = "lost";
  await world.settle();
  world.provider.trouble = "none";
  await world.pass(hourMs);
  expect(world.provider.refunds.map(({ subscriptionId }) => subscriptionId)).toEqual([twice]);
  expect(liveSubscriptions(world.provider, accountId).map(({ id }) => id)).toEqual([kept]);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", status: "active", providerSubscriptionId: kept });
  expect((await world.mails(accountId)).filter((mail) => mail.startsWith("duplicate-refunded"))).toHaveLength(1);
  expect(await world.audit(accountId)).toContain("subscription.duplicate-refunded");
  expect(await correctionCounts(world.database.db)).toEqual({ "duplicate-subscription": 1 });
});

test("the same key with a different request is refused", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const wanted = { planId: "pro-1-monthly", quotas: null, currency: "USD" };
  const key = newId();
  await startCheckout(world.billing, accountId, wanted, owner, key);
  await expect(startCheckout(world.billing, accountId, { ...wanted, planId: "starter-monthly" }, owner, key)).rejects.toEqual(
    refusal("idempotency_key_reused"),
  );
});

test("an upgrade is immediate and charged once under a double click; a downgrade waits for the end of the paid period", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const before = world.provider.charges.length;
  const preview = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  expect(preview).toMatchObject({ direction: "upgrade", timing: "now" });
  const key = newId();
  const confirm = () =>
    confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId: preview.previewId }, owner, key);
  await Promise.all([confirm(), confirm()]);
  await confirm();
  expect(world.provider.charges).toHaveLength(before + 1);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", pendingKey: null });

  await change(world, accountId, "starter-monthly");
  const end = (await world.find(accountId)).periodEndsAt!;
  expect(await world.find(accountId)).toMatchObject({
    planId: "pro-1-monthly",
    specId: "pro-1",
    scheduledPlanId: "starter-monthly",
    scheduledAt: end,
  });
  await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "pro-1" });
  await world.pass(30 * minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "starter", scheduledPlanId: null });
  expect(await world.mails(accountId)).toEqual(
    expect.arrayContaining([expect.stringContaining("change-scheduled"), expect.stringContaining("plan-changed")]),
  );
  expect(await correctionCounts(world.database.db)).toEqual({});
});

test("two tabs, two plans: the second one's price is stale, and only one is charged", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const charges = world.provider.charges.length;
  const previews = await Promise.all(
    ["pro-1-monthly", "pro-2-monthly"].map(async (planId) => ({
      planId,
      quotas: null,
      previewId: (await quoteChange(world.billing, accountId, { planId, quotas: null })).previewId,
    })),
  );
  const done = await Promise.allSettled(previews.map((agreed) => confirmChange(world.billing, accountId, agreed, owner, newId())));
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(done.find((one) => one.status === "rejected")?.reason).toEqual(refusal("preview_stale"));
  expect(world.provider.charges).toHaveLength(charges + 1);
});

test("a price older than fifteen minutes must be requested again", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  await world.pass(16 * minuteMs);
  await expect(
    confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId }, owner, newId()),
  ).rejects.toEqual(refusal("preview_stale"));
  await expect(
    confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId: "v1.made-up" }, owner, newId()),
  ).rejects.toEqual(refusal("preview_stale"));
});

test("a payment that fails in a change changes nothing, and the next attempt may succeed", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  world.provider.cardPays = false;
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  const agreed = { planId: "pro-1-monthly", quotas: null, previewId };
  const key = newId();
  await expect(confirmChange(world.billing, accountId, agreed, owner, key)).rejects.toEqual(refusal("payment_declined"));
  // The same key gets the same answer, even if the card would pay by now.
  world.provider.cardPays = true;
  await expect(confirmChange(world.billing, accountId, agreed, owner, key)).rejects.toEqual(refusal("payment_declined"));
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", pendingPlanId: null });
  await change(world, accountId, "pro-1-monthly");
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1" });
});

test("a provider that acts but does not answer: the same key finds it done, and nothing is charged again", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  const agreed = { planId: "pro-1-monthly", quotas: null, previewId };
  const key = newId();
  const charges = world.provider.charges.length;
  world.provider.trouble = "lost";
  await expect(confirmChange(world.billing, accountId, agreed, owner, key)).rejects.toEqual(refusal("payments_unavailable"));
  world.provider.trouble = "none";
  // The event arrives first: the change was requested, so it is not counted as a mismatch.
  await world.settle();
  await confirmChange(world.billing, accountId, agreed, owner, key);
  expect(world.provider.charges).toHaveLength(charges + 1);
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1", pendingPlanId: null });
  expect(await correctionCounts(world.database.db)).toEqual({});
});

test("a change scheduled for the period's end can be undone, even in its last hour", async () => {
  const world = await openTestBilling();
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

test("a change for the period's end is not undone while the provider is being told of it", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-monthly");
  await change(world, accountId, "starter-monthly");
  const undo = () => cancelScheduledChange(world.billing, accountId, owner, newId());
  await expect(whileTold(world, accountId, undo)).rejects.toEqual(refusal("unavailable"));
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "pro-1" });
  // Told by now, so it is told back.
  await undo();
  await world.pass(2 * hourMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", scheduledPlanId: null });
});

test.for(["period-end", "now"] as const)(
  "no other change (%s) takes the place of a scheduled one while the provider is told of it",
  async (timing) => {
    const world = await openTestBilling();
    const accountId = await subscribe(world, "pro-2-monthly");
    await change(world, accountId, "starter-monthly");
    const other = () => change(world, accountId, "pro-1-monthly", timing);
    await expect(whileTold(world, accountId, other)).rejects.toEqual(refusal("unavailable"));
    expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "pro-2", pendingPlanId: null });
    // Told by now, so another one can follow.
    await change(world, accountId, "pro-1-monthly", "period-end");
    await world.pass(2 * hourMs);
    expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", scheduledPlanId: null });
    expect(await correctionCounts(world.database.db)).toEqual({});
  },
);

test("a scheduled change that the provider refuses can be undone, and keeps no other change out", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  await change(world, accountId, "starter-monthly");
  const end = (await world.find(accountId)).periodEndsAt!;
  const { change: tell } = world.provider;
  world.provider.change = () => Promise.reject(new ProviderRefusal("there is no such price any more"));
  await world.pass(end.getTime() - world.clock.now().getTime() - hourMs);
  world.provider.change = tell;
  await change(world, accountId, "pro-1-monthly", "period-end");
  expect(await world.find(accountId)).toMatchObject({ scheduledPlanId: "pro-1-monthly", scheduledToldAt: null });
  world.provider.change = () => Promise.reject(new ProviderRefusal("there is no such price any more"));
  await world.pass(minuteMs);
  await cancelScheduledChange(world.billing, accountId, owner, newId());
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", scheduledPlanId: null });
});

test("a change cannot be undone once its period is over, even if the renewal is not known here yet", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  await change(world, accountId, "starter-monthly");
  const end = (await world.find(accountId)).periodEndsAt!;
  await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
  expect((await world.find(accountId)).scheduledToldAt).not.toBeNull();
  const late = { ...world.billing, clock: { now: () => new Date(end.getTime() + minuteMs) } };
  await expect(cancelScheduledChange(late, accountId, owner, newId())).rejects.toEqual(refusal("unavailable"));
  expect(await world.find(accountId)).toMatchObject({ pendingPlanId: null });
});

test("from monthly to yearly moves the period; a legacy plan is kept and can't be chosen by others", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-monthly");
  await world.pass(10 * dayMs);
  await change(world, accountId, "pro-1-yearly");
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-yearly", periodEndsAt: new Date("2028-01-20T09:00:00Z") });
  await expect(quoteChange(world.billing, accountId, { planId: "power-monthly", quotas: null })).rejects.toEqual(refusal("plan_withdrawn"));
  await expect(quoteChange(world.billing, accountId, { planId: "trial-1", quotas: null })).rejects.toEqual(refusal("plan_not_found"));
});

test("quotas outside a plan's bounds are all refused together; the currency is the first purchase's", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const asked = startCheckout(
    world.billing,
    accountId,
    { planId: "custom-monthly", quotas: { monthlyExecutions: 1, activeWorkflows: 5000 }, currency: "EUR" },
    owner,
    newId(),
  );
  await expect(asked).rejects.toMatchObject({
    code: "validation_failed",
    details: { errors: [{ code: "quota.too_small" }, { code: "quota.too_large" }] },
  });
  await startCheckout(
    world.billing,
    accountId,
    { planId: "custom-monthly", quotas: { monthlyExecutions: 75_000, activeWorkflows: 60 }, currency: "EUR" },
    owner,
    newId(),
  );
  const [page] = await world.database.db.select().from(checkouts);
  world.provider.pay(page!.checkoutId);
  await world.settle();
  expect(await world.find(accountId)).toMatchObject({ currency: "EUR", customExecutions: 75_000, customWorkflows: 60 });
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await world.pass(32 * dayMs);
  await startCheckout(world.billing, accountId, { planId: "starter-monthly", quotas: null, currency: "USD" }, owner, newId());
  expect((await world.database.db.select().from(checkouts).where(eq(checkouts.planId, "starter-monthly")))[0]).toMatchObject({
    currency: "EUR",
  });
});

test("a downgrade below current usage says what will stop working", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-monthly");
  await world.database.db.update(workspaces).set({ activeWorkflows: 12 }).where(eq(workspaces.accountId, accountId));
  const preview = await quoteChange(world.billing, accountId, { planId: "starter-monthly", quotas: null });
  expect(preview).toMatchObject({ direction: "downgrade", timing: "period-end", restarts: false });
  expect(preview.stopsWorking).toContain(
    "12 workflows are active, but Starter allows 5. You can't activate another workflow until 5 or fewer are active.",
  );
  // What the customer did not have is not listed.
  expect(preview.stopsWorking.join()).not.toContain("Execution search");
  const licensed = await quoteChange({ ...world.billing, delivery: { engine: "n8n", n8nLicense: true } }, accountId, {
    planId: "starter-monthly",
    quotas: null,
  });
  expect(licensed.stopsWorking).toContain("Execution search is not part of Starter.");
});

test("settings that apply at a start need a restart: announced in the preview, and made with the change", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const generation = async () =>
    (await world.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!.generation;
  const before = await generation();
  const pro = { planId: "pro-1-monthly", quotas: null };
  // Executions are kept for 30 days instead of 7, and n8n reads that when it starts.
  const preview = await quoteChange(world.billing, accountId, pro);
  expect(preview).toMatchObject({ direction: "upgrade", timing: "now", restarts: true });
  await confirmChange(world.billing, accountId, { ...pro, previewId: preview.previewId }, owner, newId());
  expect(await generation()).toBe(before + 1);
  const larger = { planId: "pro-2-monthly", quotas: null };
  const { previewId } = await quoteChange(world.billing, accountId, larger);
  await confirmChange(world.billing, accountId, { ...larger, previewId }, owner, newId());
  // More quotas alone need no restart: memory and execution log stay as they are.
  const custom = { planId: "custom-monthly", quotas: { monthlyExecutions: 60_000, activeWorkflows: 60 } };
  expect(await quoteChange({ ...world.billing, workspaceMemoryMb: 2048 }, accountId, custom)).toMatchObject({
    timing: "now",
    restarts: false,
  });
});

test("a change of memory restarts the workspace only as announced in the preview", async () => {
  const world = await openTestBilling();
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

/** What the account's running workspace is given from now on: its memory, its restarts, and how many of them its journal explains. */
async function givenTo(world: TestBilling, accountId: string) {
  const { db } = world.database;
  const workspace = async () => (await db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
  const { id, generation } = await workspace();
  const countLines = () =>
    db.$count(workspaceJournal, and(eq(workspaceJournal.workspaceId, id), eq(workspaceJournal.event, "plan-restart")));
  const before = await countLines();
  return async () => {
    const now = await workspace();
    return { memoryMb: now.memoryMb, restarts: now.generation - generation, lines: (await countLines()) - before };
  };
}

test("a larger plan that begins at the period's end is given then: the workspace restarts once, as the preview says", async () => {
  const world = await openTestBilling();
  world.billing.workspaceMemoryMb = 1024;
  const accountId = await subscribe(world, "pro-1-monthly");
  const given = await givenTo(world, accountId);
  const larger = { planId: "pro-2-monthly", quotas: null, timing: "period-end" as const };
  const preview = await quoteChange(world.billing, accountId, larger);
  expect(preview).toMatchObject({ direction: "upgrade", timing: "period-end", restarts: true });
  await confirmChange(world.billing, accountId, { ...larger, previewId: preview.previewId }, owner, newId());
  const { periodEndsAt } = await world.find(accountId);
  // The provider is told shortly before; the day that the preview names is the renewal's.
  await world.pass(periodEndsAt!.getTime() - world.clock.now().getTime() - minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-1" });
  expect(await given()).toEqual({ memoryMb: 1024, restarts: 0, lines: 0 });
  await world.pass(dayMs);
  expect(await given()).toEqual({ memoryMb: 2048, restarts: 1, lines: 1 });
  expect(await world.desiredState(accountId)).toBe("running");
  await world.pass(32 * dayMs);
  expect(await given()).toMatchObject({ restarts: 1, lines: 1 });
});

test("a larger plan bought during the trial is given when it is paid: the running workspace restarts once, with its memory", async () => {
  const world = await openTestBilling();
  world.billing.workspaceMemoryMb = 1024;
  const accountId = await world.addAccount();
  const given = await givenTo(world, accountId);
  await world.buy(accountId, "pro-2-monthly");
  expect(await given()).toMatchObject({ restarts: 0, lines: 0 });
  await world.settle();
  expect(await given()).toEqual({ memoryMb: 2048, restarts: 1, lines: 1 });
  await world.pass(2 * dayMs);
  expect(await given()).toMatchObject({ restarts: 1, lines: 1 });
});

test("a plan that gives nothing new at a start does not restart the workspace of a trial", async () => {
  const world = await openTestBilling();
  const { specs, plans } = readCatalogue();
  const trial = specs.find(({ id }) => id === "trial-1")!;
  const more = { ...trial, id: "trial-and-more", monthlyExecutionsLimit: 2000, metadata: { ...trial.metadata, group: "opt-out" as const } };
  const sold = { ...plans.find(({ id }) => id === "starter-monthly")!, id: "more-monthly", spec: more.id };
  await savePlans(world.database.db, { specs: [...specs, more], plans: [...plans, sold] }, world.clock.now());
  const accountId = await world.addAccount();
  const given = await givenTo(world, accountId);
  await world.buy(accountId, sold.id);
  await world.settle();
  expect(await world.find(accountId)).toMatchObject({ planId: sold.id, specId: more.id });
  expect(await given()).toMatchObject({ restarts: 0, lines: 0 });
});

test("a plan with more executions that keeps fewer days of them waits for the next start, so that paying deletes nothing", async () => {
  const world = await openTestBilling();
  world.billing.workspaceMemoryMb = 1024;
  const accountId = await world.addAccount();
  const given = await givenTo(world, accountId);
  await world.buy(accountId, "starter-monthly");
  await world.settle();
  expect(await given()).toEqual({ memoryMb: 1024, restarts: 0, lines: 0 });
});

test("a larger plan bought moments after a restart gets one more: the first may have begun with the memory before", async () => {
  const world = await openTestBilling();
  world.billing.workspaceMemoryMb = 1024;
  const accountId = await world.addAccount();
  const given = await givenTo(world, accountId);
  await requestRestart(world.database.db, accountId, world.clock.now());
  await world.buy(accountId, "pro-2-monthly");
  await world.settle();
  expect(await given()).toEqual({ memoryMb: 2048, restarts: 2, lines: 1 });
});

test("a larger plan that support sets at the provider restarts the workspace once, too", async () => {
  const world = await openTestBilling();
  world.billing.workspaceMemoryMb = 1024;
  const accountId = await subscribe(world, "pro-1-monthly");
  const given = await givenTo(world, accountId);
  const [theirs] = liveSubscriptions(world.provider, accountId);
  theirs!.purchase = { planId: "pro-2-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 };
  theirs!.changedAt = world.clock.now();
  await syncSubscription(world.billing, accountId, []);
  expect(await given()).toEqual({ memoryMb: 2048, restarts: 1, lines: 1 });
});

test("of two plans with the same contents and different prices, undoing a change returns to the one that was paid", async () => {
  const world = await openTestBilling();
  const { plans, ...rest } = readCatalogue();
  const dearer = { ...plans.find(({ id }) => id === "pro-1-monthly")!, id: "pro-1-monthly-2027" };
  await savePlans(world.database.db, { ...rest, plans: [dearer, ...plans] }, world.clock.now());
  for (const planId of ["pro-1-monthly", dearer.id]) {
    const accountId = await subscribe(world, planId);
    await change(world, accountId, "starter-monthly");
    const { periodEndsAt } = await world.find(accountId);
    await world.pass(periodEndsAt!.getTime() - world.clock.now().getTime() - 30 * minuteMs);
    expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "pro-1" });
    await cancelScheduledChange(world.billing, accountId, owner, newId());
    expect(await world.find(accountId)).toMatchObject({ planId, specId: "pro-1", scheduledPlanId: null });
    expect(liveSubscriptions(world.provider, accountId)[0]!.purchase!.planId).toBe(planId);
  }
});
