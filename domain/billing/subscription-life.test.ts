import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { backups, corrections, restores, timers, workspaceJournal, workspaces } from "#database/tables.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, refusal, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { cancelSubscription } from "./purchases/cancel-subscription.ts";
import { completeCheckout } from "./purchases/checkout/complete-checkout.ts";
import { correctionCounts } from "./count-correction.ts";
import { quoteChange } from "./purchases/change/quote-change.ts";
import { quoteResubscribe } from "./purchases/quote-resubscribe.ts";
import { resubscribe } from "./purchases/resubscribe.ts";
import { retryPayment } from "./purchases/retry-payment.ts";
import { runDue } from "./subscription/run-timers.ts";
import { startCheckout } from "./purchases/checkout/start-checkout.ts";
import { startTrial } from "./subscription/start-trial.ts";
import { healGrants } from "./provider-truth/sweep-billing.ts";
import { receiveEvent } from "./provider-truth/provider-event-store.ts";
import { syncSubscription } from "./provider-truth/sync-subscription.ts";

const agreed = async (world: TestBilling, accountId: string) => (await quoteResubscribe(world.billing, accountId)).previewId;
const deletionDue = async (world: TestBilling) =>
  (await world.database.db.select({ runAt: timers.runAt }).from(timers).where(eq(timers.kind, "deletion")))[0]!.runAt;

test("an unpaid trial: mails at −3 d, −1 d, 0 and +4 d, stopped at its end, deleted 7 days later, each to the day", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.pass(14 * dayMs - 1000);
  expect(await world.state(accountId)).toBe("trial");
  await world.pass(1000);
  expect(await world.find(accountId)).toMatchObject({
    status: "deleted",
    endedAt: new Date("2027-01-24T09:00:00Z"),
    deletionAt: new Date("2027-01-31T09:00:00Z"),
  });
  expect(await world.desiredState(accountId)).toBe("stopped");
  await world.pass(7 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
  expect(await world.desiredState(accountId)).toBe("deleted");
  await world.pass(minuteMs);
  expect(await world.mails(accountId)).toEqual([
    "trial-ending 2027-01-21",
    "trial-ending 2027-01-23",
    "trial-ended 2027-01-24",
    "deletion-warning 2027-01-28",
    "workspace-deleted 2027-01-31",
  ]);
  expect(await world.audit(accountId)).toEqual(["subscription.ended", "subscription.gone"]);
  expect(await world.database.db.$count(timers)).toBe(0);
});

test("a clock that jumps a year runs each timer once, in chronological order", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  world.clock.advance(365 * dayMs);
  await runDue(world.billing);
  await world.pass(hourMs);
  expect(await world.mails(accountId)).toEqual([
    "trial-ending 2027-01-21",
    "trial-ending 2027-01-23",
    "trial-ended 2027-01-24",
    "deletion-warning 2027-01-28",
    "workspace-deleted 2028-01-10",
  ]);
  expect(await runDue(world.billing)).toBe(0);
});

test("an account gets one trial only", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const { periodEndsAt } = await world.find(accountId);
  await world.pass(20 * dayMs);
  await world.database.db.transaction((tx) => startTrial(tx, accountId, world.clock.now()));
  expect(await world.find(accountId)).toMatchObject({ status: "deleted", periodEndsAt });
});

test("an outage over the warning and the deletion: the owner is warned first and has their three days", async () => {
  const world = await openTestBilling({ leastNoticeMs: 3 * dayMs });
  const accountId = await world.addAccount();
  world.clock.advance(60 * dayMs);
  await runDue(world.billing);
  expect(await world.state(accountId)).toBe("ended");
  await world.pass(3 * dayMs - 1000);
  expect(await world.state(accountId)).toBe("ended");
  await world.pass(1000);
  expect(await world.state(accountId)).toBe("gone");
});

test("an event before the customer's return, and a return before the event, both make the plan active, once", async () => {
  const world = await openTestBilling();
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

test("an unpaid checkout activates nothing", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await startCheckout(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, currency: null }, owner, newId());
  await completeCheckout(world.billing, accountId);
  expect(await world.state(accountId)).toBe("trial");
});

