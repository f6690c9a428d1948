/** Plan and usage where customers see them: in the unchanged editor, in the panel, and when the plan is used up. */
import { randomUUID } from "node:crypto";
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { FirstDays } from "#contract/accounts/onboarding/first-days.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { accounts, gatewayCounts, subscriptions, usageChecks, workspaces } from "#database/tables.ts";
import { entitlementsChanged } from "#domain/workspaces/desired/entitlements-changed.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { signInToN8n } from "#testing/engines/n8n/n8n-owner.ts";
import { minuteMs } from "#platform/clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { waitForRoomInDay } from "#testing/program/room-in-day.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

const bootTimeoutMs = 240_000;
/** Usage and n8n's statistics are counted by UTC day, so all of these tests must run within one: more than they take on a busy machine. */
const fileMs = 25 * minuteMs;
const soon = { timeout: 60_000, interval: 200 };
/** For what the service notices on its own: it looks at an active workspace each minute. */
const soonAfterALook = { timeout: 120_000, interval: 200 };

let database: TestDatabase;
let slipway: Slipway;
let owner: Customer;
let browser: Browser;
let context: BrowserContext;
let editor: Page;
let home: string;

beforeAll(async () => {
  await waitForRoomInDay(fileMs);
  database = await createTestDatabase();
  slipway = await startSlipway({ engine: "n8n", env: { DATABASE_URL: database.url } });
  owner = await slipway.launch();
  home = slipway.workspaceUrl(owner.accountName);
  await slipway.until(owner, ({ status }) => status === instanceStatus.online, bootTimeoutMs);
  browser = await launchBrowser();
  // One for all tests, because n8n's editor takes seconds to load into a new one.
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
}, 2 * fileMs);
beforeEach(async () => {
  // There is no panel cookie here, so only a code can have signed the owner in.
  await context.clearCookies();
  const [name, value] = (await signInToN8n(slipway, owner)).split("=", 2);
  await context.addCookies([{ name: name!, value: value!, url: home }]);
  editor = await context.newPage();
});
afterEach(async () => {
  await Promise.all(context.pages().map((page) => page.close()));
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
  await database?.close();
});

/** Changes the owner's limits as billing does. The editor learns of it without a reload. */
async function allow(limits: { customExecutions: number; customWorkflows: number }): Promise<void> {
  await database.db.transaction(async (tx) => {
    const [account] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, owner.accountName));
    await tx.update(subscriptions).set(limits).where(eq(subscriptions.accountId, account!.id));
    await entitlementsChanged(tx, account!.id, new Date());
  });
  const told = () =>
    editor.evaluate(
      async () => ((await (await fetch("/rest/admin/cloud-plan")).json()) as { monthlyExecutionsLimit: number }).monthlyExecutionsLimit,
    );
  await expect.poll(told, soonAfterALook).toBe(limits.customExecutions);
}

const callHook = ({ accountName }: Customer) => ask(`${slipway.workspaceUrl(accountName)}/webhook/counted`);
const usedLimits = async (customer: Customer) =>
  (await slipway.call("GET", "/api/instance/used-limits", customer)).json<{ executions: number; activeWorkflows: number }>();

interface Workflow {
  id: string;
  versionId: string;
}

/** A workflow that runs when /webhook/{name} is called. */
function hookWorkflow(name: string): object {
  const node = {
    id: randomUUID(),
    name: "Webhook",
    type: "n8n-nodes-base.webhook",
    typeVersion: 2,
    position: [0, 0],
    webhookId: randomUUID(),
    parameters: { path: name, httpMethod: "GET", responseMode: "lastNode" },
  };
  return { name, settings: {}, nodes: [node], connections: {}, active: false };
}

/** Makes a workflow as the editor does. */
const makeWorkflow = (name: string) =>
  editor.evaluate(
    async (body) => {
      const answer = await fetch("/rest/workflows", { method: "POST", headers: { "content-type": "application/json" }, body });
      return ((await answer.json()) as { data: Workflow }).data;
    },
    JSON.stringify(hookWorkflow(name)),
  );

