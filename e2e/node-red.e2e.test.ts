/** The second engine, chosen by the operator: strangers, backups, usage and sleep. Its story is e2e/node-red.story.test.ts. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { openRows } from "../tools/chaos/checks/rows.ts";
import { hello } from "#testing/engines/node-red/hello-flow.ts";
import { editFlows } from "../tools/chaos/engines/node-red-hands.ts";
import { putToSleep } from "../tools/chaos/round/let-rest.ts";

let slipway: Slipway;
let browser: Browser;
let answering: Customer | undefined;

beforeAll(async () => {
  slipway = await startSlipway({ engine: "node-red", env: { WORKSPACE_ZRAM_MB: "1024" } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

const callHello = async ({ accountName }: Customer) => (await ask(`${slipway.workspaceUrl(accountName)}/hello`)).text;

/** The owner of a workspace in which that flow answers: one for all tests, launched by the first that needs it. */
async function ownerOfHello(): Promise<Customer> {
  if (answering) return answering;
  const owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === instanceStatus.online);
  await editFlows(slipway, owner, "POST", { flows: hello });
  await expect.poll(() => callHello(owner), { timeout: 120_000 }).toBe("1 o’clock");
  return (answering = owner);
}

test("a stranger is not let in, and is told where to sign in", async () => {
  const workspace = slipway.workspaceUrl((await ownerOfHello()).accountName);
  expect((await ask(`${workspace}/flows`)).status).toBe(401);
  const stranger = await browser.newContext();
  stranger.setDefaultTimeout(pageTimeoutMs);
  onTestFinished(() => stranger.close());
  const page = await stranger.newPage();
  await page.goto(`${workspace}/`);
  await page.getByText("Go to the panel").waitFor();
});

test("it is backed up, the backup is opened and counted, and so is its usage", async () => {
  const { token } = await ownerOfHello();
  expect((await slipway.call("POST", "/api/export/backups", { token, body: {} })).status).toBe(202);
  const newest = async () =>
    (await slipway.call("GET", "/api/export", { token })).json<{ backups: { kind: string; state: string; workflows: number }[] }>()
      .backups[0];
  await expect.poll(newest, { timeout: 120_000 }).toMatchObject({ kind: "manual", state: "successful", workflows: 1 });
  const used = async () =>
    (await slipway.call("GET", "/api/instance/used-limits", { token })).json<{ activeWorkflows?: number }>().activeWorkflows;
  await expect.poll(used, { timeout: 120_000 }).toBe(1);
});

test("if its flows only wait for calls it sleeps, and the next call wakes it", async ({ skip }) => {
  skip(!slipway.output().includes("idle workspaces are frozen"), "this host cannot freeze workspaces");
  const owner = await ownerOfHello();
  await putToSleep({ rows: openRows(slipway.dataDir) }, 120_000);
  expect(await callHello(owner)).toBe("1 o’clock");
  const events = async () => (await slipway.journal(owner)).map(({ event }) => event);
  await expect.poll(async () => (await events()).slice(-2), { timeout: 60_000 }).toEqual(["asleep", "woken"]);
});