test("a payment whose event never comes is found by the check of open checkouts", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.buy(accountId, "pro-1-monthly");
  world.provider.takeEvents();
  await world.pass(10 * minuteMs);
  expect(await world.state(accountId)).toBe("trial");
  await world.pass(10 * minuteMs);
  expect(await world.state(accountId)).toBe("active");
});

test("a payment at the very moment of the trial's end keeps the workspace running, without its event", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  world.clock.advance(14 * dayMs);
  await world.buy(accountId, "pro-1-monthly");
  world.provider.takeEvents();
  await runDue(world.billing);
  expect(await world.state(accountId)).toBe("active");
  expect(await world.desiredState(accountId)).toBe("running");
  expect((await world.mails(accountId)).filter((mail) => mail.startsWith("trial-ended"))).toEqual([]);
});

test("past due: mails at each failed attempt, the workspace runs, no change of plan; then paused and stopped, deleted 30 days later and ended at the provider", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(31 * dayMs);
  expect(await world.state(accountId)).toBe("past-due");
  expect(await world.desiredState(accountId)).toBe("running");
  await expect(quoteChange(world.billing, accountId, { planId: "pro-2-monthly", quotas: null })).rejects.toEqual(
    refusal("update_billing_first"),
  );
  await expect(retryPayment(world.billing, accountId, owner, newId())).rejects.toEqual(refusal("payment_declined"));
  await world.pass(7 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  expect(await world.desiredState(accountId)).toBe("stopped");
  await expect(quoteChange(world.billing, accountId, { planId: "pro-2-monthly", quotas: null })).rejects.toEqual(
    refusal("update_billing_first"),
  );
  const { pausedAt, deletionAt } = await world.find(accountId);
  expect(deletionAt!.getTime() - pausedAt!.getTime()).toBe(30 * dayMs);
  await world.pass(30 * dayMs + minuteMs);
  expect(await world.state(accountId)).toBe("gone");
  expect(await world.desiredState(accountId)).toBe("deleted");
  expect([...world.provider.subscriptions.values()].map(({ status }) => status)).toEqual(["deleted"]);
  const names = (await world.mails(accountId)).map((mail) => mail.split(" ")[0]);
  expect(names).toEqual([
    "subscription-started",
    "payment-failed",
    "payment-failed",
    "payment-failed",
    "payment-failed",
    "subscription-paused",
    "deletion-warning",
    "workspace-deleted",
  ]);
});

test("paying while past due, and resubscribing while paused, restore everything", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(31 * dayMs);
  world.provider.cardPays = true;
  await retryPayment(world.billing, accountId, owner, newId());
  expect(await world.state(accountId)).toBe("active");
  world.provider.cardPays = false;
  await world.pass(40 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  await expect(resubscribe(world.billing, accountId, await agreed(world, accountId), owner, newId())).rejects.toEqual(
    refusal("payment_declined"),
  );
  world.provider.cardPays = true;
  const key = newId();
  const charges = world.provider.charges.length;
  const previewId = await agreed(world, accountId);
  expect(
    await Promise.all([
      resubscribe(world.billing, accountId, previewId, owner, key),
      resubscribe(world.billing, accountId, previewId, owner, key),
    ]),
  ).toEqual([{ url: null }, { url: null }]);
  expect(world.provider.charges).toHaveLength(charges + 1);
  expect(await world.find(accountId)).toMatchObject({ status: "active", deletionAt: null, pausedAt: null });
  expect(await world.desiredState(accountId)).toBe("running");
});