const publish = (workflow: Workflow) =>
  editor.evaluate(async ({ id, versionId }) => {
    const answer = await fetch(`/rest/workflows/${id}/activate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ versionId }),
    });
    return answer.status;
  }, workflow);

/** Opens the panel's page as the owner: a browser without a session is asked whose account the editor's code opens. */
async function expectSignedIn(page: Page, path: string): Promise<void> {
  await page.getByRole("button", { name: `Continue as ${owner.accountName}` }).click();
  await page.waitForURL(({ origin, pathname }) => origin === slipway.url && pathname === path);
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
}

/** The dashboard after signing in with the password. */
async function openDashboard(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(pageTimeoutMs);
  await page.context().addCookies(sessionCookies(owner.token, slipway.url));
  await page.goto(`${slipway.url}/dashboard`);
  return page;
}

test("the editor's upgrade button leads to the panel's plans, signed in", async () => {
  await editor.goto(`${home}/home/workflows`);
  const [plans] = await Promise.all([context.waitForEvent("page"), editor.getByRole("button", { name: "Upgrade now" }).click()]);
  await expectSignedIn(plans, "/account/change-plan");
});

test("the editor's link to the admin panel leads to the dashboard, signed in", async () => {
  await editor.goto(`${home}/home/workflows`);
  await editor.locator('[data-test-id="main-sidebar-cloud-admin"]').click();
  await expectSignedIn(editor, "/dashboard");
});

const doneSteps = async () =>
  (await slipway.call("GET", "/api/account/first-days", owner))
    .json<FirstDays>()
    .steps.filter(({ isDone }) => isDone)
    .map(({ name }) => name);

/** The link of the panel signs in; the editor shows that this is a trial, and how much of it is used. */
async function seeTrial(): Promise<void> {
  await context.clearCookies();
  const { url } = (await slipway.call("GET", "/api/instance/url", owner)).json<{ url: string }>();
  await editor.goto(url);
  await editor.waitForURL(`${home}/home/**`);
  await editor.getByText("14 days left").waitFor();
  await editor.getByText("0/1000").waitFor();
}

/** The first days' checklist follows what the owner does in n8n. */
async function followFirstDays(): Promise<Workflow> {
  await expect.poll(doneSteps, soon).toEqual(["open"]);
  const panel = await openDashboard();
  const list = panel.getByRole("region", { name: "Your first days" });
  await list.getByText("1 of 6 done").waitFor();
  await panel.getByRole("heading", { name: "Your workspace is ready for its first workflow" }).waitFor();
  await expectAccessible(panel);
  await editor.goto(`${home}/home/workflows`);
  const workflow = await makeWorkflow("counted");
  await expect.poll(doneSteps, soonAfterALook).toEqual(["open", "workflow"]);
  expect(await publish(workflow)).toBe(200);
  await expect.poll(doneSteps, soonAfterALook).toEqual(["open", "workflow", "publish"]);
  await list.getByText("3 of 6 done").waitFor();
  await list.getByRole("button", { name: "Hide this list" }).click();
  await list.waitFor({ state: "detached" });
  await panel.getByRole("button", { name: "Undo" }).click();
  await list.getByText("3 of 6 done").waitFor();
  await panel.close();
  return workflow;
}

/** Executions are counted once, and shown in the editor and in the panel. */
async function countOnce(): Promise<void> {
  await expect.poll(async () => (await callHook(owner)).status, soon).toBe(200);
  for (let call = 0; call < 2; call++) expect((await callHook(owner)).status).toBe(200);
  await editor.getByText("3/1000").waitFor();
  await expect.poll(() => usedLimits(owner), soonAfterALook).toMatchObject({ executions: 3, activeWorkflows: 1 });
  await expect.poll(doneSteps, soonAfterALook).toEqual(["open", "workflow", "publish", "execution"]);
  const panel = await openDashboard();
  const usage = panel.getByRole("region", { name: "Usage" });
  await usage.getByText("3 of 1,000").waitFor();
  await usage.getByText("1 of 5").waitFor();
  await usage.getByRole("img", { name: "3 executions in the last 30 days, 0 of them failed." }).waitFor();
  await usage.getByText("By workflow, this period").click();
  await usage.getByRole("listitem").filter({ hasText: "counted" }).getByText("3 executions").waitFor();
  await expectAccessible(panel);
  await panel.close();
}

/** Calls of webhooks, their failures and times are shown as the gateway saw them, on the dashboard and in monitoring. */
async function showWebhooks(): Promise<void> {
  // Under load, with some calls to unknown paths: those are the callers' mistake, not failures.
  await Promise.all(Array.from({ length: 40 }, () => ask(`${home}/webhook/nobody`)));
  const seen = async () =>
    (await slipway.call("GET", "/api/instance/webhooks", owner)).json<{ total: { calls: number; clientErrors: number; failed: number } }>()
      .total;
  await expect.poll(async () => (await seen()).clientErrors, soon).toBeGreaterThanOrEqual(40);
  await expect.poll(async () => (await seen()).calls, soon).toBeGreaterThanOrEqual(43);
  expect(await seen()).toMatchObject({ failed: 0 });
  const panel = await openDashboard();
  const usage = panel.getByRole("region", { name: "Usage" });
  await usage.getByText(/^Webhooks: 100% answered, [\d,.]+ m?s at the median, last 24 hours\./).waitFor();
  await usage.getByRole("link", { name: "Monitoring" }).click();
  await panel.waitForURL("**/manage/monitoring");
  // The load on the workspace is measured each minute and shown on the same page.
  await panel
    .getByRole("region", { name: "Memory" })
    .getByText(/^Now [1-9][\d,]* MB, peak [1-9][\d,]* MB at .*, limit [1-9][\d,]* MB$/)
    .waitFor();
  const webhooks = panel.getByRole("region", { name: "Webhooks" });
  await webhooks.getByRole("img", { name: /^\d+ calls, 0 of them failed\.$/ }).waitFor();
  await webhooks.getByRole("slider").focus();
  await expect.poll(() => webhooks.getByRole("slider").getAttribute("aria-valuetext")).toMatch(/ m?s$/);
  await panel.getByRole("button", { name: "1 hour" }).click();
  await webhooks.getByText("Show as a table").click();
  await expect.poll(() => webhooks.getByRole("row").count()).toBeGreaterThan(1);
  await expectAccessible(panel);
  await panel.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => panel.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await panel.close();
}

/** A killed control plane counts nothing twice and loses nothing. */
async function surviveKill(): Promise<void> {
  expect((await callHook(owner)).status).toBe(200);
  await slipway.kill9();
  await slipway.start();
  await expect.poll(async () => (await callHook(owner)).status, soon).toBe(200);
  await expect.poll(async () => (await usedLimits(owner)).executions, soonAfterALook).toBe(5);
}

/** When the quota is used up the editor says so, with a link that leads to the panel's plans, signed in. */
async function useUp(workflow: Workflow): Promise<void> {
  await allow({ customExecutions: 6, customWorkflows: 1 });
  await expect.poll(async () => (await callHook(owner)).status, soon).toBe(200);
  await expect.poll(async () => (await callHook(owner)).status, soon).toBe(402);
  await context.clearCookies({ domain: "localhost" });
  await editor.goto(`${home}/workflow/${workflow.id}/executions`);
  await editor.getByText("Your Trial plan includes 6 executions, and all of them are used.").first().waitFor();
  await editor.getByText("6/6").waitFor();
  const [plans] = await Promise.all([
    context.waitForEvent("page"),
    editor
      .getByRole("link", { name: `${slipway.url}/account/change-plan` })
      .first()
      .click(),
  ]);
  await expectSignedIn(plans, "/account/change-plan");
  await plans.close();
}

/** One active workflow too many is refused in a toast that names the plan. */
async function refuseWorkflow(): Promise<void> {
  const { id } = await makeWorkflow("too-many");
  await editor.goto(`${home}/workflow/${id}`);
  await editor.locator('[data-test-id="workflow-open-publish-modal-button"]').click();
  await editor.locator('[data-test-id="workflow-publish-button"]').click();
  await editor.getByText("Your Trial plan allows 1 active workflow.").first().waitFor();
  expect(await usedLimits(owner)).toMatchObject({ activeWorkflows: 1 });
}

/** The panel and a mail say so, too. */
async function tellOwner(): Promise<void> {
  await expect.poll(async () => (await usedLimits(owner)).executions, soonAfterALook).toBe(6);
  const panel = await openDashboard();
  await panel.getByRole("alert").filter({ hasText: "You have used all your executions, so workflows have stopped" }).waitFor();
  await panel.getByRole("link", { name: "See plans" }).first().waitFor();
  await expectAccessible(panel);
  await panel.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => panel.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expectAccessible(panel);
  await panel.close();
  const told = async () => {
    const { messages } = (await slipway.call("GET", "/api/dev/inbox")).json<{ messages: { to: string; subject: string }[] }>();
    return messages.filter(({ to, subject }) => to === owner.email && subject.includes("executions")).map(({ subject }) => subject);
  };
  await expect.poll(told, soon).toEqual(["All your executions are used, so workflows have stopped", "80% of your executions are used"]);
}

/** A larger plan lifts that immediately. */
async function allowMore(): Promise<void> {
  await allow({ customExecutions: 100, customWorkflows: 5 });
  await expect.poll(async () => (await callHook(owner)).status, soon).toBe(200);
}

// One test, because a start of n8n takes seconds of processor time, and each figure follows from the one before.
test(
  "a trial is used up: the editor and the panel show each execution once, the checklist of the first days and the figures of webhooks follow, and the used-up quota is explained until a larger plan lifts it",
  async () => {
    await seeTrial();
    const workflow = await followFirstDays();
    await countOnce();
    await showWebhooks();
    await surviveKill();
    await useUp(workflow);
    await refuseWorkflow();
    await tellOwner();
    await allowMore();
  },
  fileMs,
);

/**
 * A tenant's own node, which n8n loads into its process: it removes our counting from it, and the file with the counts.
 * It can't reach the gateway, and has not thought of n8n's own statistics.
 */
const lyingNode = `
const { createRequire } = require("node:module");
const { rmSync } = require("node:fs");
const { join } = require("node:path");
const n8n = createRequire(process.argv[1]);
const hooks = n8n("@n8n/di").Container.get(n8n("../dist/external-hooks").ExternalHooks);
setInterval(() => {
  hooks.registered["workflow.preExecute"] = [];
  for (const end of ["", "-wal", "-shm"]) rmSync(join(process.env.N8N_USER_FOLDER, ".slipway", "usage.sqlite" + end), { force: true });
}, 20);
exports.Lying = class Lying {
  description = { displayName: "Lying", name: "lying", group: [], version: 1, description: "", defaults: { name: "Lying" }, inputs: [], outputs: [], properties: [] };
};`;

/** Makes and activates the workflow that the tests call, without a browser. */
async function activateCounted(customer: Customer): Promise<void> {
  const cookie = await signInToN8n(slipway, customer);
  const post = async (path: string, body: object): Promise<Workflow> => {
    const answer = await ask(slipway.workspaceUrl(customer.accountName) + path, { method: "POST", headers: { cookie }, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.json<{ data: Workflow }>().data;
  };
  const { id, versionId } = await post("/rest/workflows", hookWorkflow("counted"));
  await post(`/rest/workflows/${id}/activate`, { versionId });
}

test(
  "a tenant who removes the counting from n8n is charged what the gateway saw, and both tenant and operators are told",
  async () => {
    const tenant = await slipway.launch();
    await slipway.until(tenant, ({ status }) => status === instanceStatus.online, bootTimeoutMs);
    const account = eq(accounts.name, tenant.accountName);
    const joined = eq(accounts.id, workspaces.accountId);
    const [workspace] = await database.db.select({ id: workspaces.id }).from(workspaces).innerJoin(accounts, joined).where(account);
    const checks = () => database.db.select().from(usageChecks).where(eq(usageChecks.workspaceId, workspace!.id));
    // n8n's own statistics are followed from the first look at them: executions before it would not be shown.
    await expect.poll(async () => (await checks()).length, soonAfterALook).toBe(1);
    await activateCounted(tenant);
    const before = 7;
    await expect.poll(async () => (await callHook(tenant)).status, soon).toBe(200);
    for (let call = 1; call < before; call++) expect((await callHook(tenant)).status).toBe(200);
    // Until n8n's own statistics have shown the last one too, because its next process starts them again.
    const shown = async () => (await checks()).reduce((sum, { succeeded }) => sum + succeeded, 0);
    await expect
      .poll(async () => ({ counted: (await usedLimits(tenant)).executions, shown: await shown() }), soonAfterALook)
      .toEqual({ counted: before, shown: before });
    const folder = join(globSync(join(slipway.dataDir, "workspaces", workspace!.id, "**", ".n8n"))[0]!, "custom");
    mkdirSync(folder);
    writeFileSync(join(folder, "Lying.node.js"), lyingNode);
    const onlines = async () => (await slipway.journal(tenant)).filter(({ event }) => event === "online").length;
    const onlinesBefore = await onlines();
    expect((await slipway.call("PUT", "/api/instance/restart", tenant)).status).toBe(202);
    await expect.poll(onlines, { timeout: bootTimeoutMs, interval: 500 }).toBe(onlinesBefore + 1);
    await expect.poll(async () => (await callHook(tenant)).status, soon).toBe(200);
    for (let call = 1; call < 20; call++) expect((await callHook(tenant)).status).toBe(200);
    await expect.poll(async () => (await usedLimits(tenant)).executions, soonAfterALook).toBe(before + 20);
    expect((await slipway.journal(tenant)).map(({ event }) => event)).not.toContain("usage-differs");
    // Only the gateway's count, without n8n's statistics or the memory of a killed control plane.
    const counts = () => database.db.select().from(gatewayCounts).where(eq(gatewayCounts.workspaceId, workspace!.id));
    const seen = async () => (await counts()).reduce((sum, { executions }) => sum + executions, 0);
    await expect.poll(seen, soon).toBeGreaterThanOrEqual(20);
    // After five minutes it is no hiccup. A pass in progress while the clock moves looks again a minute later.
    expect((await slipway.call("POST", "/api/dev/clock", { body: { advance: "6m" } })).status).toBe(200);
    await expect
      .poll(async () => (await slipway.journal(tenant)).filter(({ event }) => event === "usage-differs").length, soonAfterALook)
      .toBe(1);
    const alarm = slipway
      .output()
      .split("\n")
      .filter((line) => line.includes('"event":"usage-differs"'));
    expect(alarm.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 50, accountName: tenant.accountName, reported: before, added: 20 },
    ]);
    expect(await usedLimits(tenant)).toMatchObject({ executions: before + 20 });
  },
  fileMs,
);
