/** How many calls a renewal's events cost: providers limit them (Paddle: 240 a minute), and a thousand customers may renew in an hour. */
import { expect, test } from "vitest";
import { ProviderUnreachable } from "#payments/payment-provider.ts";
import { dayMs, minuteMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { openTestBilling, receiveEventOf, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { doWhatIsDue } from "./billing-loop.ts";

async function receive(world: TestBilling, accountId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await receiveEventOf(world, accountId, { kind: index % 2 === 0 ? "subscription" : "payment-succeeded" });
}

/** The events that still wait. */
const waiting = async ({ database }: TestBilling) =>
  (await database.pool.query("select run_at, attempts from provider_events where run_at is not null")).rows as {
    run_at: Date;
    attempts: number;
  }[];

test("all due events of an account are answered by one look at the provider", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const calls: string[] = [];
  const billing = {
    ...world.billing,
    settlePayments: () => Promise.resolve(void calls.push("settle")),
    provider: new Proxy(world.provider, {
      get(target, name) {
        if (name === "readSubscription") calls.push("read");
        return Reflect.get(target, name) as unknown;
      },
    }),
  };
  await receive(world, accountId, 9);
  await doWhatIsDue(billing);
  expect(calls).toEqual(["read", "settle"]);
  expect(await waiting(world)).toEqual([]);
});

test("events whose look fails are tried later, each alone", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  let reads = 0;
  const silent = { ...world.provider, readSubscription: () => ((reads += 1), Promise.reject(new ProviderUnreachable("no answer"))) };
  await receive(world, accountId, 4);
  await doWhatIsDue({ ...world.billing, provider: silent });
  expect([reads, (await waiting(world)).map(({ attempts }) => attempts)]).toEqual([1, [1, 1, 1, 1]]);
  world.clock.advance(minuteMs);
  await doWhatIsDue({ ...world.billing, provider: silent });
  expect(reads).toBe(5);
});

/** The billing at a provider that is over its limit, what it logs, and how often it is asked. */
function overLimit(world: TestBilling) {
  const lines: string[] = [];
  const asked: string[] = [];
  const log = createLog("info", undefined, { write: (line) => void lines.push(line) });
  const provider = {
    ...world.provider,
    readSubscription: (id: string) => {
      asked.push(id);
      return Promise.reject(Object.assign(new ProviderUnreachable("too many requests"), { retryAfterMs: 40 * minuteMs }));
    },
  };
  return { lines, asked, billing: { ...world.billing, log, provider } };
}

test("events that come up against the provider's limit wait as long as it says, and still share one look", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { asked, billing } = overLimit(world);
  await receive(world, accountId, 4);
  await doWhatIsDue(billing);
  expect(asked).toHaveLength(1);
  const later = await waiting(world);
  expect(later).toHaveLength(4);
  const allowed = world.clock.now().getTime() + 40 * minuteMs;
  for (const { run_at: at, attempts } of later) {
    expect([attempts, at]).toEqual([0, later[0]!.run_at]);
    expect(at.getTime()).toBeGreaterThanOrEqual(allowed);
    expect(at.getTime()).toBeLessThan(allowed + minuteMs);
  }
  world.clock.advance(dayMs);
  await doWhatIsDue(billing);
  expect(asked).toHaveLength(2);
  world.clock.advance(dayMs);
  await doWhatIsDue(world.billing);
  expect(await waiting(world)).toEqual([]);
});

test("accounts that come up against the provider's limit together are due at different times, and the log has one line", async () => {
  const world = await openTestBilling();
  const { asked, lines, billing } = overLimit(world);
  const accounts: string[] = [];
  for (let index = 0; index < 5; index += 1) accounts.push(await subscribe(world));
  for (const accountId of accounts) await receive(world, accountId, 3);
  await doWhatIsDue(billing);
  expect(asked).toHaveLength(accounts.length);
  expect(new Set((await waiting(world)).map(({ run_at: at }) => at.getTime())).size).toBeGreaterThan(1);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    "the payment provider's limit of calls is reached; events wait",
  ]);
});