test("a cancellation runs to the end of the paid period, with everything; resubscribing before then undoes it", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await cancelSubscription(world.billing, accountId, { reason: "too dear" }, owner, newId());
  const { cancelAt } = await world.find(accountId);
  expect(await world.state(accountId)).toBe("cancelling");
  await expect(quoteChange(world.billing, accountId, { planId: "pro-2-monthly", quotas: null })).rejects.toEqual(
    refusal("update_billing_first"),
  );
  expect(await resubscribe(world.billing, accountId, await agreed(world, accountId), owner, newId())).toEqual({ url: null });
  expect(await world.find(accountId)).toMatchObject({ cancelAt: null, status: "active" });
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await world.pass(cancelAt!.getTime() - world.clock.now().getTime() - 1000);
  expect(await world.desiredState(accountId)).toBe("running");
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1" });
  await world.pass(1000);
  expect(await world.find(accountId)).toMatchObject({ status: "deleted", endedAt: cancelAt, deletedAt: cancelAt, deletionAt: null });
  expect(await world.desiredState(accountId)).toBe("deleted");
  expect(await world.state(accountId)).toBe("gone");
  await world.pass(minuteMs);
  const names = (await world.mails(accountId)).map((mail) => mail.split(" ")[0]);
  expect(names).toEqual([
    "subscription-started",
    "cancel-confirmed",
    "cancel-undone",
    "cancel-confirmed",
    "subscription-ending",
    "subscription-ending",
    "subscription-ended",
    "workspace-deleted",
  ]);
});

/** Cancels and lets the paid period end; the workspace is gone then. Resolves with the time. */
async function endCancelled(world: TestBilling, accountId: string): Promise<Date> {
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  const { cancelAt } = await world.find(accountId);
  await world.pass(cancelAt!.getTime() - world.clock.now().getTime());
  return cancelAt!;
}
const workspaceOf = async (world: TestBilling, accountId: string) =>
  (await world.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
const lastBackup = async (world: TestBilling) =>
  (await world.database.db.select().from(backups).where(eq(backups.kind, "before-deletion")))[0]!;
const payPage = (world: TestBilling, url: string | null) => world.provider.pay(url!.split("/").at(-1)!);

test("on day 29 after the end, resubscribing brings the workspace back from its last backup, once, also if its event comes twice", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await endCancelled(world, accountId);
  const before = await workspaceOf(world, accountId);
  expect(before).toMatchObject({ desiredState: "deleted", observedState: "deleted", life: 1 });
  const backup = await lastBackup(world);
  await world.pass(29 * dayMs);
  const quote = await quoteResubscribe(world.billing, accountId);
  expect(quote).toMatchObject({
    way: "checkout",
    workspace: "restored",
    lastBackup: { madeAt: backup.createdAt.toISOString(), keptUntil: backup.keptUntil!.toISOString() },
  });
  const { url } = await resubscribe(world.billing, accountId, quote.previewId, owner, newId());
  payPage(world, url);
  const events = world.provider.takeEvents();
  for (const event of [...events, ...events.map((each) => ({ ...each, id: `${each.id}-again` }))])
    await receiveEvent(world.database.db, "sandbox", event, world.clock.now());
  // Two tabs come back at the same moment, and a worker handles the events.
  await Promise.all([completeCheckout(world.billing, accountId), completeCheckout(world.billing, accountId), world.settle()]);
  await world.settle();
  expect(await world.find(accountId)).toMatchObject({ status: "active", planId: "pro-1-monthly", deletedLife: null });
  expect(await workspaceOf(world, accountId)).toMatchObject({ id: before.id, desiredState: "running", life: 2 });
  expect(await world.restored()).toEqual([{ backupId: backup.id, life: 2 }]);
  // It can be tried again for as long as after the deletion.
  expect((await lastBackup(world)).keptUntil).toEqual(after(world.clock.now(), 30 * dayMs));
});

test("what was shown before paying holds: a page opened on day 29 and paid on day 31 brings the workspace back", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await endCancelled(world, accountId);
  await world.pass(29 * dayMs + 23 * hourMs);
  const { url } = await resubscribe(world.billing, accountId, await agreed(world, accountId), owner, newId());
  await world.pass(12 * hourMs);
  payPage(world, url);
  await world.settle();
  expect(await world.restored()).toHaveLength(1);
});

test("on day 31 it starts empty, as is said before paying", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await endCancelled(world, accountId);
  await world.pass(31 * dayMs);
  const quote = await quoteResubscribe(world.billing, accountId);
  expect(quote).toMatchObject({ way: "checkout", workspace: "empty", lastBackup: null });
  const { url } = await resubscribe(world.billing, accountId, quote.previewId, owner, newId());
  payPage(world, url);
  await world.settle();
  expect(await world.desiredState(accountId)).toBe("running");
  expect(await workspaceOf(world, accountId)).toMatchObject({ life: 2 });
  expect(await world.restored()).toEqual([]);
});

