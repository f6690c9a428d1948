/** Paddle answers 240 calls a minute: customers' clicks never wait for what the service does in the background. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { readingOnce } from "#platform/loops/read-once.ts";
import { secondMs } from "#platform/clock.ts";
import { asWork } from "#platform/tracing/current-work.ts";
import { countInMemory } from "#testing/payments/count-in-memory.ts";
import { createPaddleHarness } from "#testing/payments/paddle-harness.ts";
import { checkoutRequest, look, subscribe } from "#testing/payments/provider-suite/provider-customer.ts";
import { createTestClock } from "#testing/test-clock.ts";
import { ProviderUnreachable, type ProviderSubscription } from "../payment-provider.ts";

/** A customer with a subscription, at a Paddle that answers 240 calls a minute; a new minute begins. */
async function openBusyPaddle() {
  const clock = createTestClock();
  const harness = await createPaddleHarness({ clock, countCalls: countInMemory(clock) });
  onTestFinished(() => harness[Symbol.asyncDispose]());
  const subscription = await asCustomer(() => subscribe(harness));
  clock.advance(61 * secondMs);
  harness.fake.mostPerMinute = 240;
  harness.fake.asked.length = 0;
  return { clock, harness, subscription, read: () => harness.provider.readSubscription(subscription.id) };
}

const asCustomer = <T>(run: () => Promise<T>): Promise<T> => asWork({ requestId: "a click" }, null, run);

/** Reads until one is put off; returns how many were answered, and the error. */
async function readUntilPutOff(read: () => Promise<ProviderSubscription | null>): Promise<{ reads: number; error: ProviderUnreachable }> {
  for (let reads = 0; ; reads += 1) {
    const error = await read().then(
      () => null,
      (caught: unknown) => caught,
    );
    if (error) return { reads, error: error as ProviderUnreachable };
  }
}

test("background reads leave a quarter of Paddle's calls to customers, who can still buy", async () => {
  const { clock, harness, read } = await openBusyPaddle();
  const { reads, error } = await readUntilPutOff(read);
  expect(error).toBeInstanceOf(ProviderUnreachable);
  expect(error.retryAfterMs).toBe(15 * secondMs);
  // Each look was either answered as a whole or not begun.
  expect([reads, harness.fake.asked.length]).toEqual([9, 45]);
  for (let part = 2; part <= 4; part += 1) {
    clock.advance(15 * secondMs);
    expect((await readUntilPutOff(read)).reads).toBe(9);
  }
  expect(harness.fake.asked).toHaveLength(180);
  for (let clicks = 0; clicks < 10; clicks += 1)
    expect((await asCustomer(() => harness.provider.createCheckout(checkoutRequest(), randomUUID()))).url).toMatch(/^http/);
  clock.advance(61 * secondMs);
  expect(await read()).not.toBeNull();
});

test("background reads yield to customers who need more than their quarter", async () => {
  const { harness, read } = await openBusyPaddle();
  for (let clicks = 0; clicks < 6; clicks += 1) await asCustomer(read);
  expect(harness.fake.asked).toHaveLength(30);
  const { reads } = await readUntilPutOff(read);
  expect(reads).toBe(6);
  expect(harness.fake.asked).toHaveLength(60);
});

test("in no minute does background work alone come up against Paddle's limit, however late it begins", async () => {
  const { clock, harness, read } = await openBusyPaddle();
  // One look opens the first window; the rest of it is used shortly before it ends.
  await read();
  clock.advance(14 * secondMs);
  const before = harness.fake.asked.length;
  for (let seconds = 0; seconds < 60; seconds += 1) {
    await readUntilPutOff(read);
    clock.advance(secondMs);
  }
  expect(harness.fake.asked.length - before).toBeLessThanOrEqual(225);
});

test("a page and the subscription bought there are reserved together", async () => {
  const { harness, subscription, read } = await openBusyPaddle();
  const { checkoutId } = await asCustomer(() => harness.provider.createCheckout(checkoutRequest(), randomUUID()));
  harness.fake.asked.length = 0;
  for (let reads = 0; reads < 8; reads += 1) await read();
  expect(harness.fake.asked).toHaveLength(40);
  // Five of this window's calls are left to background work, and both take six.
  const both = readingOnce(async () => {
    await harness.provider.readCheckout(checkoutId);
    await harness.provider.readSubscription(subscription.id);
  });
  await expect(both).rejects.toMatchObject({ name: "ProviderUnreachable", retryAfterMs: 15 * secondMs });
  expect(harness.fake.asked).toHaveLength(40);
});

test("once Paddle refuses, nothing is sent until it answers again, by customers or in the background", async () => {
  const { clock, harness, read } = await openBusyPaddle();
  harness.fake.mostPerMinute = 12;
  const { reads, error } = await readUntilPutOff(() => asCustomer(read));
  expect(reads).toBe(2);
  expect(error.retryAfterMs).toBe(60 * secondMs);
  const sent = harness.fake.asked.length;
  clock.advance(40 * secondMs);
  for (const ask of [
    read,
    () => asCustomer(read),
    () => asCustomer(() => harness.provider.createCheckout(checkoutRequest(), randomUUID())),
  ])
    await expect(ask()).rejects.toMatchObject({ name: "ProviderUnreachable", retryAfterMs: 20 * secondMs });
  expect(harness.fake.asked).toHaveLength(sent);
  clock.advance(20 * secondMs);
  expect(await read()).not.toBeNull();
});

test("two processes share one count", async () => {
  const clock = createTestClock();
  const countCalls = countInMemory(clock);
  const [one, other] = [await createPaddleHarness({ clock, countCalls }), await createPaddleHarness({ clock, countCalls })];
  onTestFinished(async () => void (await Promise.all([one, other].map((each) => each[Symbol.asyncDispose]()))));
  const subscriptions = [await asCustomer(() => subscribe(one)), await asCustomer(() => subscribe(other))] as const;
  clock.advance(61 * secondMs);
  const first = await readUntilPutOff(() => one.provider.readSubscription(subscriptions[0].id));
  const second = await readUntilPutOff(() => other.provider.readSubscription(subscriptions[1].id));
  expect([first.reads, second.reads]).toEqual([9, 0]);
});

test("within one look nothing is read twice, except after a change", async () => {
  const { harness, subscription, read } = await openBusyPaddle();
  const { customerId, accountId, id } = subscription;
  await readingOnce(async () => {
    await look(harness, id);
    expect(await harness.provider.listInvoices(customerId, accountId!)).toHaveLength(1);
    await read();
    expect(harness.fake.asked).toHaveLength(5);
    expect((await harness.provider.cancelAtPeriodEnd(id, randomUUID())).cancelAt).not.toBeNull();
    expect((await look(harness, id)).cancelAt).not.toBeNull();
  });
  harness.fake.asked.length = 0;
  await read();
  expect(harness.fake.asked).toHaveLength(5);
});
