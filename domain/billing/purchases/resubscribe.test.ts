import { expect, test } from "vitest";
import { dayMs, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, refusal, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { PaymentActionRequired } from "#payments/payment-provider.ts";
import { quoteResubscribe } from "./quote-resubscribe.ts";
import { resubscribe } from "./resubscribe.ts";
import { runDue } from "../subscription/run-timers.ts";

/** A paused subscription one second before its deletion; the customer's bank asks for confirmation of resuming. */
async function atTheBank(): Promise<{
  world: TestBilling;
  accountId: string;
  ask: () => Promise<unknown>;
  confirm: () => Promise<unknown>;
  resume: TestBilling["provider"]["resume"];
}> {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  await world.pass(38 * dayMs);
  const { deletionAt } = await world.find(accountId);
  await world.pass(deletionAt!.getTime() - world.clock.now().getTime() - secondMs);
  world.provider.cardPays = true;
  const { resume } = world.provider;
  let confirm: () => Promise<unknown> = () => Promise.reject(new Error("nothing was asked"));
  world.provider.resume = (...asked) => {
    confirm = () => resume(...asked);
    return Promise.reject(new PaymentActionRequired("Confirm it.", "https://bank.example"));
  };
  const ask = async () =>
    resubscribe(world.billing, accountId, (await quoteResubscribe(world.billing, accountId)).previewId, owner, newId());
  return { world, accountId, ask, confirm: () => confirm(), resume };
}

test("a deletion that falls due while the customer is at their bank waits for them", async () => {
  const { world, accountId, ask, confirm } = await atTheBank();
  await expect(ask()).rejects.toEqual(refusal("payment_action_required"));
  await world.pass(5 * minuteMs);
  expect(await world.desiredState(accountId)).toBe("stopped");
  await confirm();
  await world.settle();
  expect(await world.state(accountId)).toBe("active");
  expect(await world.desiredState(accountId)).toBe("running");
});

test("a customer who never returns from their bank delays a deletion by fifteen minutes at most, however often they try", async () => {
  const { world, accountId, ask } = await atTheBank();
  for (let minutes = 0; minutes < 15; minutes += 5) {
    await expect(ask()).rejects.toEqual(refusal("payment_action_required"));
    await world.pass(5 * minuteMs);
  }
  await world.pass(minuteMs);
  expect(await world.desiredState(accountId)).toBe("deleted");
});

test("a deletion about to run when the customer agrees to pay leaves them the workspace", async () => {
  const { world, accountId, resume: charge } = await atTheBank();
  const { previewId } = await quoteResubscribe(world.billing, accountId);
  world.clock.advance(minuteMs);
  const [asked, bank] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const { readSubscription } = world.provider;
  world.provider.resume = async (...call) => {
    asked.resolve(undefined);
    await bank.promise;
    return charge(...call);
  };
  let resuming: Promise<unknown> | undefined;
  // The deletion has just learned that nothing is paid.
  world.provider.readSubscription = async (id) => {
    const truth = await readSubscription(id);
    resuming ??= resubscribe(world.billing, accountId, previewId, owner, newId());
    await asked.promise;
    return truth;
  };
  await runDue(world.billing);
  expect(await world.desiredState(accountId)).toBe("stopped");
  bank.resolve(undefined);
  await resuming;
  expect(await world.state(accountId)).toBe("active");
  expect(await world.desiredState(accountId)).toBe("running");
});

test("after an outage, an overdue deletion waits once for the customer who is at their bank", async () => {
  const { world, accountId, ask, confirm } = await atTheBank();
  world.clock.advance(2 * 60 * minuteMs);
  await expect(ask()).rejects.toEqual(refusal("payment_action_required"));
  await world.pass(10 * minuteMs);
  expect(await world.desiredState(accountId)).toBe("stopped");
  await expect(ask()).rejects.toEqual(refusal("payment_action_required"));
  await world.pass(6 * minuteMs);
  expect(await world.desiredState(accountId)).toBe("deleted");
  await expect(confirm()).rejects.toThrow();
});

/** The deletion runs; a customer whose bank asks agrees to pay at the moment at which the deletion has learned that nothing is paid. */
async function askWhileItRuns({ world, accountId }: Awaited<ReturnType<typeof atTheBank>>): Promise<void> {
  const { previewId } = await quoteResubscribe(world.billing, accountId);
  const { readSubscription } = world.provider;
  world.provider.readSubscription = async (id) => {
    const truth = await readSubscription(id);
    world.provider.readSubscription = readSubscription;
    await expect(resubscribe(world.billing, accountId, previewId, owner, newId())).rejects.toEqual(refusal("payment_action_required"));
    return truth;
  };
  await runDue(world.billing);
}

test("after an outage, an overdue deletion that already runs waits for the customer who agrees to pay", async () => {
  const scene = await atTheBank();
  const { world, accountId, confirm } = scene;
  world.clock.advance(2 * 60 * minuteMs);
  await askWhileItRuns(scene);
  expect(await world.desiredState(accountId)).toBe("stopped");
  await world.pass(10 * minuteMs);
  expect(await world.desiredState(accountId)).toBe("stopped");
  await confirm();
  await world.settle();
  expect(await world.state(accountId)).toBe("active");
  expect(await world.desiredState(accountId)).toBe("running");
});

test("after an outage, a customer who agrees to pay whenever the deletion runs delays it once", async () => {
  const scene = await atTheBank();
  const { world, accountId } = scene;
  world.clock.advance(2 * 60 * minuteMs);
  await askWhileItRuns(scene);
  expect(await world.desiredState(accountId)).toBe("stopped");
  world.clock.advance(15 * minuteMs);
  await askWhileItRuns(scene);
  expect(await world.desiredState(accountId)).toBe("deleted");
});