test("a clock that ran ahead when a workspace began hides none of its backups", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await world.database.db.update(workspaces).set({ life: 2, renewedAt: after(world.clock.now(), 60 * dayMs) });
  await endCancelled(world, accountId);
  await world.database.db.update(backups).set({ life: 2 });
  const { id, createdAt } = await lastBackup(world);
  const quote = await quoteResubscribe(world.billing, accountId);
  expect(quote).toMatchObject({ workspace: "restored", lastBackup: { madeAt: createdAt.toISOString() } });
  payPage(world, (await resubscribe(world.billing, accountId, quote.previewId, owner, newId())).url);
  await world.settle();
  expect(await world.restored()).toEqual([{ backupId: id, life: 3 }]);
});

test("a workspace that came back, and ends again before its restore was carried out, comes back from the same backup", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await endCancelled(world, accountId);
  await world.database.db.update(backups).set({ life: 1 });
  const { id } = await lastBackup(world);
  const comeBack = async () => {
    const quote = await quoteResubscribe(world.billing, accountId);
    expect(quote).toMatchObject({ workspace: "restored", lastBackup: expect.anything() });
    payPage(world, (await resubscribe(world.billing, accountId, quote.previewId, owner, newId())).url);
    await world.settle();
  };
  await comeBack();
  // Refunded at once; nobody has ever used this life, so nothing of its own is kept.
  await world.billing.provider.cancelNow((await world.find(accountId)).providerSubscriptionId!, newId());
  world.backupsSucceed = false;
  await world.pass(8 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
  await world.database.db.update(restores).set({ state: "failed", finishedAt: world.clock.now() });
  await world.database.db.update(workspaces).set({ observedState: "deleted", observedVersion: null });
  await comeBack();
  expect(await world.restored()).toEqual([
    { backupId: id, life: 2 },
    { backupId: id, life: 3 },
  ]);
});

test("while the last backup fails nothing is removed or promised, and a payment keeps the workspace as it was", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.backupsSucceed = false;
  await endCancelled(world, accountId);
  await world.pass(3 * dayMs);
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "deleted", observedState: "none" });
  expect((await world.mails(accountId)).at(-1)).toContain("subscription-ended");
  // Of one whose files are still there.
  await world.database.db.update(workspaces).set({ observedState: "offline", observedVersion: "2.40.7" });
  const quote = await quoteResubscribe(world.billing, accountId);
  expect(quote).toMatchObject({ way: "checkout", workspace: "kept", lastBackup: null });
  payPage(world, (await resubscribe(world.billing, accountId, quote.previewId, owner, newId())).url);
  await world.settle();
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "running", life: 1 });
  expect(await world.restored()).toEqual([]);
  world.backupsSucceed = true;
  await world.pass(minuteMs);
  expect((await world.mails(accountId)).filter((mail) => mail.startsWith("workspace-deleted"))).toEqual([]);
});

test("a workspace that its owner deleted stays deleted: its end is not announced, and a payment starts an empty one", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await world.database.db.transaction((tx) => requestDeletion(tx, accountId, world.clock.now()));
  await world.settle();
  await endCancelled(world, accountId);
  await world.pass(dayMs);
  const names = (await world.mails(accountId)).map((mail) => mail.split(" ")[0]);
  expect(names.slice(-2)).toEqual(["subscription-ending", "subscription-ended"]);
  const quote = await quoteResubscribe(world.billing, accountId);
  expect(quote).toMatchObject({ workspace: "empty", lastBackup: null });
  payPage(world, (await resubscribe(world.billing, accountId, quote.previewId, owner, newId())).url);
  await world.settle();
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "running", life: 2 });
  expect(await world.restored()).toEqual([]);
});

test("after an end that was not announced, paying before the deletion keeps the workspace", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await world.billing.provider.cancelNow((await world.find(accountId)).providerSubscriptionId!, newId());
  await world.settle();
  expect(await world.state(accountId)).toBe("ended");
  await world.pass(3 * dayMs);
  const quote = await quoteResubscribe(world.billing, accountId);
  expect(quote).toMatchObject({ way: "checkout", workspace: "kept", lastBackup: null });
  payPage(world, (await resubscribe(world.billing, accountId, quote.previewId, owner, newId())).url);
  await world.settle();
  expect(await world.find(accountId)).toMatchObject({ status: "active", planId: "pro-1-monthly", deletionAt: null });
  await world.pass(20 * dayMs);
  expect(await world.desiredState(accountId)).toBe("running");
});

