/** What happens elsewhere while the mails of a change are rendered: nothing is locked then, and the change is decided again. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { mails, users } from "#database/tables.ts";
import { dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, refusal, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import type { Billing } from "./billing.ts";
import { cancelSubscription } from "./purchases/cancel-subscription.ts";
import { confirmChange } from "./purchases/change/confirm-change.ts";
import { quoteChange } from "./purchases/change/quote-change.ts";
import { extendTrial } from "./subscription/assign-plan.ts";
import { runDue } from "./subscription/run-timers.ts";

/** The same, where `meanwhile` happens once, while the first mail is rendered. */
function whileRendering({ billing }: TestBilling, meanwhile: () => Promise<unknown>): Billing {
  let isFirst = true;
  return {
    ...billing,
    async renderMail(mail) {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return billing.renderMail(mail);
    },
  };
}

test("a mail goes to the address that the owner has when the change is written", async () => {
  const world = await openTestBilling();
  const { db } = world.billing;
  const accountId = await world.addAccount();
  const move = () => db.update(users).set({ email: "new@example.com" }).where(eq(users.accountId, accountId));
  await cancelSubscription(whileRendering(world, move), accountId, { reason: null }, owner, newId());
  expect(await db.select({ to: mails.recipient, subject: mails.subject }).from(mails)).toEqual([
    { to: "new@example.com", subject: expect.stringContaining("cancel-confirmed") },
  ]);
});

test("a timer that another worker runs at the same time has run once, with one mail", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  world.clock.advance(11 * dayMs);
  await runDue(whileRendering(world, () => runDue(world.billing)));
  expect(await world.mails(accountId)).toEqual([expect.stringContaining("trial-ending")]);
});

test("a timer that a change has removed does nothing", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  world.clock.advance(14 * dayMs);
  await runDue(whileRendering(world, () => extendTrial(world.billing, accountId, 30, "Grace")));
  expect(await world.state(accountId)).toBe("trial");
  expect(await world.desiredState(accountId)).toBe("running");
  expect(await world.mails(accountId)).toEqual([]);
});

test("a confirmed change is refused if the subscription has become another one, and no mail mentions it", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const before = await world.mails(accountId);
  const smaller = { planId: "pro-1-monthly", quotas: null };
  const { previewId } = await quoteChange(world.billing, accountId, smaller);
  const cancel = () => cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  await expect(confirmChange(whileRendering(world, cancel), accountId, { ...smaller, previewId }, owner, newId())).rejects.toEqual(
    refusal("preview_stale"),
  );
  expect((await world.find(accountId)).scheduledPlanId).toBeNull();
  expect((await world.mails(accountId)).slice(before.length)).toEqual([expect.stringContaining("cancel-confirmed")]);
});
