import { expect, onTestFinished, test, vi } from "vitest";
import type { GatewayRoute } from "./gateway-route.ts";
import { createRouteTable, RouteTableBusy } from "./route-table.ts";

const open: GatewayRoute = { workspaceId: "w", state: "online", address: "127.0.0.1:1", open: true };
const closed: GatewayRoute = { ...open, state: "starting", open: false };

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A table whose lookups and clock are controlled by the test. */
function build(options: { maxEntries?: number; maxPending?: number } = {}) {
  let now = 0;
  const asked: { name: string; answer(route: GatewayRoute | null): void; fail(error: Error): void }[] = [];
  const table = createRouteTable({
    lookUp: (name) => new Promise((answer, fail) => asked.push({ name, answer, fail })),
    clock: { now: () => new Date(now) },
    ...options,
  });
  const ask = async (name: string, route: GatewayRoute | null) => {
    const found = table.find(name);
    await settle();
    asked.at(-1)!.answer(route);
    return found;
  };
  return { table, asked, ask, pass: (ms: number) => (now += ms) };
}

test("a hundred requests for an uncached name cost one lookup", async () => {
  const { table, asked } = build();
  const all = Promise.all(Array.from({ length: 100 }, async () => table.find("acme")));
  await settle();
  expect(asked).toHaveLength(1);
  asked[0]!.answer(open);
  expect(new Set(await all)).toEqual(new Set([open]));
});

test("a cached route is available immediately and for 30 seconds", async () => {
  const { table, ask, asked, pass } = build();
  await ask("acme", open);
  pass(29_999);
  expect(table.find("acme")).toEqual(open);
  pass(1);
  expect(table.find("acme")).toBeInstanceOf(Promise);
  expect(asked).toHaveLength(1);
});

test("a closed workspace is looked up again after two seconds, a missing one after five", async () => {
  const { table, ask, pass } = build();
  await ask("acme", closed);
  await ask("nobody", null);
  pass(1999);
  expect(table.find("acme")).toEqual(closed);
  pass(1);
  expect(table.find("acme")).toBeInstanceOf(Promise);
  expect(table.find("nobody")).toBeNull();
  pass(3000);
  expect(table.find("nobody")).toBeInstanceOf(Promise);
});

test("an invalidated name is looked up again", async () => {
  const { table, ask, asked } = build();
  await ask("acme", open);
  table.invalidate("acme");
  void table.find("acme");
  await settle();
  expect(asked).toHaveLength(2);
});

test("a lookup that was running when the name was invalidated is not cached", async () => {
  const { table, asked } = build();
  const old = table.find("acme");
  await settle();
  table.invalidate("acme");
  const fresh = table.find("acme");
  await settle();
  asked[1]!.answer(null);
  expect(await fresh).toBeNull();
  asked[0]!.answer(open);
  expect(await old).toEqual(open);
  expect(table.find("acme")).toBeNull();
});

test("an open workspace stays reachable while the database is unreachable; a closed or unknown one does not", async () => {
  const { table, ask, asked, pass } = build();
  await ask("acme", open);
  await ask("shut", closed);
  pass(31_000);
  const found = table.find("acme");
  const shut = table.find("shut");
  const cold = table.find("cold");
  await settle();
  asked.slice(-3).forEach(({ fail }) => fail(new Error("no database")));
  expect(await found).toEqual(open);
  await expect(shut).rejects.toThrow("no database");
  await expect(cold).rejects.toThrow("no database");
});

test("a failed lookup is not cached", async () => {
  const { table, asked } = build();
  const failing = table.find("acme");
  await settle();
  asked[0]!.fail(new Error("no database"));
  await expect(failing).rejects.toThrow("no database");
  void table.find("acme");
  await settle();
  expect(asked).toHaveLength(2);
});

test("made-up names replace only the oldest names, and the cache never exceeds its limit", async () => {
  const { table, ask } = build({ maxEntries: 3 });
  await ask("acme", open);
  for (let index = 0; index < 10; index += 1) await ask(`nobody-${index}`, null);
  expect(table.find("acme")).toEqual(open);
  expect(table.find("nobody-9")).toBeNull();
  expect(table.find("nobody-0")).toBeInstanceOf(Promise);
});

test("a flood of uncached names is refused beyond the limit", async () => {
  const { table } = build({ maxPending: 2 });
  void table.find("a");
  void table.find("b");
  await expect(table.find("c")).rejects.toBeInstanceOf(RouteTableBusy);
});

test("a flood of uncached names does not refuse visitors of a workspace known before", async () => {
  const { table, ask, pass } = build({ maxPending: 2 });
  await ask("acme", open);
  pass(31_000);
  void table.find("a");
  void table.find("b");
  expect(await table.find("acme")).toEqual(open);
});

test("a hanging database delays one visitor of a cached workspace by two seconds, and the others not at all", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { table, asked, pass } = build();
  const first = table.find("acme");
  await vi.advanceTimersByTimeAsync(0);
  asked[0]!.answer(open);
  await first;
  pass(30_000);
  const waits = table.find("acme");
  await vi.advanceTimersByTimeAsync(2000);
  expect(await waits).toEqual(open);
  expect(table.find("acme")).toEqual(open);
  expect(asked).toHaveLength(2);
  // Looked up again every two seconds, for which nobody waits now.
  pass(2000);
  expect(table.find("acme")).toEqual(open);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(3);
});

test("with a hanging database, the lookup of an uncached name fails after two seconds", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { table } = build();
  const refusal = Promise.resolve(table.find("nobody")).then(() => "found", String);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await refusal).toContain("took longer than 2000 ms");
});

test("after a lost connection to the notifications, every name is looked up again, and is still known if that fails, for an hour", async () => {
  const { table, ask, asked, pass } = build();
  await ask("acme", open);
  table.invalidateAll();
  expect(table.usable()).toBe(1);
  const found = table.find("acme");
  await settle();
  expect(asked).toHaveLength(2);
  asked[1]!.fail(new Error("the database is gone again"));
  expect(await found).toEqual(open);
  // While lookups fail, nobody waits for one.
  pass(3_000);
  expect(table.find("acme")).toEqual(open);
  await settle();
  asked[2]!.fail(new Error("no database"));
  await settle();
  pass(3_600_000);
  expect(table.usable()).toBe(1);
  pass(30_000);
  expect(table.usable()).toBe(0);
  const late = table.find("acme");
  await settle();
  asked[3]!.fail(new Error("no database"));
  await expect(late).rejects.toThrow("no database");
});

test("a lookup that was running when all names became due does not refuse a visitor of a known one", async () => {
  const { table, ask, asked, pass } = build();
  await ask("acme", open);
  pass(31_000);
  const found = table.find("acme");
  await settle();
  table.invalidateAll();
  asked[1]!.fail(new Error("the database restarted"));
  expect(await found).toEqual(open);
});

test("once the database is back, the first visitor gets the current route", async () => {
  const { table, ask, asked, pass } = build();
  await ask("acme", open);
  pass(31_000);
  const stale = table.find("acme");
  await settle();
  asked[1]!.fail(new Error("no database"));
  expect(await stale).toEqual(open);
  table.invalidateAll();
  const fresh = table.find("acme");
  await settle();
  asked[2]!.answer(null);
  expect(await fresh).toBeNull();
});
