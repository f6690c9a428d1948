/** What an owner does to a running workspace in the manage area: a restart, its logs, a crash, its end and a new one. */
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { workspaceProcesses } from "#testing/fleet/workspace-processes.ts";

let slipway: Slipway;
let browser: Browser;
let owner: Customer;
let context: BrowserContext;
let page: Page;

const isOnline = ({ status }: Instance) => status === instanceStatus.online;

beforeAll(async () => {
  [slipway, browser] = await Promise.all([startSlipway(), launchBrowser()]);
  owner = await slipway.launch();
  await slipway.until(owner, isOnline);
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  page = await context.newPage();
});
afterEach(() => context.close());

const open = (path: string) => page.goto(slipway.url + path);
const region = (name: string) => page.getByRole("region", { name, exact: true });
const see = (words: string) => page.getByText(words, { exact: true }).first().waitFor();
const button = (name: string) => page.getByRole("button", { name, exact: true });

/** Opens another place of the area by its navigation. */
const goTo = async (place: string) => {
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: place, exact: true }).click();
  await page.locator(`[aria-current=page]`, { hasText: place }).first().waitFor();
};

test("a restart is requested once and shown, and the logs of the new start can be read", async () => {
  const [before] = workspaceProcesses(slipway.dataDir);
  await open("/manage");
  await button("Restart").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restart workspace" }).click();
  await see("Your workspace is now online.");
  await expect.poll(() => workspaceProcesses(slipway.dataDir), { timeout: 60_000 }).not.toContain(before);
  await goTo("Monitoring");
  await goTo("Logs");
  await page.getByRole("region", { name: "Output of the workspace" }).getByText("stand-in engine boots").last().waitFor();
  await see("Live");
  await expectAccessible(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${owner.accountName}-.*\\.log$`));
  expect(readFileSync(await download.path(), "utf8")).toContain("stand-in engine boots");
});

test("a workspace that crashes is restarted automatically, and its crash history says what was observed", async () => {
  await open("/manage/monitoring");
  await see("No unexpected stops");
  process.kill(workspaceProcesses(slipway.dataDir)[0]!, "SIGKILL");
  const crash = region("Crash history").getByText("The workspace stopped unexpectedly and is restarting.");
  await crash.waitFor();
  await region("Crash history").getByText("Details").click();
  await region("Crash history").getByText("signal SIGKILL").waitFor();
  await slipway.until(owner, isOnline);
});

test("a workspace is deleted by typing the account's name; the dashboard then offers a new one, which starts empty", async () => {
  await open("/manage/danger");
  await region("Delete this workspace").getByRole("button", { name: "Delete workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete the workspace?" });
  await dialog.getByLabel(`Type ${owner.accountName} to confirm`).fill(owner.accountName.toUpperCase());
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${owner.accountName} to confirm`).fill(owner.accountName);
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await page.waitForURL("**/dashboard");
  await region("Workspace").getByRole("heading", { name: "No active workspace" }).waitFor();
  await region("Workspace").getByRole("link", { name: "View backups" }).waitFor();
  await expectAccessible(page);
  await expect.poll(() => workspaceProcesses(slipway.dataDir)).toEqual([]);
  await expect.poll(() => slipway.newestLink(owner.email)).toContain("/dashboard");
  await button("Create a new workspace").click();
  await see("Your workspace is now online.");
  await region("Workspace").getByText("Online", { exact: true }).waitFor();
  expect(await slipway.instance(owner)).toMatchObject({ status: instanceStatus.online });
});
