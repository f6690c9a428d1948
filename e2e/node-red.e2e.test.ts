/** The second engine, chosen by the operator: from the launch to the owner's running Node-RED, and back after a restart. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { openRows } from "../tools/chaos/checks/rows.ts";
import { editFlows } from "../tools/chaos/engines/node-red-hands.ts";
import { putToSleep } from "../tools/chaos/round/let-rest.ts";

/** Answers calls with the hour of the Unix epoch in the workspace's timezone. */
const hello = [
  { id: "t1", type: "tab", label: "Hello" },
  { id: "i1", type: "http in", z: "t1", url: "/hello", method: "get", wires: [["f1"]] },
  {
    id: "f1",
    type: "function",
    z: "t1",
    func: "msg.payload = new Date(0).getHours() + ' o’clock'; return msg;",
    outputs: 1,
    wires: [["o1"]],
  },
  { id: "o1", type: "http response", z: "t1", wires: [] },
];

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

test("a launch ends in a running Node-RED, Open leads into its editor, signed in, and a flow deployed there answers through the gateway, also after the program was stopped and started", async () => {
  const visitor = await slipway.register();
  await slipway.confirm(visitor);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Berlin" });
  context.setDefaultTimeout(pageTimeoutMs);
  // An open editor is a use, and no workspace in use falls asleep.
  onTestFinished(() => context.close());
  const panel = await context.newPage();
  await panel.goto(`${slipway.url}/login`);
  await panel.getByLabel("Account name or email").fill(visitor.accountName);
  await panel.getByLabel("Password", { exact: true }).fill(visitor.password);
  await panel.getByRole("button", { name: "Sign in" }).click();
  await panel.waitForURL("**/dashboard");
  await panel.goto(`${slipway.url}/account/setup`);
  await panel.getByRole("button", { name: "Launch workspace" }).click();
  await panel.getByRole("heading", { name: "Your workspace is now online." }).waitFor();
  const [editor] = await Promise.all([context.waitForEvent("page"), panel.getByRole("button", { name: "Open workspace" }).click()]);
  await editor.locator("#red-ui-header-button-deploy").waitFor();
  expect(new URL(editor.url()).searchParams.get("access_token"), "the token does not stay in the address").toBeNull();

  await editor.evaluate(async (flows) => {
    const { access_token: token } = JSON.parse(localStorage.getItem("auth-tokens")!) as { access_token: string };
    const answer = await fetch("/flows", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(flows),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }, hello);
  await expect.poll(() => callHello(visitor), { timeout: 120_000 }).toBe("1 o’clock");
  await slipway.signal("SIGINT");
  await slipway.start();
  await expect.poll(() => callHello(visitor), { timeout: 120_000 }).toBe("1 o’clock");
  await editor.reload();
  await editor.locator("#red-ui-header-button-deploy").waitFor();
  // Saves the next test a launch.
  answering ??= visitor;
});

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
