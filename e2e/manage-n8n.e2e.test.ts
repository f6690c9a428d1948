/** Settings of the manage area reach the real n8n: a workflow reads its environment variables and uses the chosen timezone. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { signInToN8n } from "#testing/engines/n8n/n8n-owner.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { openRows } from "../tools/chaos/checks/rows.ts";

/** A workspace boots in 10 s on a quiet machine, in a minute on a busy one. */
const bootTimeoutMs = 240_000;

let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let owner: Customer;

beforeAll(async () => {
  // The default pool, and swap for it.
  const env = { WORKSPACE_POOL: undefined, WORKSPACE_ZRAM_MB: "1024" };
  [slipway, browser] = await Promise.all([startSlipway({ engine: "n8n", env }), launchBrowser()]);
  owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === instanceStatus.online, bootTimeoutMs);
});
beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  page = await context.newPage();
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

const clockWorkflow = {
  name: "Clock",
  settings: {},
  active: false,
  nodes: [
    {
      id: "6f9c7a52-6f5f-4f0a-9df2-0d6a3f6f0021",
      name: "Webhook",
      type: "n8n-nodes-base.webhook",
      typeVersion: 2,
      position: [0, 0],
      webhookId: "6f9c7a52-6f5f-4f0a-9df2-0d6a3f6f0023",
      parameters: { path: "clock", httpMethod: "POST", responseMode: "lastNode" },
    },
    {
      id: "6f9c7a52-6f5f-4f0a-9df2-0d6a3f6f0022",
      name: "Set",
      type: "n8n-nodes-base.set",
      typeVersion: 3.4,
      position: [220, 0],
      parameters: {
        assignments: {
          assignments: [
            { id: "a", name: "zone", value: "={{ $now.zoneName }}", type: "string" },
            { id: "b", name: "greeting", value: "={{ $env.GREETING }}", type: "string" },
          ],
        },
      },
    },
  ],
  connections: { Webhook: { main: [[{ node: "Set", type: "main", index: 0 }]] } },
};

async function activateClock(): Promise<void> {
  const cookie = await signInToN8n(slipway, owner);
  const post = async (path: string, body: unknown) =>
    (await ask(slipway.workspaceUrl(owner.accountName) + path, { method: "POST", headers: { cookie }, body })).json<{
      data: { id: string; versionId: string };
    }>().data;
  const { id, versionId } = await post("/rest/workflows", clockWorkflow);
  await post(`/rest/workflows/${id}/activate`, { versionId });
}

/** The workflow's answer, once its webhook answers. */
const said = () =>
  vi.waitFor(
    async () => {
      const answer = await ask(`${slipway.workspaceUrl(owner.accountName)}/webhook/clock`, { method: "POST", body: {} });
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`);
      return answer.json<object>();
    },
    { timeout: bootTimeoutMs, interval: 200 },
  );

test("an owner whose session in n8n has ended comes back through the panel, to where they were", async () => {
  const workspace = slipway.workspaceUrl(owner.accountName);
  // The editor itself finds no signed-in user.
  await page.goto(`${workspace}/home/credentials`);
  await page.getByRole("heading", { name: `Sign in to ${owner.accountName}` }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Sign in with email and password" }).click();
  await page.getByLabel("Email").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Continue with Slipway" }).click();
  await page.waitForURL(`${workspace}/home/credentials`);
  await page.getByText("Credentials").first().waitFor();
});

// One test, because the timezone restarts n8n.
test("a workflow reads an environment variable set in the panel, which does not show its value again, and uses the timezone set there; the real n8n's own output arrives in the logs while they are open, with time and level", async () => {
  await page.goto(`${slipway.url}/manage`);
  const variables = page.getByRole("region", { name: "Environment variables" });
  await variables.getByRole("button", { name: "Add environment variables" }).click();
  await variables.getByLabel("Name").fill("GREETING");
  await variables.getByLabel("Value", { exact: true }).fill("Hello from the panel");
  await variables.getByRole("button", { name: "Save variables" }).click();
  await page.getByText("Variables saved. Workflows use them in a few seconds.").waitFor();
  await activateClock();
  expect(await said()).toEqual({ zone: "Europe/Berlin", greeting: "Hello from the panel" });
  await page.reload();
  await variables.getByText("GREETING").waitFor();
  await variables.getByText("Hidden").waitFor();
  expect(await variables.textContent()).not.toContain("Hello from the panel");

  // The logs are open while the timezone is changed; they name each start.
  const watching = await context.newPage();
  const starts = () => watching.getByText(/n8n ready on/);
  await watching.goto(`${slipway.url}/manage/logs`);
  await watching.getByText("Live", { exact: true }).waitFor();
  await starts().first().waitFor();
  const startsSeen = await starts().count();
  await page.goto(`${slipway.url}/manage`);
  await page.getByRole("combobox", { name: "Timezone" }).click();
  await page.getByRole("combobox", { name: "Search by city or region" }).fill("tokyo");
  await page.getByRole("option", { name: /Asia\/Tokyo/ }).click();
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Save and restart" }).click();
  await page.getByText("Your workspace is now online.").first().waitFor({ timeout: bootTimeoutMs });
  expect(await said()).toEqual({ zone: "Asia/Tokyo", greeting: "Hello from the panel" });

  // Of the start that the changed timezone needed.
  await expect.poll(() => starts().count()).toBe(startsSeen + 1);
  await expect.poll(() => starts().last().locator("..").textContent()).toMatch(/^\d\d:\d\d:\d\dinfon8n ready on/);
  await watching.getByLabel("Level").selectOption("Errors");
  await starts().first().waitFor({ state: "detached" });
});

test("with the usual settings, the next launch takes a workspace that already runs", async ({ skip }) => {
  skip(!slipway.output().includes("idle workspaces are frozen"), "this host cannot freeze workspaces");
  const rows = openRows(slipway.dataDir);
  const ready = () => rows.ask<{ id: string }>("select id from blanks where state = 'ready'");
  const blanks = await vi.waitFor(
    async () => {
      const found = await ready();
      expect(found).not.toEqual([]);
      return found;
    },
    { timeout: bootTimeoutMs, interval: 500 },
  );
  const next = await slipway.launch();
  await slipway.until(next, ({ status }) => status === instanceStatus.online, bootTimeoutMs);
  const [taken] = await rows.ask("select w.id from workspaces w join accounts a on a.id = w.account_id where a.name = $1", [
    next.accountName,
  ]);
  expect(blanks).toContainEqual(taken);
  expect((await slipway.journal(next)).map(({ event }) => event)).toEqual(["requested", "started", "online"]);
});
