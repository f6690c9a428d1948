import { afterEach, beforeEach, expect, test } from "vitest";
import { sessions } from "#database/tables.ts";
import { readClockAhead } from "#domain/service-clock/service-clock-store.ts";
import { after, createMovableClock, dayMs, hourMs, secondMs, type MovableClock } from "#platform/clock.ts";
import { registerOnTrial, createSandboxApi } from "#testing/payments/sandbox-api.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createTestClock, type TestClock } from "#testing/test-clock.ts";
import { moveClock, settle, stepFrom, type DueWork, type TimeTravel } from "./move-clock.ts";

let database: TestDatabase;
let machine: TestClock;
let clock: MovableClock;
beforeEach(async () => {
  database = await createTestDatabase();
  machine = createTestClock(new Date("2026-01-31T12:00:00Z"));
  clock = createMovableClock(machine);
});
afterEach(() => database.close());

/** Work that records when it was done. */
function workAt(moments: readonly Date[], done: string[]): { work: DueWork; wake(): void } {
  const waiting = [...moments];
  return {
    work: { nextDueAt: () => Promise.resolve(waiting[0] ?? null) },
    wake() {
      while (waiting[0] && waiting[0] <= clock.now()) {
        waiting.shift();
        done.push(clock.now().toISOString());
      }
    },
  };
}

test("steps are days, hours, minutes, seconds, and months of the calendar", () => {
  const from = new Date("2026-01-31T12:00:00Z");
  expect(["14d", "36h", "90m", "5s", "1mo", "13mo"].map((step) => stepFrom(from, step).toISOString())).toEqual([
    "2026-02-14T12:00:00.000Z",
    "2026-02-02T00:00:00.000Z",
    "2026-01-31T13:30:00.000Z",
    "2026-01-31T12:00:05.000Z",
    "2026-02-28T12:00:00.000Z",
    "2027-02-28T12:00:00.000Z",
  ]);
  expect(() => stepFrom(from, "14")).toThrow("no step of time");
});

test("work that falls due on the way is done at its time, in order, and survives a restart", async () => {
  const done: string[] = [];
  const start = clock.now();
  const { work, wake } = workAt([after(start, dayMs), after(start, 3 * dayMs), after(start, 30 * dayMs)], done);
  const travel: TimeTravel = { clock, dueWork: [work], wake };
  expect(await moveClock(database.db, travel, "14d")).toEqual({ settled: true });
  expect(done).toEqual([after(start, dayMs), after(start, 3 * dayMs)].map((at) => at.toISOString()));
  expect(clock.now()).toEqual(after(start, 14 * dayMs));
  expect(await readClockAhead(database.db)).toBe(14 * dayMs);
});

test("two simultaneous moves follow each other", async () => {
  const travel: TimeTravel = { clock, dueWork: [], wake: () => undefined };
  await Promise.all([moveClock(database.db, travel, "1d"), moveClock(database.db, travel, "2d")]);
  expect(clock.aheadMs()).toBe(3 * dayMs);
});

test("work that never ends is reported, and not waited for", async () => {
  const travel: TimeTravel = { clock, dueWork: [{ nextDueAt: () => Promise.resolve(clock.now()) }], wake: () => undefined };
  expect(await settle(travel, performance.now() + 50)).toBe(false);
});

test("a clock never goes back, however late a message arrives", () => {
  clock.setAhead(2 * hourMs);
  clock.setAhead(hourMs);
  expect(clock.aheadMs()).toBe(2 * hourMs);
  machine.advance(secondMs);
  expect(clock.now()).toEqual(after(machine.now(), 2 * hourMs));
});

