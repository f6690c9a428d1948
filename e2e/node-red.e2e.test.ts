/** The second engine, chosen by the operator: from the launch to the owner's running Node-RED, and back after a restart. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { openRows } from "../tools/chaos/checks/rows.ts";
import { putToSleep } from "../tools/chaos/round/let-rest.ts";

let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let panel: Page;
let editor: Page;
let accountName: string;
let visitor: Customer;

beforeAll(async () => {
  slipway = await startSlipway({ engine: "node-red", env: { WORKSPACE_ZRAM_MB: "1024" } });
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Berlin" });
  context.setDefaultTimeout(pageTimeoutMs);
  panel = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

const workspace = (path: string) => `${slipway.workspaceUrl(accountName)}${path}`;

test("a launch ends in a running Node-RED, and Open leads into its editor, signed in", async () => {
  visitor = await slipway.register();
  await slipway.confirm(visitor);
  accountName = visitor.accountName;
  await panel.goto(`${slipway.url}/login`);
  await panel.getByLabel("Account name or email").fill(accountName);
  await panel.getByLabel("Password", { exact: true }).fill(visitor.password);
  await panel.getByRole("button", { name: "Sign in" }).click();
  await panel.waitForURL("**/dashboard");
  await panel.goto(`${slipway.url}/account/setup`);
  await panel.getByRole("button", { name: "Launch workspace" }).click();
  await panel.getByRole("heading", { name: "Your workspace is now online." }).waitFor();
  [editor] = await Promise.all([context.waitForEvent("page"), panel.getByRole("button", { name: "Open workspace" }).click()]);
  await editor.locator("#red-ui-header-button-deploy").waitFor();
  expect(new URL(editor.url()).searchParams.get("access_token"), "the token does not stay in the address").toBeNull();
});

test("a stranger is not let in, and is told where to sign in", async () => {
  expect((await ask(workspace("/flows"))).status).toBe(401);
  const stranger = await browser.newContext();
  stranger.setDefaultTimeout(pageTimeoutMs);
  const page = await stranger.newPage();
  await page.goto(workspace("/"));
  await page.getByText("Go to the panel").waitFor();
  await stranger.close();
});

test("a flow deployed in the editor answers through the gateway, also after the program was stopped and started", async () => {
  await editor.evaluate(async () => {
    const { access_token: token } = JSON.parse(localStorage.getItem("auth-tokens")!) as { access_token: string };
    const flows = [
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
    const answer = await fetch("/flows", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(flows),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  });
  const hello = async () => (await ask(workspace("/hello"))).text;
  await expect.poll(hello, { timeout: 120_000 }).toBe("1 o’clock");
  await slipway.signal("SIGINT");
  await slipway.start();
  await expect.poll(hello, { timeout: 120_000 }).toBe("1 o’clock");
  await editor.reload();
  await editor.locator("#red-ui-header-button-deploy").waitFor();
});

test("it is backed up, the backup is opened and counted, and so is its usage", async () => {
  const { token } = visitor;
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
  // The open editor is a use.
  await context.close();
  await putToSleep({ rows: openRows(slipway.dataDir) }, 120_000);
  expect((await ask(workspace("/hello"))).text).toBe("1 o’clock");
  const events = async () => (await slipway.journal(visitor)).map(({ event }) => event);
  await expect.poll(async () => (await events()).slice(-2), { timeout: 60_000 }).toEqual(["asleep", "woken"]);
});
