import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, inject, test, vi } from "vitest";
import { sandboxCustomers } from "#database/tables.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import { subscribe } from "#testing/payments/provider-suite/provider-customer.ts";
import type { SuiteCard } from "#testing/payments/provider-suite/provider-harness.ts";
import { createSandboxHarness, type SandboxHarness } from "#testing/payments/sandbox-harness.ts";
import { createTestClock } from "#testing/test-clock.ts";
import { runDue } from "./run-due.ts";

const harnessFrom = (start = "2026-01-31T10:00:00Z") => createSandboxHarness({ clock: createTestClock(new Date(start)) });
const look = async ({ provider }: SandboxHarness, id: string) => (await provider.readSubscription(id))!;
const bought = (harness: SandboxHarness, card: SuiteCard) => subscribe(harness, card);
const daysAfter = (from: Date, at: Date) => (at.getTime() - from.getTime()) / dayMs;

test("months renew on their own day, each as of its own time, however far the clock jumps", async () => {
  await using harness = await harnessFrom();
  const { id, customerId } = await bought(harness, "visa");
  await harness.advance(90 * dayMs);
  const invoices = (await harness.provider.listInvoices(customerId)).toReversed();
  expect(invoices.map(({ issuedAt }) => issuedAt.toISOString().slice(0, 10))).toEqual([
    "2026-01-31",
    "2026-02-28",
    "2026-03-31",
    "2026-04-30",
  ]);
  expect((await look(harness, id)).periodEndsAt.toISOString()).toBe("2026-05-31T10:00:00.000Z");
});

test("retries follow after 1, 3, 5 and 7 days; then the subscription pauses", async () => {
  await using harness = await harnessFrom();
  const { id, customerId, periodEndsAt } = await bought(harness, "renewal-soft");
  await harness.advance(periodEndsAt.getTime() - harness.now().getTime());
  const pastDue = await look(harness, id);
  expect(pastDue.pastDueAt).toEqual(periodEndsAt);
  expect(pastDue.retries.map(({ at, outcome }) => [daysAfter(periodEndsAt, at), outcome])).toEqual([
    [0, "failed"],
    [1, "planned"],
    [3, "planned"],
    [5, "planned"],
    [7, "planned"],
  ]);
  await harness.advance(3 * dayMs);
  expect((await look(harness, id)).retries.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed", "planned", "planned"]);
  expect((await harness.provider.nextPayment(id))?.at).toEqual(after(periodEndsAt, 5 * dayMs));
  await harness.advance(365 * dayMs);
  const paused = await look(harness, id);
  expect(paused).toMatchObject({ status: "paused", pausedAt: after(periodEndsAt, 7 * dayMs) });
  expect(paused.retries.map(({ at }) => daysAfter(periodEndsAt, at))).toEqual([0, 1, 3, 5, 7]);
  const [invoice] = await harness.provider.listInvoices(customerId);
  expect(invoice).toMatchObject({ status: "void" });
  expect(invoice!.payments).toHaveLength(5);
});

test("a card that recovers pays at the second attempt, and the period stays the same", async () => {
  await using harness = await harnessFrom();
  const { id, periodEndsAt } = await bought(harness, "renewal-soft");
  await harness.db
    .update(sandboxCustomers)
    .set({ card: { brand: "visa", lastFour: "9987", expiryMonth: 12, expiryYear: 2036, behaviour: "renewal-recovers" } });
  await harness.advance(periodEndsAt.getTime() - harness.now().getTime() + 3 * dayMs);
  expect(await look(harness, id)).toMatchObject({ status: "active", periodStartsAt: periodEndsAt, retries: [], pastDueAt: null });
});

test("a card that expires before a renewal is declined permanently: no retries, and a pause after 7 days", async () => {
  await using harness = await harnessFrom();
  const { id, customerId, periodEndsAt } = await bought(harness, "visa");
  await harness.db
    .update(sandboxCustomers)
    .set({ card: { brand: "visa", lastFour: "4242", expiryMonth: 1, expiryYear: 2026, behaviour: "pays" } });
  await harness.advance(periodEndsAt.getTime() - harness.now().getTime() + 6 * dayMs);
  expect((await look(harness, id)).retries).toHaveLength(1);
  await harness.advance(dayMs);
  expect((await look(harness, id)).status).toBe("paused");
  expect((await harness.provider.listInvoices(customerId))[0]!.payments.map(({ reason }) => reason)).toEqual(["The card has expired."]);
});

test("a subscription cancelled while in debt ends instead of pausing", async () => {
  await using harness = await harnessFrom();
  const { id, periodEndsAt } = await bought(harness, "renewal-soft");
  await harness.advance(periodEndsAt.getTime() - harness.now().getTime() + hourMs);
  await harness.provider.cancelAtPeriodEnd(id, "cancel");
  await harness.advance(8 * dayMs);
  expect((await look(harness, id)).status).toBe("deleted");
});

test("two concurrent workers renew once", async () => {
  await using harness = await harnessFrom();
  const { customerId, periodEndsAt } = await bought(harness, "visa");
  const at = after(periodEndsAt, hourMs);
  await Promise.all([runDue(harness.db, at), runDue(harness.db, at), runDue(harness.db, at)]);
  expect(await harness.provider.listInvoices(customerId)).toHaveLength(2);
});

test("a worker killed in the middle of many renewals skips none and repeats none", async () => {
  await using harness = await harnessFrom();
  const { customerId } = await bought(harness, "visa");
  const database = (await harness.db.execute<{ name: string }>("select current_database() as name")).rows[0]!.name;
  const at = after(harness.now(), 1500 * dayMs);
  const child = fork(
    fileURLToPath(new URL("../../testing/program/run-due-process.ts", import.meta.url)),
    [JSON.stringify({ ...inject("postgres"), database }), at.toISOString()],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  // Killed after the first renewals and well before the last.
  await vi.waitFor(async () => expect((await harness.provider.listInvoices(customerId)).length > 3 || child.exitCode !== null).toBe(true), {
    timeout: 60_000,
    interval: 5,
  });
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  const days = async () => (await harness.provider.listInvoices(customerId)).map(({ issuedAt }) => issuedAt.toISOString().slice(0, 10));
  // PostgreSQL releases a dead worker's rows a moment later; a sweep before that skips them.
  await vi.waitFor(
    async () => {
      await runDue(harness.db, at);
      expect(await days()).toHaveLength(50);
    },
    { timeout: 120_000 },
  );
  expect(new Set(await days()).size).toBe(50);
});