test("a deletion is due while a payment's event is late: the workspace stays", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.pass(20 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  world.clock.advance(dayMs);
  await world.buy(accountId, "pro-1-monthly");
  world.provider.takeEvents();
  await runDue(world.billing);
  expect(await world.state(accountId)).toBe("active");
  expect(await world.desiredState(accountId)).toBe("running");
});

test("while a resubscription is under way, a due deletion waits for it", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(38 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  const { deletionAt } = await world.find(accountId);
  await world.pass(deletionAt!.getTime() - world.clock.now().getTime() - 1000);
  world.provider.cardPays = true;
  const previewId = await agreed(world, accountId);
  world.provider.trouble = "lost";
  await expect(resubscribe(world.billing, accountId, previewId, owner, newId())).rejects.toEqual(refusal("payments_unavailable"));
  world.provider.takeEvents();
  world.clock.advance(minuteMs);
  await runDue(world.billing);
  expect(await world.desiredState(accountId)).toBe("stopped");
  // It was paid, which is found before anything is deleted.
  world.provider.trouble = "none";
  await world.pass(hourMs);
  expect(await world.state(accountId)).toBe("active");
  expect(await world.desiredState(accountId)).toBe("running");
});

test("no API call by a customer postpones a deletion: not on a trial, not with a refused card, not while the provider does not answer", async () => {
  const world = await openTestBilling();
  const onTrial = await world.addAccount();
  await world.pass(15 * dayMs);
  const due = await deletionDue(world);
  world.clock.advance(due.getTime() - world.clock.now().getTime() - minuteMs);
  for (let times = 0; times < 3; times += 1)
    await expect(resubscribe(world.billing, onTrial, null, owner, newId())).rejects.toEqual(refusal("subscription_not_found"));
  expect(await deletionDue(world)).toEqual(due);
  await world.pass(minuteMs);
  expect(await world.desiredState(onTrial)).toBe("deleted");

  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(39 * dayMs);
  const { deletionAt } = await world.find(accountId);
  world.clock.advance(deletionAt!.getTime() - world.clock.now().getTime() - minuteMs);
  await expect(resubscribe(world.billing, accountId, await agreed(world, accountId), owner, newId())).rejects.toEqual(
    refusal("payment_declined"),
  );
  expect(await deletionDue(world)).toEqual(deletionAt);
  for (let times = 0; times < 5; times += 1) {
    const previewId = await agreed(world, accountId);
    world.provider.trouble = "away";
    await expect(resubscribe(world.billing, accountId, previewId, owner, newId())).rejects.toEqual(refusal("payments_unavailable"));
    world.provider.trouble = "none";
    world.clock.advance(10_000);
  }
  expect((await deletionDue(world)).getTime()).toBeLessThanOrEqual(deletionAt!.getTime() + 15 * minuteMs);
  await world.pass(17 * minuteMs);
  expect(await world.desiredState(accountId)).toBe("deleted");
});

test("resubscribing charges what was shown: without a price, or with a stale or different one, it is refused", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const other = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(39 * dayMs);
  world.provider.cardPays = true;
  const charges = world.provider.charges.length;
  const quote = await quoteResubscribe(world.billing, accountId);
  expect(quote).toMatchObject({ way: "charge", planId: "pro-1-monthly", dueNow: { amount: 1, currency: "USD" } });
  const foreign = await agreed(world, other);
  for (const previewId of [null, "v1.made-up", foreign])
    await expect(resubscribe(world.billing, accountId, previewId, owner, newId())).rejects.toEqual(refusal("preview_stale"));
  await world.pass(16 * minuteMs);
  await expect(resubscribe(world.billing, accountId, quote.previewId, owner, newId())).rejects.toEqual(refusal("preview_stale"));
  expect(world.provider.charges).toHaveLength(charges);
  await resubscribe(world.billing, accountId, await agreed(world, accountId), owner, newId());
  expect(world.provider.charges).toHaveLength(charges + 1);
});

