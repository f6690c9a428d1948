import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKnownPlan, type Plan } from "./known-plan.mts";
import { openUsageStore } from "./usage-store.mts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-usage-"));
  file = join(folder, "usage", "usage.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let at = new Date("2026-11-21T12:00:00Z");
const now = () => at;
const open = () => openUsageStore(file, now);
const sumOf = (counters: { executions: number; failed: number }[]) =>
  counters.reduce((sum, { executions, failed }) => [sum[0]! + executions, sum[1]! + failed], [0, 0]);

const planOf = (changes: Partial<Plan> = {}): Plan => ({
  fingerprint: "one",
  id: "starter",
  displayName: "Starter",
  group: "opt-out",
  slug: "starter",
  status: "active",
  expiresAt: null,
  trialDays: 14,
  limits: { executions: 10, activeWorkflows: 5, credentials: -1, users: -1 },
  periodStarts: ["2026-11-10T09:00:00.000Z", "2026-12-10T09:00:00.000Z"],
  counted: { executions: 0, epochs: {} },
  changePlanPath: "/account/change-plan",
  isConfirmed: true,
  ...changes,
});

test("the next process has the earlier counts and counts in a new epoch", () => {
  const first = open();
  first.countExecution("p", at);
  first.countExecution("p", at);
  first.countFailure("p", at);
  // Opened beside the first one, which never closed the file, as after a kill.
  const second = open();
  second.countExecution("p", at);
  expect(sumOf(second.counters())).toEqual([3, 1]);
  expect(new Set(second.counters().map(({ epoch }) => epoch)).size).toBe(2);
});

test("from an old copy of the file it counts in a new epoch, so that new counts are not hidden below known ones", () => {
  const first = open();
  first.countExecution("p", at);
  const oldFile = join(folder, "old.sqlite");
  for (const end of ["", "-wal", "-shm"]) copyFileSync(file + end, oldFile + end);
  first.countExecution("p", at);
  const restored = openUsageStore(oldFile, now);
  restored.countExecution("p", at);
  expect(restored.counters().map(({ executions }) => executions)).toEqual([1, 1]);
});

test("a crash is counted as failed once, however often the next processes find it", () => {
  open().countFailureOnce("7 2026-11-21T11:00:00Z", "p", at);
  const next = open();
  next.countFailureOnce("7 2026-11-21T11:00:00Z", "p", at);
  next.countFailureOnce("7 2026-11-21T11:30:00Z", "p", at);
  expect(sumOf(next.counters())).toEqual([0, 2]);
});

test("days that the control plane has had time to read are forgotten", () => {
  const store = open();
  store.countExecution("p", at);
  at = new Date("2026-11-30T12:00:00Z");
  store.countExecution("p", at);
  expect(store.counters().map(({ date }) => date)).toEqual(["2026-11-30"]);
  expect(
    open()
      .counters()
      .map(({ date }) => date),
  ).toEqual(["2026-11-30"]);
  at = new Date("2026-11-21T12:00:00Z");
});

test("a damaged file stops nothing: later executions are counted", () => {
  open();
  writeFileSync(file, "this is no database");
  for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
  const store = open();
  store.countExecution("p", at);
  expect(sumOf(open().counters())).toEqual([1, 0]);
});

test("usage is the control plane's figure plus what was counted since, in this period", () => {
  const store = open();
  const plan = createKnownPlan(store, now);
  store.countExecution("", at);
  expect(plan.save(planOf())).toBe(true);
  store.countExecution(plan.period(), at);
  expect(plan.used()).toBe(2);
  const { epoch } = store.counters()[0]!;
  plan.save(planOf({ counted: { executions: 8, epochs: { [epoch]: 2 } } }));
  store.countExecution(plan.period(), at);
  expect(plan.used()).toBe(9);
  expect(createKnownPlan(open(), now).used()).toBe(9);
});

test("a period that begins without a message begins at zero; the sent figure belongs to the previous one", () => {
  const store = open();
  const plan = createKnownPlan(store, now);
  plan.save(planOf({ counted: { executions: 10, epochs: {} } }));
  at = new Date("2026-12-10T09:00:00Z");
  expect([plan.used(), plan.nextPeriod()]).toEqual([0, undefined]);
  store.countExecution(plan.period(), at);
  expect(plan.used()).toBe(1);
  at = new Date("2026-11-21T12:00:00Z");
});

test.each([
  null,
  {},
  "plan",
  { ...planOf(), limits: {} },
  { ...planOf(), periodStarts: [] },
  { ...planOf(), periodStarts: ["soon"] },
  { ...planOf(), counted: null },
])("%j is no plan", (body) => {
  const plan = createKnownPlan(open(), now);
  expect(plan.save(body)).toBe(false);
  expect([plan.read(), plan.period(), plan.used()]).toEqual([undefined, "", 0]);
});
