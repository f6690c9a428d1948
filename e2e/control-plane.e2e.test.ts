/** Kills the control plane and its parts beside a real n8n, which boots for ten seconds or more: long enough to be interrupted anywhere. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { activateEcho, callEcho, loginLink } from "#testing/engines/n8n/n8n-owner.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { workspaceProcesses } from "#testing/fleet/workspace-processes.ts";
import { openRows } from "../tools/chaos/checks/rows.ts";

/** At most 30 s after the start; on a busy machine an n8n that has to boot as well takes longer. */
const adoptMs = 30_000;
const isOnline = ({ status }: { status: number }) => status === instanceStatus.online;

const launchEvents = ["requested", "started", "online"];

interface Workspace {
  customer: Customer;
  n8nProcesses(): number[];
  events(): Promise<string[]>;
}

let slipway: Slipway;
let answering: Workspace | undefined;

beforeAll(async () => void (slipway = await startSlipway({ engine: "n8n" })));
afterAll(() => slipway?.close());

/** An online workspace with a workflow that echoes: one for all tests, launched by the first of them, because n8n boots for so long. */
async function answeringWorkspace(): Promise<Workspace> {
  if (answering) return answering;
  const workspace = await workspaceOf(await slipway.launch());
  await slipway.until(workspace.customer, isOnline);
  await expect.poll(workspace.events).toEqual(launchEvents);
  await activateEcho(slipway, workspace.customer);
  return (answering = workspace);
}

async function workspaceOf(customer: Customer): Promise<Workspace> {
  const [row] = await openRows(slipway.dataDir).ask<{ id: string }>(
    "select w.id from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [customer.accountName],
  );
  return {
    customer,
    n8nProcesses: () => workspaceProcesses(slipway.dataDir, row!.id),
    events: async () => (await slipway.journal(customer)).map(({ event }) => event),
  };
}

test("a control plane killed right after a launch was requested, and again while n8n boots, brings it online once after the restart", async () => {
  const customer = await slipway.launch();
  await slipway.kill9();
  await slipway.start();
  const workspace = await workspaceOf(customer);
  const { n8nProcesses, events } = workspace;
  await vi.waitFor(() => expect(n8nProcesses()).toHaveLength(1), { timeout: 60_000, interval: 50 });
  const [pid] = n8nProcesses();
  await slipway.until(customer, ({ progress }) => progress?.step === "wait-until-ready");
  await slipway.kill9();
  expect(n8nProcesses()).toEqual([pid]);
  await slipway.start();
  await slipway.until(customer, isOnline);
  expect(n8nProcesses()).toEqual([pid]);
  await expect.poll(events).toEqual(launchEvents);
  await activateEcho(slipway, customer);
  // Saves the next test a launch.
  answering ??= workspace;
});

test("a control plane killed while the workspace is online adopts it unchanged", async () => {
  const { customer, n8nProcesses, events } = await answeringWorkspace();
  const [pid] = n8nProcesses();
  const eventsBefore = await events();
  await slipway.kill9();
  const startedAt = performance.now();
  await slipway.start();
  const answer = await callEcho(slipway, customer, "after the kill");
  expect(answer.json()).toEqual({ echo: "after the kill" });
  await slipway.until(customer, isOnline, adoptMs);
  expect(performance.now() - startedAt).toBeLessThan(adoptMs);
  expect(n8nProcesses()).toEqual([pid]);
  expect(await events()).toEqual(eventsBefore);
});

test("a killed database ends neither the control plane nor the workspace, which answers meanwhile, and is started again", async () => {
  const { customer, n8nProcesses } = await answeringWorkspace();
  const [pid] = n8nProcesses();
  const [program, postmaster] = [slipway.pid(), slipway.postmasterPid()!];
  process.kill(postmaster, "SIGKILL");
  expect((await callEcho(slipway, customer, "without a database")).json()).toEqual({ echo: "without a database" });
  await expect.poll(() => slipway.postmasterPid() ?? postmaster, { timeout: 60_000, interval: 100 }).not.toBe(postmaster);
  await slipway.until(customer, isOnline, adoptMs);
  expect((await callEcho(slipway, customer, "after the crash")).json()).toEqual({ echo: "after the crash" });
  expect([slipway.pid(), n8nProcesses()]).toEqual([program, [pid]]);
});

test("a link to sign in opens this workspace once, and no other customer's", async () => {
  const { customer } = await answeringWorkspace();
  const link = await loginLink(slipway, customer);
  const other = await slipway.register();
  await slipway.confirm(other);
  expect((await slipway.call("GET", "/api/instance/url", { token: other.token })).status).toBe(404);
  expect((await ask(link)).status).toBe(302);
  const again = await ask(link, { headers: { accept: "text/html" } });
  expect(again.status).toBe(401);
  expect(again.text).toContain("already been used");
});

test("a webhook sent during a restart is held and answered by the new n8n", async () => {
  const { customer, n8nProcesses, events } = await answeringWorkspace();
  const [pid] = n8nProcesses();
  expect((await slipway.call("PUT", "/api/instance/restart", { token: customer.token })).status).toBe(202);
  await vi.waitFor(() => expect(n8nProcesses()).not.toContain(pid), { timeout: 60_000, interval: 20 });
  const tries = await sendUntilTaken(customer, "during the restart");
  expect(tries.at(-1)).toMatchObject({ status: 200, body: { echo: "during the restart" } });
  // On a very busy machine n8n boots for longer than webhooks may wait: they are held that long and then asked to retry.
  for (const { status, waitedMs } of tries.slice(0, -1)) expect([status, waitedMs > 15_000]).toEqual([503, true]);
  await slipway.until(customer, isOnline);
  await expect.poll(async () => (await events()).slice(-3)).toEqual(["restart-requested", "started", "online"]);
});

/** Like senders of webhooks: retries when the answer says so. */
async function sendUntilTaken(customer: Customer, say: string): Promise<{ status: number; waitedMs: number; body: unknown }[]> {
  const tries = [];
  for (;;) {
    const startedAt = performance.now();
    const answer = await callEcho(slipway, customer, say);
    tries.push({ status: answer.status, waitedMs: performance.now() - startedAt, body: answer.json<unknown>() });
    if (answer.headers["retry-after"] === undefined || tries.length > 5) return tries;
  }
}

test("a killed n8n is started again with its workflow, and the journal says what happened", async () => {
  const { customer, n8nProcesses, events } = await answeringWorkspace();
  const [pid] = n8nProcesses();
  process.kill(pid!, "SIGKILL");
  await vi.waitFor(async () => expect((await events()).slice(-3)).toEqual(["died", "started", "online"]), {
    timeout: 240_000,
    interval: 250,
  });
  expect(n8nProcesses()).toHaveLength(1);
  expect(n8nProcesses()).not.toContain(pid);
  expect((await callEcho(slipway, customer, "after the death")).json()).toEqual({ echo: "after the death" });
});