test("a cancellation while a payment is overdue can be undone, too, and charges nothing", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(32 * dayMs);
  expect(await world.state(accountId)).toBe("past-due");
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  expect((await world.find(accountId)).cancelAt).not.toBeNull();
  const charges = world.provider.charges.length;
  expect(await resubscribe(world.billing, accountId, null, owner, newId())).toEqual({ url: null });
  expect(await world.find(accountId)).toMatchObject({ status: "past_due", cancelAt: null });
  expect([...world.provider.subscriptions.values()].map(({ cancelAt }) => cancelAt)).toEqual([null]);
  expect(world.provider.charges).toHaveLength(charges);
});

test("resubscribing in the minutes after the end opens a checkout, although no event has reported the end yet", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  world.clock.advance((await world.find(accountId)).cancelAt!.getTime() - world.clock.now().getTime() + minuteMs);
  world.provider.runDue();
  world.provider.takeEvents();
  expect(await quoteResubscribe(world.billing, accountId)).toMatchObject({
    way: "checkout",
    dueNow: { amount: 6000, currency: "USD" },
    lines: [{ label: "Pro 10K", amount: { amount: 6000 } }],
  });
  expect(await resubscribe(world.billing, accountId, null, owner, newId())).toEqual({
    url: expect.stringContaining("https://pay.example/"),
  });
});

test("nothing is deleted while the provider cannot be reached", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  await world.provider.cancelNow((await world.find(accountId)).providerSubscriptionId!, newId());
  await world.pass(3 * dayMs);
  world.provider.trouble = "away";
  world.clock.advance(10 * dayMs);
  await runDue(world.billing);
  expect(await world.desiredState(accountId)).toBe("stopped");
  world.provider.trouble = "none";
  await world.pass(2 * hourMs);
  expect(await world.desiredState(accountId)).toBe("deleted");
});

test("a customer who pays after the deletion gets a workspace again", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.pass(22 * dayMs);
  expect(await world.desiredState(accountId)).toBe("deleted");
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect(await world.desiredState(accountId)).toBe("running");
  expect(await world.find(accountId)).toMatchObject({ deletedAt: null, status: "active" });
});

test("cancelling a trial only records a note that can be undone", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  expect(await world.find(accountId)).toMatchObject({ status: "trialing", cancelAt: new Date("2027-01-24T09:00:00Z") });
  expect(await resubscribe(world.billing, accountId, await agreed(world, accountId), owner, newId())).toEqual({ url: null });
  expect(await world.find(accountId)).toMatchObject({ cancelAt: null });
});

test("missed events are made up for within a week, and counted", async () => {
  const world = await openTestBilling();
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

test("a grant that differs from what is billed is found, counted and repaired", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const restarts = () => world.database.db.$count(workspaceJournal, eq(workspaceJournal.event, "plan-restart"));
  const before = await restarts();
  await world.database.db.execute(`update subscriptions set spec_id = 'starter' where account_id = '${accountId}'`);
  expect(await healGrants(world.billing)).toBe(1);
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1" });
  expect(await healGrants(world.billing)).toBe(0);
  // The same happens to all of a plan's customers when the catalogue gives it more: what that needs waits for the next start.
  expect(await restarts()).toBe(before);
  expect((await world.database.db.select().from(corrections)).map(({ kind }) => kind)).toEqual(["grant-mismatch"]);
});

test("a plan changed at the provider is taken over", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const { providerSubscriptionId } = await world.find(accountId);
  const quote = await world.provider.previewChange(
    {
      subscriptionId: providerSubscriptionId!,
      purchase: { planId: "pro-2-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 },
      billing: "now",
    },
    null,
  );
  await world.provider.change(
    {
      subscriptionId: providerSubscriptionId!,
      purchase: { planId: "pro-2-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 },
      billing: "now",
    },
    { quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow },
    "by hand",
  );
  await syncSubscription(world.billing, accountId);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-2" });
  expect(await correctionCounts(world.database.db)).toEqual({ "plan-mismatch": 1 });
});
