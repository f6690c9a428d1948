/** The product's story with n8n: from the first page to a workflow that answers, a payment, an update, an export, and back the next day. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { bootTimeoutMs, exportWorkflows, launch, openWorkspace, payForStarter, signUp, updateTo } from "#testing/browser/owner-steps.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";
import { installReleases } from "#testing/engines/prepare-engines.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

const visitor = { accountName: "acme-works", email: "ada@acme.example.com", password: "correct horse battery" };

let newer: string;
let older: string;
let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let panel: Page;
let watch: PageWatch;

beforeAll(async () => {
  [newer, older] = (await installReleases("n8n")) as [string, string];
  [slipway, browser] = await Promise.all([startSlipway({ engine: "n8n" }), launchBrowser()]);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Berlin" });
  context.setDefaultTimeout(pageTimeoutMs);
  watch = await watchPages(context, `${slipway.url}/`);
  panel = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

test("a visitor is led from the front page to a running n8n; a workflow published in its editor answers through the gateway, after a payment, an update, Ctrl-C and a new start, and is exported", async () => {
  const { accountName, email } = visitor;
  await signUp(panel, slipway.url, visitor);
  // The timezone is guessed, the launch is watched, and the workspace is online.
  await expect.poll(() => panel.getByRole("combobox", { name: "Timezone" }).innerText()).toContain("Europe/Berlin");
  await launch(panel, older);

  // Open leads into the real editor, signed in as its owner.
  const editor = await openWorkspace(panel);
  await editor.waitForURL(`${slipway.workspaceUrl(accountName)}/home/**`);
  const me = await editor.evaluate(async () => (await fetch("/rest/login")).json() as Promise<{ data: { email: string; role: string } }>);
  expect(me.data).toMatchObject({ email, role: "global:owner" });
  const settings = await editor.evaluate(async () => (await fetch("/rest/settings")).json() as Promise<{ data: Record<string, unknown> }>);
  expect(settings.data).toMatchObject({
    timezone: "Europe/Berlin",
    urlBaseWebhook: `${slipway.workspaceUrl(accountName)}/`,
    telemetry: { enabled: false },
  });

  // A workflow with a Webhook trigger is built and published there.
  await editor.goto(`${slipway.workspaceUrl(accountName)}/workflow/new`);
  const at = (id: string) => editor.locator(`[data-test-id="${id}"]`);
  await at("canvas-add-button").click();
  await at("node-creator-search-bar").or(at("node-creator")).first().waitFor();
  await editor.keyboard.type("webhook");
  await at("item-iterator-item").filter({ hasText: "Webhook" }).first().click();
  await at("parameter-input-path").locator("input").fill("hello");
  await at("parameter-input-httpMethod").click();
  await editor.getByRole("option", { name: "POST" }).click();
  await at("ndv-close-button").click();
  await at("workflow-open-publish-modal-button").click();
  await at("workflow-publish-button").click();
  const callWebhook = () => ask(`${slipway.workspaceUrl(accountName)}/webhook/hello`, { method: "POST" });
  await expect.poll(async () => (await callWebhook()).status, { timeout: 60_000 }).toBe(200);
  expect((await callWebhook()).json()).toEqual({ message: "Workflow was started" });
  await editor.close();

  await payForStarter(panel, slipway.url);
  await updateTo(panel, slipway.url, newer);
  await expect.poll(async () => (await callWebhook()).status, { timeout: bootTimeoutMs }).toBe(200);

  const files = await exportWorkflows(panel, slipway.url);
  const exported = [...files].filter(([name]) => name.startsWith("workflows/")).map(([, content]) => content.toString());
  expect(exported).toHaveLength(1);
  expect(exported[0]).toContain('"path": "hello"');
  // An open page complains as soon as the program stops.
  expect(watch.trouble()).toEqual([]);

  // The same workspace comes back with the workflow in it.
  expect(await slipway.signal("SIGINT")).toEqual({ code: 0, signal: null });
  await expect(callWebhook()).rejects.toThrow();
  await slipway.start();
  await panel.goto(`${slipway.url}/dashboard`);
  await panel.getByRole("region", { name: "Workspace" }).getByText("Online", { exact: true }).waitFor({ timeout: bootTimeoutMs });
  await panel.getByText(`n8n ${newer}`).first().waitFor();
  // The gateway holds a call for half a minute; on a busy machine n8n boots for longer.
  const answer = async () => (await callWebhook()).json<object>();
  await expect.poll(answer, { timeout: bootTimeoutMs }).toEqual({ message: "Workflow was started" });
});