test("users stay signed in over a month, and the call returns the new time", async () => {
  const own = createMovableClock(createTestClock());
  await using api = await createSandboxApi({ clock: own, timeTravel: { clock: own, dueWork: [], wake: () => undefined } });
  const token = await registerOnTrial(api);
  const [before] = await api.database.db.select().from(sessions);
  const moved = await api.call("POST", "/api/dev/clock", { body: { advance: "60d" } });
  expect(moved.json()).toMatchObject({ now: own.now().toISOString(), aheadMs: 60 * dayMs, settled: true });
  expect((await api.call("GET", "/api/dev/clock")).json()).toMatchObject({ aheadMs: 60 * dayMs });
  expect((await api.call("GET", "/api/fe/config")).json()).toMatchObject({ sandbox: true, clockAheadMs: 60 * dayMs });
  const [later] = await api.database.db.select().from(sessions);
  expect(later!.expiresAt).toEqual(after(before!.expiresAt, 60 * dayMs));
  expect((await api.call("POST", "/api/dev/clock", { body: { advance: "1d" }, token })).statusCode).toBe(200);
  expect((await api.call("GET", "/api/auth/me", { token })).statusCode).toBe(200);
});

test("an invalid step is refused, as is another site's request, and without the sandbox the call does not exist", async () => {
  const own = createMovableClock(createTestClock());
  await using api = await createSandboxApi({ clock: own, timeTravel: { clock: own, dueWork: [], wake: () => undefined } });
  for (const advance of ["", "-1d", "1.5d", "99999d", "1 week", "0d"])
    expect((await api.call("POST", "/api/dev/clock", { body: { advance } })).statusCode).toBe(422);
  expect(
    (await api.call("POST", "/api/dev/clock", { body: { advance: "1d" }, headers: { origin: "https://evil.example" } })).statusCode,
  ).toBe(403);
  await using real = await createSandboxApi({ sandbox: null });
  for (const path of ["/api/dev/clock", "/api/dev/sandbox"]) expect((await real.call("GET", path)).statusCode).toBe(404);
  expect((await real.app.inject({ method: "GET", url: "/sandbox/checkout/chk_1" })).statusCode).toBe(404);
});

test("the clock stops a century ahead, however often anyone moves it: the move is refused, nothing has moved, and the service answers", async () => {
  const own = createMovableClock(createTestClock());
  await using api = await createSandboxApi({ clock: own, timeTravel: { clock: own, dueWork: [], wake: () => undefined } });
  await registerOnTrial(api);
  const move = (advance: string) => api.call("POST", "/api/dev/clock", { body: { advance } });
  expect((await move("1199mo")).statusCode).toBe(200);
  const [ahead] = [own.aheadMs(), await readClockAhead(api.database.db)];
  const [before] = await api.database.db.select().from(sessions);
  const refused = await Promise.all(Array.from({ length: 10 }, () => move("9999mo")));
  expect(refused.map((answer) => [answer.statusCode, answer.json().errors])).toEqual(
    refused.map(() => [422, [{ path: "advance", code: "clock.too_far", message: expect.any(String) }]]),
  );
  expect([own.aheadMs(), await readClockAhead(api.database.db)]).toEqual([ahead, ahead]);
  expect((await api.database.db.select().from(sessions))[0]!.expiresAt).toEqual(before!.expiresAt);
  for (const path of ["/api/dev/clock", "/api/fe/config", "/api/v1/paddle/plans"])
    expect([path, (await api.call("GET", path)).statusCode]).toEqual([path, 200]);
});

test("two processes together move no further than one", async () => {
  const clocks = [createMovableClock(machine), createMovableClock(machine)];
  const moved = await Promise.allSettled(
    clocks.map(async (each) => {
      await moveClock(database.db, { clock: each, dueWork: [], wake: () => undefined }, "9999d");
      await moveClock(database.db, { clock: each, dueWork: [], wake: () => undefined }, "9999d");
      await moveClock(database.db, { clock: each, dueWork: [], wake: () => undefined }, "9999d");
    }),
  );
  expect(moved.map(({ status }) => status)).toContain("rejected");
  expect(await readClockAhead(database.db)).toBe(3 * 9_999 * dayMs);
});
