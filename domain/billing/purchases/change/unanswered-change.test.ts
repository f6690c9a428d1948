/** Changes of plan whose outcome is unknown, or that wait for a bank: what happens to them later. */
import { expect, test } from "vitest";
import { dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, refusal, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import type { Timing } from "./change-terms.ts";
import { confirmChange } from "./confirm-change.ts";
import { correctionCounts } from "../../count-correction.ts";
import { PaymentActionRequired, ProviderUnreachable, type ChangeRequest } from "#payments/payment-provider.ts";
import { quoteChange } from "./quote-change.ts";
import { changeBeforeRenewalMs } from "../../subscription/subscription-timers.ts";

async function agree(world: TestBilling, accountId: string, planId: string, timing?: Timing) {
  const { previewId } = await quoteChange(world.billing, accountId, { planId, quotas: null, timing });
  return { planId, quotas: null, timing, previewId };
}

async function unanswered(world: TestBilling, accountId: string, planId: string, key = newId()): Promise<() => Promise<void>> {
  const agreed = await agree(world, accountId, planId, "now");
  const confirm = () => confirmChange(world.billing, accountId, agreed, owner, key);
  world.provider.trouble = "away";
  await expect(confirm()).rejects.toEqual(refusal("payments_unavailable"));
  world.provider.trouble = "none";
  return confirm;
}

const scheduleIt = async (world: TestBilling, accountId: string, planId: string) =>
  confirmChange(world.billing, accountId, await agree(world, accountId, planId, "period-end"), owner, newId());

test.for(["after", "before"] as const)(
  "a change for the period's end is granted then, although the same change, requested for now %s it, was never answered",
  async (order) => {
    const world = await openTestBilling();
    const accountId = await subscribe(world, "starter-monthly");
    if (order === "after") await scheduleIt(world, accountId, "pro-1-monthly");
    await unanswered(world, accountId, "pro-1-monthly");
    if (order === "before") await scheduleIt(world, accountId, "pro-1-monthly");
    const end = (await world.find(accountId)).periodEndsAt!;
    await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
    expect(await world.find(accountId)).toMatchObject({
      planId: "pro-1-monthly",
      specId: "starter",
      scheduledPlanId: "pro-1-monthly",
      pendingKey: null,
    });
    await world.pass(30 * minuteMs);
    expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", scheduledPlanId: null });
    expect(await correctionCounts(world.database.db)).toEqual({});
  },
);

test("an immediate change made without an answer is granted when it is discovered, even with the same one scheduled", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const agreed = await agree(world, accountId, "pro-1-monthly", "now");
  world.provider.trouble = "lost";
  await expect(confirmChange(world.billing, accountId, agreed, owner, newId())).rejects.toEqual(refusal("payments_unavailable"));
  world.provider.trouble = "none";
  // Its event never comes.
  world.provider.takeEvents();
  await scheduleIt(world, accountId, "pro-1-monthly");
  const end = (await world.find(accountId)).periodEndsAt!;
  await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", scheduledPlanId: null, pendingKey: null });
});

test("a change on its way is not overtaken by the scheduled one, whose time comes meanwhile", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-monthly");
  await scheduleIt(world, accountId, "starter-monthly");
  const end = (await world.find(accountId)).periodEndsAt!;
  const untilTold = end.getTime() - changeBeforeRenewalMs - world.clock.now().getTime();
  await world.pass(untilTold - secondMs);
  const agreed = await agree(world, accountId, "pro-2-monthly", "now");
  const { change } = world.provider;
  const [sent, arrives] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  world.provider.change = async (...asked) => {
    sent.resolve();
    await arrives.promise;
    return change(...asked);
  };
  const confirming = confirmChange(world.billing, accountId, agreed, owner, newId());
  await sent.promise;
  let toldOfScheduled = 0;
  world.provider.change = (...asked) => ((toldOfScheduled += 1), change(...asked));
  await world.pass(minuteMs);
  expect(toldOfScheduled).toBe(0);
  arrives.resolve();
  await confirming;
  await world.pass(hourMs);
  expect(toldOfScheduled).toBe(0);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-2", scheduledPlanId: null, pendingAt: null });
  await world.pass(dayMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-2" });
  expect(await correctionCounts(world.database.db)).toEqual({});
});

test("for 48 hours, its key finishes an unanswered change at its price", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "starter-monthly");
  const charges = world.provider.charges.length;
  const confirm = await unanswered(world, accountId, "pro-1-monthly");
  await world.pass(47 * hourMs);
  await confirm();
  expect(await world.find(accountId)).toMatchObject({ specId: "pro-1", pendingKey: null });
  expect(world.provider.charges).toHaveLength(charges + 1);
});

test("after 48 hours, or in another period, an unanswered change is not made at its old price", async () => {
  const world = await openTestBilling();
  const [late, renewed] = [await subscribe(world, "starter-monthly"), await subscribe(world, "starter-monthly")];
  const confirmLate = await unanswered(world, late, "pro-1-monthly");
  await world.pass(48 * hourMs + 16 * minuteMs);
  let calls = 0;
  const { change } = world.provider;
  world.provider.change = (...asked) => ((calls += 1), change(...asked));
  await expect(confirmLate()).rejects.toEqual(refusal("preview_stale"));
  const end = (await world.find(renewed)).periodEndsAt!;
  await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
  const confirmRenewed = await unanswered(world, renewed, "pro-1-monthly");
  calls = 0;
  await world.pass(hourMs);
  await expect(confirmRenewed()).rejects.toEqual(refusal("preview_stale"));
  expect(calls).toBe(0);
});

test("a change that needs bank confirmation applies exactly as confirmed, with no larger quota left", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  await world.pass(dayMs);
  const agreed = await agree(world, accountId, "starter-yearly", "now");
  const { change } = world.provider;
  let confirmAtBank: () => Promise<unknown> = () => Promise.reject(new Error("nothing was asked"));
  world.provider.change = (...asked) => {
    confirmAtBank = () => change(...asked);
    return Promise.reject(new PaymentActionRequired("Confirm it.", "https://bank.example"));
  };
  await expect(confirmChange(world.billing, accountId, agreed, owner, newId())).rejects.toEqual(refusal("payment_action_required"));
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", specId: "pro-2" });
  await world.pass(minuteMs);
  await confirmAtBank();
  await world.settle();
  expect(await world.find(accountId)).toMatchObject({
    planId: "starter-yearly",
    specId: "starter",
    scheduledPlanId: null,
    pendingKey: null,
  });
  expect(await correctionCounts(world.database.db)).toEqual({});
});

test("each attempt to tell the provider of a scheduled change has its own key, so that an earlier failure is not repeated", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  await scheduleIt(world, accountId, "starter-monthly");
  const { change } = world.provider;
  // A provider that repeats its first answer to a key, whatever it was.
  const answered = new Map<string, string>();
  const modes: ChangeRequest["billing"][] = [];
  world.provider.change = (request, quote, key) => {
    if ((answered.get(key) ?? request.billing) !== request.billing || answered.has(key))
      return Promise.reject(new ProviderUnreachable("as before"));
    answered.set(key, request.billing);
    modes.push(request.billing);
    return modes.length === 1 ? Promise.reject(new ProviderUnreachable("a fault")) : change(request, quote, key);
  };
  const end = (await world.find(accountId)).periodEndsAt!;
  await world.pass(end.getTime() - world.clock.now().getTime() - 30 * minuteMs);
  expect(modes).toEqual(["next-period", "next-period"]);
  expect(await world.find(accountId)).toMatchObject({ planId: "starter-monthly", specId: "pro-2" });
});
