import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { prepareSlipway, startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSteadyCalls } from "#testing/program/steady-calls.ts";
import { instanceOf, workspaceProcesses } from "#testing/fleet/workspace-processes.ts";

const isOnline = ({ status }: { status: number }) => status === instanceStatus.online;

/**
 * A customer whose workspace is online. Workspaces must converge within 30 s of the program's start, `convergeMs`, or where other work makes
 * this launch alone take long, within ten times as long.
 */
async function launchOnline(slipway: Slipway): Promise<{ customer: Customer; convergeMs: number }> {
  const startedAt = performance.now();
  const customer = await slipway.launch();
  await slipway.until(customer, isOnline);
  return { customer, convergeMs: Math.max(30_000, 10 * (performance.now() - startedAt)) };
}

test("killed twice at random moments of launches, the program brings every workspace online, with one process each", async () => {
  await using slipway = await startSlipway();
  const launched: Customer[] = [];
  for (let i = 0; i < 6; i += 1) launched.push(await slipway.register());
  for (const customer of launched) await slipway.confirm(customer);
  const { customer: first, convergeMs } = await launchOnline(slipway);
  const customers = [first, ...launched];
  // Far enough apart to be in different steps at the kill.
  for (const customer of launched) {
    await slipway.setUp(customer);
    await delay(Math.random() * 200);
  }
  await slipway.kill9();
  await slipway.start();
  await delay(Math.random() * 2_000);
  await slipway.kill9();
  await slipway.start();
  const startedAt = performance.now();
  await Promise.all(customers.map((customer) => slipway.until(customer, isOnline)));
  const convergedMs = performance.now() - startedAt;

  const answers = await Promise.all(
    customers.map(async ({ accountName }) =>
      (await ask(`${slipway.workspaceUrl(accountName)}/x`)).json<{ instance: number; hasOwner: boolean }>(),
    ),
  );
  expect(answers.every(({ hasOwner }) => hasOwner)).toBe(true);
  expect(
    workspaceProcesses(slipway.dataDir)
      .map(instanceOf)
      .toSorted((a, b) => a - b),
  ).toEqual(answers.map(({ instance }) => instance).toSorted((a, b) => a - b));
  for (const customer of customers) {
    const events = (await slipway.journal(customer)).map(({ event }) => event);
    // A process whose start is not in the journal is adopted without an entry, because nothing visible went wrong.
    expect(events.join()).toMatch(/^requested(,started)?,online$/);
  }
  // None was started twice: an interrupted launch is continued, not repeated.
  for (const file of globSync(join(slipway.dataDir, "workspaces/*/data/boots")))
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
  // Other work on this machine may have begun since the first launch.
  expect(convergedMs).toBeLessThan(Math.max(convergeMs, (await launchOnline(slipway)).convergeMs));
});

test("after a first start is killed at random moments, repeatedly, the next start succeeds", async () => {
  await using slipway = await prepareSlipway({ makesDatabase: true });
  for (let i = 0; i < 5; i += 1) {
    slipway.launchProgram();
    await delay(300 + Math.random() * 1_700);
    await slipway.kill9();
  }
  await slipway.start();
  const customer = await slipway.launch();
  await slipway.until(customer, isOnline);
});

test("killed while workspaces are online, the program adopts them unchanged, and visitors notice only a pause", async () => {
  await using slipway = await startSlipway();
  const { customer } = await launchOnline(slipway);
  const [pid] = workspaceProcesses(slipway.dataDir);
  await slipway.kill9();
  expect(workspaceProcesses(slipway.dataDir)).toEqual([pid]);
  await slipway.start();
  // Immediately, without observing every workspace first.
  expect((await ask(`${slipway.workspaceUrl(customer.accountName)}/x`)).json()).toMatchObject({ instance: instanceOf(pid) });
  await slipway.until(customer, isOnline);
  expect((await slipway.journal(customer)).map(({ event }) => event)).toEqual(["requested", "started", "online"]);
});

test("a workspace that died while the program was down is restarted and its owner informed", async () => {
  await using slipway = await startSlipway();
  const { customer } = await launchOnline(slipway);
  const [pid] = workspaceProcesses(slipway.dataDir);
  await slipway.kill9();
  process.kill(pid!, "SIGKILL");
  await slipway.start();
  await vi.waitFor(
    async () =>
      expect((await slipway.journal(customer)).map(({ event }) => event)).toEqual([
        "requested",
        "started",
        "online",
        "died",
        "started",
        "online",
      ]),
    { timeout: 180_000, interval: 250 },
  );
  expect(workspaceProcesses(slipway.dataDir)).not.toContain(pid);
});

test("a workspace that dies under a running program restarts within moments, and a webhook sent in between is answered", async () => {
  await using slipway = await startSlipway();
  const customer = await slipway.launch();
  await slipway.until(customer, isOnline);
  const [pid] = workspaceProcesses(slipway.dataDir);
  process.kill(pid!, "SIGKILL");
  await vi.waitFor(async () => expect((await slipway.journal(customer)).map(({ event }) => event)).toContain("died"), {
    timeout: 60_000,
    interval: 50,
  });
  const answer = await ask(`${slipway.workspaceUrl(customer.accountName)}/webhook/order`, { method: "POST", body: "order 1" });
  expect(answer.json()).toMatchObject({ path: "/webhook/order", body: "order 1" });
  await slipway.until(customer, isOnline);
  expect((await slipway.journal(customer)).find(({ event }) => event === "died")?.detail).toContain("signal SIGKILL");
});

test("when its database is killed, running workspaces go on answering, and the program starts the database again", async () => {
  await using slipway = await startSlipway();
  const { customer } = await launchOnline(slipway);
  const [pid, program] = [workspaceProcesses(slipway.dataDir)[0]!, slipway.pid()];
  const url = `${slipway.workspaceUrl(customer.accountName)}/x`;
  expect((await ask(url)).status).toBe(200);
  const calls = startSteadyCalls([{ url, method: "GET" }], 20);
  for (let killed = 0; killed < 2; killed++) {
    const postmaster = slipway.postmasterPid()!;
    process.kill(postmaster, "SIGKILL");
    await expect
      .poll(() => slipway.postmasterPid(), { timeout: 60_000, interval: 100 })
      .toSatisfy((now) => now !== undefined && now !== postmaster);
    await slipway.until(customer, isOnline);
  }
  const { sent, failed } = await calls.stop();
  expect([sent > 0, failed]).toEqual([true, []]);
  expect([slipway.pid(), workspaceProcesses(slipway.dataDir)]).toEqual([program, [pid]]);
  // It holds its locks on the new server, and works: it launches another.
  await slipway.until(await slipway.launch(), isOnline);
  // Its stop finds the database that it started last.
  await slipway.signal("SIGINT");
  expect(slipway.postmasterPid()).toBeUndefined();
});

test("a program killed together with its database starts again with all its customers", async () => {
  await using slipway = await startSlipway();
  const customer = await slipway.register();
  process.kill(slipway.postmasterPid()!, "SIGKILL");
  await slipway.kill9();
  await slipway.start();
  const { accountName: login, password } = customer;
  expect((await slipway.call("POST", "/api/auth/login", { body: { login, password } })).status).toBe(200);
});
