/** The dashboard and the manage area, as an owner uses them: settings, restart, logs, members, the end of a workspace and a new one. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { n8nOwnerSettings } from "#apps/provisioner/engines/n8n/n8n-owner-settings.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import type { InstanceConfiguration } from "#contract/workspaces/workspace-configuration.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { settledShifts, watchShifts } from "#testing/browser/watch-shifts.ts";
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

const open = (path: string, its = page) => its.goto(slipway.url + path);
const region = (name: string, its = page) => its.getByRole("region", { name, exact: true });
const settings = (its = page) => region("General", its);
const versions = () => region("Version and updates");
const see = (words: string, its = page) => its.getByText(words, { exact: true }).first().waitFor();
const api = async <Body>(path: string) => (await slipway.call("GET", path, { token: owner.token })).json<Body>();
const button = (name: string, its = page) => its.getByRole("button", { name, exact: true });

/** Begins with these settings, whatever other tests have saved. */
async function configure(settings: { timezone?: string; configuration?: Partial<InstanceConfiguration> }): Promise<void> {
  const answer = await slipway.call("PUT", "/api/instance/configuration", { token: owner.token, body: settings });
  expect(answer.status, answer.text).toBe(202);
  await slipway.until(owner, isOnline);
}

async function chooseTimezone(city: string, its = page): Promise<void> {
  await its.getByRole("combobox", { name: "Timezone" }).click();
  await its.getByRole("combobox", { name: "Search by city or region" }).fill(city);
  await its
    .getByRole("option", { name: new RegExp(city) })
    .first()
    .click();
}

/** Opens another place of the area by its navigation. */
const goTo = async (place: string) => {
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: place, exact: true }).click();
  await page.locator(`[aria-current=page]`, { hasText: place }).first().waitFor();
};

/** Each place of an account without billing, and something that it shows once it has loaded. */
const places: Record<string, string> = {
  "/manage": "Timezone",
  "/manage/monitoring": "Crash history",
  "/manage/logs": "Output from",
  "/manage/settings": "All changes saved",
  "/manage/versions": "Released",
  "/manage/backups": "Next backup",
  "/manage/export": "Export workflows",
  "/manage/members": "Ada Lovelace",
  "/manage/danger": "A last backup is kept",
};
const placeNames = ["Overview", "Monitoring", "Logs", "Settings", "Versions", "Backups", "Export", "Members", "Danger zone"];

async function saveAndRestart(its = page): Promise<void> {
  await button("Save settings", its).click();
  await its.getByRole("alertdialog").getByRole("button", { name: "Save and restart" }).click();
}

test("another timezone is saved after a confirmation, the workspace restarts, and the page says when it is back", async () => {
  await configure({ timezone: "Europe/Berlin" });
  await open("/manage/settings");
  await settings().waitFor();
  await expect.poll(() => button("Save settings").isDisabled()).toBe(true);
  await chooseTimezone("Tokyo");
  await see("1 unsaved change");
  await button("Save settings").click();
  const dialog = page.getByRole("alertdialog", { name: "Save and restart the workspace?" });
  await dialog.getByText("Timezone: Asia/Tokyo").waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save and restart" }).click();
  await see("Your workspace is now online.");
  await see("All changes saved");
  await slipway.until(owner, (instance) => isOnline(instance) && instance.timezone === "Asia/Tokyo");
  await open("/dashboard");
  await region("Recent events").getByText("The timezone was changed from Europe/Berlin to Asia/Tokyo.").waitFor();
  await region("Recent events").getByText("by Ada Lovelace").first().waitFor();
});

test("environment variables are saved together, restart the workspace, and show names with secret values hidden", async () => {
  await open("/manage/settings");
  const variables = region("Environment variables");
  await variables.getByText("No environment variables").waitFor();
  await variables.getByRole("button", { name: "Add environment variables" }).click();
  const fields = (name: string) => variables.getByRole("group", { name, exact: true });
  const saveAndRestart = () => variables.getByRole("button", { name: "Save and restart" }).click();
  await fields("New variable").getByLabel("Name").fill("n8n_port");
  await fields("N8N_PORT").getByLabel("Value", { exact: true }).fill("1");
  // Escape closes the fields and keeps what was entered.
  await page.keyboard.press("Escape");
  await expect.poll(() => fields("N8N_PORT").count()).toBe(0);
  await variables.getByText("1 unsaved change").waitFor();
  await saveAndRestart();
  await fields("N8N_PORT").getByText("This name is reserved for the workspace itself.").waitFor();
  await variables.getByText(`${n8nOwnerSettings.length} n8n settings that you can change here`).click();
  await variables.getByText("error, warn, info, debug").waitFor();
  await expectAccessible(page);
  await fields("N8N_PORT").getByLabel("Name").fill("api_key");
  await variables.getByRole("button", { name: "Add variable" }).click();
  await fields("New variable").getByLabel("Name").fill("API_URL");
  await fields("API_URL").getByLabel("Value", { exact: true }).fill("https://api.example.com");
  await fields("API_URL").getByLabel("Hide the value in the panel").uncheck();
  await page.keyboard.press("Escape");
  // Leaving the page would lose them, so it asks.
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "Logs" }).click();
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await variables.getByText("2 unsaved changes").waitFor();
  await saveAndRestart();
  await see("Variables saved. The workspace is restarting.");
  await see("Your workspace is now online.");
  await variables.getByText("https://api.example.com").waitFor();
  await variables.getByText("Hidden").waitFor();
  await expect.poll(() => variables.getByText("unsaved").count()).toBe(0);
  await expectAccessible(page);
  // Without typing it again, a secret value stays; the other is removed, kept after all, and removed again.
  await variables.getByRole("button", { name: "Remove API_URL" }).click();
  await variables.getByRole("button", { name: "Undo removing API_URL" }).press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Edit API_URL");
  await variables.getByRole("button", { name: "Remove API_URL" }).click();
  await variables.getByText("Removed").waitFor();
  await expectAccessible(page);
  await saveAndRestart();
  // The message of the first save may still be shown.
  await vi.waitFor(
    async () =>
      expect(await api("/api/instance/variables")).toEqual({ revision: 2, variables: [{ name: "API_KEY", isSecret: true, value: null }] }),
    { timeout: 60_000 },
  );
  await slipway.until(owner, isOnline);
  // Another tab saves while they are edited here: neither loses anything.
  await variables.getByRole("button", { name: "Add variable" }).click();
  await fields("New variable").getByLabel("Name").fill("MINE");
  await fields("MINE").getByRole("button", { name: "Done" }).click();
  const { revision } = await api<{ revision: number }>("/api/instance/variables");
  const theirs = [
    { name: "API_KEY", isSecret: true },
    { name: "THEIRS", isSecret: false, value: "1" },
  ];
  await slipway.call("PUT", "/api/instance/variables", { token: owner.token, body: { revision, variables: theirs } });
  await saveAndRestart();
  await variables.getByText("The variables were changed in another tab").waitFor();
  await expectAccessible(page);
  await variables.getByRole("button", { name: "Show current variables" }).click();
  await variables.getByText("THEIRS").waitFor();
  await variables.getByText("MINE").waitFor();
  await saveAndRestart();
  await expect
    .poll(async () => (await api<{ variables: { name: string }[] }>("/api/instance/variables")).variables.map(({ name }) => name))
    .toEqual(["API_KEY", "MINE", "THEIRS"]);
  await slipway.until(owner, isOnline);
  // What was entered can be given up.
  await variables.getByRole("button", { name: "Edit MINE" }).click();
  await fields("MINE").getByLabel("Value", { exact: true }).fill("2");
  await variables.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => variables.getByText("1 unsaved change").count()).toBe(0);
});

test("memory that a plan changed is shown beside the running memory, with the restart that applies it", async () => {
  const samples = [{ at: new Date().toISOString(), memoryMb: 500, cpuPercent: null, diskMb: null }];
  const [from, to] = [new Date(Date.now() - 86_400_000).toISOString(), new Date().toISOString()];
  await page.route("**/api/instance/monitoring?*", (route) =>
    route.fulfill({ json: { from, to, limitMb: 1024, plannedMb: 2048, cpuLimitPercent: 100, diskLimitMb: 5120, samples, marks: [] } }),
  );
  await open("/manage/monitoring");
  const resources = region("Resources");
  await resources.getByText("Your plan includes 2,048 MB. The workspace runs with 1,024 MB until its next restart.").waitFor();
  await resources.getByRole("button", { name: "Restart" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await expectAccessible(page);
});

const pasteInto = (field: Locator, pasted: string) =>
  field.evaluate((input, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);

test("several lines of a .env file that are pasted become variables, and those that are not allowed say why", async () => {
  await open("/manage/settings");
  const variables = region("Environment variables");
  await variables.getByRole("button", { name: /^Add (?:environment variables|variable)$/ }).click();
  const name = variables.getByRole("group", { name: "New variable", exact: true }).getByLabel("Name");
  await pasteInto(name, "# Shop\nexport SHOP_URL=\"https://shop.example/#top\"\nSHOP_KEY='a b' # test\nN8N_PORT=1\nno variable\n");
  await variables.getByRole("group", { name: "N8N_PORT" }).getByText("This name is reserved for the workspace itself.").waitFor();
  const unnamed = variables.getByRole("group", { name: "New variable", exact: true });
  await unnamed.getByText(/^Use capital letters/).waitFor();
  expect(await unnamed.getByLabel("Value", { exact: true }).inputValue()).toBe("no variable");
  await variables.getByText("4 unsaved changes").waitFor();
  await expectAccessible(page);
  await variables.getByRole("button", { name: "Edit SHOP_URL" }).click();
  const value = variables.getByRole("group", { name: "SHOP_URL" }).getByLabel("Value", { exact: true });
  expect(await value.inputValue()).toBe("https://shop.example/#top");
  await variables.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => variables.getByText("unsaved").count()).toBe(0);
});

test("a value of several lines is refused with a reason, and a name can be changed in its middle", async () => {
  await open("/manage/settings");
  const variables = region("Environment variables");
  await variables.getByRole("button", { name: /^Add (?:environment variables|variable)$/ }).click();
  const unnamed = variables.getByRole("group", { name: "New variable", exact: true });
  const value = unnamed.getByLabel("Value", { exact: true });
  await pasteInto(value, "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n");
  await unnamed.getByText("The value must be one line of text.").waitFor();
  expect(await value.inputValue()).toBe("");
  await expectAccessible(page);
  await value.fill("one");
  await expect.poll(() => unnamed.getByText("The value must be one line of text.").count()).toBe(0);
  await unnamed.getByLabel("Name").fill("MY_KEY");
  const name = variables.getByRole("group", { name: "MY_KEY", exact: true }).getByLabel("Name");
  await name.evaluate((input: HTMLInputElement) => input.setSelectionRange(3, 3));
  await page.keyboard.type("new_");
  await variables.getByRole("group", { name: "MY_NEW_KEY", exact: true }).waitFor();
  await variables.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => variables.getByText("unsaved").count()).toBe(0);
});

test("variables typed and pasted while a paste is being read stay, and pastes above the limits are refused with a reason", async () => {
  await open("/manage/settings");
  const variables = region("Environment variables");
  await variables.getByRole("button", { name: /^Add (?:environment variables|variable)$/ }).click();
  const group = (of: string) => variables.getByRole("group", { name: of, exact: true });
  const name = () => group("New variable").getByLabel("Name");
  await name().waitFor();
  let deliver = () => {};
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await pasteInto(name(), "FIRST_ONE=1\nFIRST_TWO=2");
  await name().fill("typed");
  await pasteInto(group("TYPED").getByLabel("Value", { exact: true }), "SECOND_ONE=1\nSECOND_TWO=2");
  await group("TYPED").getByLabel("Value", { exact: true }).fill("typed value");
  await expect.poll(() => button("Save and restart").isDisabled()).toBe(true);
  deliver();
  for (const each of ["FIRST_ONE", "FIRST_TWO", "SECOND_ONE", "SECOND_TWO"]) await button(`Edit ${each}`).waitFor();
  expect(await group("TYPED").getByLabel("Value", { exact: true }).inputValue()).toBe("typed value");
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe("typed value");
  await group("TYPED").getByRole("button", { name: "Done" }).click();

  // One line becomes name and value of the empty row, whose fields stay.
  await button("Add variable").click();
  await pasteInto(name(), "export shop_url='https://shop.example'\n");
  expect(await group("SHOP_URL").getByLabel("Value", { exact: true }).inputValue()).toBe("https://shop.example");
  await group("SHOP_URL").getByRole("button", { name: "Done" }).click();

  await button("Add variable").click();
  const lines = (count: number, value = "1") => Array.from({ length: count }, (_, n) => `MANY_${n}=${value}`).join("\n");
  await pasteInto(name(), lines(60));
  await group("New variable")
    .getByText(/^You pasted 60 new variables, but there is room for 4\d: /)
    .waitFor();
  await expectAccessible(page);
  await pasteInto(name(), lines(10_000));
  await group("New variable")
    .getByText(/^You pasted [\d,]+ characters, but at most 100,000 are possible at once\./)
    .waitFor();
  await variables.getByText("6 unsaved changes").waitFor();

  // What is too much for all of them together is said where they are saved.
  await pasteInto(name(), lines(9, "x".repeat(4_000)));
  await button("Save and restart").click();
  await variables.getByText("All variables together can have at most 32,768 characters.").waitFor();
  await expectAccessible(page);
  await variables.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => variables.getByText("unsaved").count()).toBe(0);
});

test("the overview shows memory, processor and disk against their limits, and nothing moves when they arrive", async () => {
  const limits = { limitMb: 1024, cpuLimitPercent: 100, diskLimitMb: 5120 };
  const newest = { at: new Date().toISOString(), memoryMb: 612, cpuPercent: 12, diskMb: 1203 };
  let load: object = { ...limits, newest, isCurrent: true };
  await page.route("**/api/instance/load", (route) => route.fulfill({ json: load }));
  await watchShifts(context);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open("/manage");
    const tile = page.getByRole("link", { name: "Resources", exact: true });
    await tile.getByText("612 of 1,024 MB").waitFor();
    await tile.getByText("12 of 100%").waitFor();
    await tile.getByText("1,203 of 5,120 MB").waitFor();
    // On a busy machine a late font moves lines now and then; what the page does itself moves them every time.
    let shifts = await settledShifts(page);
    for (let again = 0; shifts.sum > 0 && again < 2; again += 1) {
      await page.reload();
      await tile.getByText("612 of 1,024 MB").waitFor();
      shifts = await settledShifts(page);
    }
    expect(shifts).toEqual({ sum: 0, said: [] });
    await expectAccessible(page);
  }
  // A workspace that sleeps: what it used before is not what it uses now.
  load = { ...limits, newest: { ...newest, diskMb: null }, isCurrent: false };
  await page.reload();
  const tile = page.getByRole("link", { name: "Resources", exact: true });
  await tile.getByText("No current measurement").waitFor();
  await tile.getByText("Limit 1,024 MB").waitFor();
  expect(await tile.getByText("612").count()).toBe(0);
  await tile.click();
  await page.waitForURL("**/manage/monitoring");
});

test("monitoring shows memory and what happened on one axis, read by keyboard, over the time that is chosen", async () => {
  const nowMs = Date.now();
  const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
  const spans: Record<string, number> = { "24h": 1_440, "7d": 10_080 };
  await page.route("**/api/instance/monitoring?*", (route) => {
    const minutes = spans[new URL(route.request().url()).searchParams.get("range")!]!;
    const samples = [0.5, 0.4, 0.3, 0].map((share, place) => ({
      at: ago(minutes * share),
      memoryMb: 300 + 100 * place,
      cpuPercent: place === 0 ? null : 20 * place,
      diskMb: 1_200 + place,
    }));
    const marks = [
      { at: ago(minutes * 0.45), kind: "stop", message: "The workspace ran out of memory." },
      { at: ago(minutes * 0.2), kind: "backup", message: null },
    ];
    const limits = { limitMb: 1024, plannedMb: 1024, cpuLimitPercent: 100, diskLimitMb: 5120 };
    return route.fulfill({ json: { from: ago(minutes), to: ago(0), ...limits, samples, marks } });
  });
  await open("/manage/monitoring");
  const memory = region("Memory");
  await memory.getByText(/^Now 600 MB, peak 600 MB at .*, limit 1,024 MB$/).waitFor();
  const resources = region("Resources");
  const events = resources.getByRole("listitem");
  await expect
    .poll(() => events.allInnerTexts())
    .toEqual([expect.stringMatching(/^Backup/), expect.stringContaining("ran out of memory.")]);
  const axis = memory.getByRole("slider");
  await axis.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => axis.getAttribute("aria-valuetext")).toMatch(/: 300 MB$/);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => axis.getAttribute("aria-valuetext")).toMatch(/: 400 MB$/);
  await region("Processor")
    .getByText(/^Now 60%, peak 60% at .*, limit 100%$/)
    .waitFor();
  await region("Processor").getByRole("slider").focus();
  await page.keyboard.press("Home");
  await expect.poll(() => region("Processor").getByRole("slider").getAttribute("aria-valuetext")).toMatch(/: 20%$/);
  // One axis: what is read on one line is read on all.
  await expect.poll(() => region("Disk").getByRole("slider").getAttribute("aria-valuetext")).toMatch(/: 1,201 MB$/);
  await region("Disk")
    .getByText(/^Now 1,203 MB, peak 1,203 MB at .*, limit 5,120 MB$/)
    .waitFor();
  await expectAccessible(page);
  await button("7 days").click();
  await page.waitForURL("**/manage/monitoring?range=7d");
  // An hour's peak is not the current usage.
  await memory.getByText(/^Peak 600 MB at .*, limit 1,024 MB$/).waitFor();
  await resources.getByText("Show as a table").click();
  await expect.poll(() => resources.getByRole("row").count()).toBeGreaterThan(2);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expectAccessible(page);
});

test("community nodes are listed as installed, with those that were disabled", async () => {
  await open("/manage/settings");
  const nodes = region("Community nodes");
  await nodes.getByText("No community nodes yet").waitFor();
  const folder = dirname(globSync(join(slipway.dataDir, "workspaces", "*", "**", "boots"))[0]!);
  writeFileSync(
    join(folder, "community-nodes.json"),
    JSON.stringify([
      { name: "@acme/n8n-nodes-other", version: "2.1.0", isHeldBack: true },
      { name: "n8n-nodes-greeting", version: "1.0.0", isHeldBack: false },
    ]),
  );
  await page.reload();
  await nodes.getByText(/^The workspace did not start with its community nodes/).waitFor();
  await expect
    .poll(() => nodes.getByRole("listitem").allInnerTexts())
    .toEqual([
      expect.stringMatching(/^@acme\/n8n-nodes-other\s+Held back\s+2\.1\.0$/),
      expect.stringMatching(/^n8n-nodes-greeting\s+1\.0\.0$/),
    ]);
  await nodes.getByRole("button", { name: "Add or remove" }).waitFor();
  await expectAccessible(page);
});

test("settings that need no restart are saved without a confirmation", async () => {
  await configure({ configuration: { autoUpdate: false, maintenanceWindow: { weekday: "sunday", startHour: 3 } } });
  await open("/manage/versions");
  await page.getByLabel("Update automatically").check();
  await page.getByLabel("Day").selectOption("monday");
  await page.getByLabel("From").selectOption("22");
  await button("Save settings").click();
  await see("Settings saved.");
  expect(await api<Instance>("/api/instance")).toMatchObject({
    status: instanceStatus.online,
    configuration: { autoUpdate: true, maintenanceWindow: { weekday: "monday", startHour: 22 } },
  });
  await page.reload();
  await expect.poll(() => page.getByLabel("Update automatically").isChecked()).toBe(true);
  expect(await page.getByLabel("From").inputValue()).toBe("22");
});

test("a saved setting is undone from its message, and the form follows", async () => {
  await configure({ configuration: { autoUpdate: true, maintenanceWindow: { weekday: "monday", startHour: 22 } } });
  await open("/manage/versions");
  await page.getByLabel("From").selectOption("20");
  await button("Save settings").click();
  await button("Undo").click();
  await see("Undone.");
  expect(await api<Instance>("/api/instance")).toMatchObject({ configuration: { autoUpdate: true, maintenanceWindow: { startHour: 22 } } });
  await expect.poll(() => page.getByLabel("From").inputValue()).toBe("22");
});

test("an invalid value is explained at its field, and nothing is sent", async () => {
  await configure({ configuration: { executionsToKeep: 1000 } });
  await open("/manage/settings");
  await page.getByLabel("Executions to keep").fill("99");
  await button("Save settings").click();
  await see("Keep at least 100 executions.");
  await page.getByLabel("Executions to keep").fill("5000");
  await see("Your plan keeps fewer executions than that.");
  await page.getByLabel("Executions to keep").fill("");
  await see("Enter a whole number.");
  await expectAccessible(page);
  await button("Discard changes").click();
  await see("All changes saved");
  expect(await page.getByLabel("Executions to keep").inputValue()).toBe("1000");
});

test("of two tabs the second is shown what the first saved, loses no entry, and chooses", async () => {
  await configure({ configuration: { autoUpdate: true, executionsToKeep: 1000 } });
  const other = await context.newPage();
  await open("/manage/versions");
  await versions().waitFor();
  await open("/manage/settings", other);
  await settings(other).waitFor();
  // The second tab learns nothing before it saves, neither from its stream nor by asking.
  const before = await api<Instance>("/api/instance");
  let isSaving = false;
  other.on("request", (request) => void (isSaving ||= request.method() === "PUT"));
  await other.route(/\/api\/instance\/events$/, (route) => route.abort());
  await other.route(/\/api\/instance$/, (route) => (isSaving ? route.continue() : route.fulfill({ json: before })));
  await other.reload();
  await other.getByLabel("Executions to keep").fill("500");
  await expect.poll(() => page.getByLabel("Update automatically").isChecked()).toBe(true);
  await page.getByLabel("Update automatically").uncheck();
  await button("Save settings").click();
  await see("Settings saved.");
  await saveAndRestart(other);
  await see("The settings have changed", other);
  await other.getByText("Automatic updates: off").waitFor();
  expect(await other.getByLabel("Executions to keep").inputValue()).toBe("500");
  await expectAccessible(other);
  await button("Keep my changes", other).click();
  await saveAndRestart(other);
  await see("All changes saved", other);
  expect((await api<Instance>("/api/instance")).configuration).toMatchObject({ autoUpdate: false, executionsToKeep: 500 });
  await slipway.until(owner, isOnline);
});

test("what was typed stays if the workspace's own answer then fails", async () => {
  const { promise: held, resolve: refuse } = Promise.withResolvers<void>();
  await page.route(/\/api\/instance(\/events)?$/, async (route) => {
    await held;
    await route.fulfill({ status: 503, json: { code: "busy" } });
  });
  // Shown from the answer about the user, if that is a few seconds old at most.
  await expect
    .poll(async () => {
      await open("/manage/settings");
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
      return page.getByLabel("Executions to keep").count();
    })
    .toBe(1);
  await page.getByLabel("Executions to keep").fill("700");
  refuse();
  await see("Could not load workspaces");
  expect(await page.getByLabel("Executions to keep").inputValue()).toBe("700");
  await see("1 unsaved change");
});

test("leaving with unsaved changes asks first; staying keeps them", async () => {
  await open("/manage/settings");
  await page.getByLabel("Executions to keep").fill("700");
  await page.getByRole("link", { name: "Members" }).click();
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  expect(await page.getByLabel("Executions to keep").inputValue()).toBe("700");
  await page.getByRole("link", { name: "Members" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { name: "Members", exact: true }).waitFor();
  await goTo("Settings");
  expect(await page.getByLabel("Executions to keep").inputValue()).not.toBe("700");
});

test("what is changed while settings are being saved stays, unsaved; signing out with it asks first", async () => {
  await configure({ configuration: { maintenanceWindow: { weekday: "monday", startHour: 22 } } });
  await open("/manage/versions");
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route("**/api/instance/configuration", async (route) => {
    if (route.request().method() === "PUT") await held;
    await route.continue();
  });
  await page.getByLabel("From").selectOption("21");
  const [sent] = await Promise.all([page.waitForRequest((request) => request.method() === "PUT"), button("Save settings").click()]);
  await page.getByLabel("Day").selectOption("friday");
  letThrough();
  await sent.response();
  await see("Settings saved.");
  await see("1 unsaved change");
  expect([await page.getByLabel("Day").inputValue(), await page.getByLabel("From").inputValue()]).toEqual(["friday", "21"]);
  await button("Sign out").click();
  const question = page.getByRole("alertdialog", { name: "Sign out without saving?" });
  await question.getByText("Not saved yet: settings.", { exact: false }).waitFor();
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await button("Discard changes").click();
  await see("All changes saved");
  expect(await page.getByLabel("From").inputValue()).toBe("21");
});

test("a session that ends over changed settings leads back to them after signing in, with what was entered", async () => {
  const { accountName: login, password } = owner;
  const { token } = (await slipway.call("POST", "/api/auth/login", { body: { login, password } })).json<{ token: string }>();
  await context.addCookies(sessionCookies(token, slipway.url));
  await open("/manage/settings");
  await page.getByLabel("Executions to keep").fill("700");
  await button("Save settings").click();
  const confirm = page.getByRole("alertdialog").getByRole("button", { name: "Save and restart" });
  await confirm.waitFor();
  await slipway.call("GET", "/api/auth/logout", { token });
  // The page may notice before the click, because its stream ends with the session.
  await Promise.race([confirm.click(), page.getByLabel("Account name or email").waitFor()]);
  await page.getByLabel("Account name or email").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button("Sign in").click();
  await page.waitForURL("**/manage/settings");
  await see("1 unsaved change");
  expect(await page.getByLabel("Executions to keep").inputValue()).toBe("700");
});

test("each failure is shown where it happened, and can be retried: saving, restarting, the versions, logs, resources, community nodes", async () => {
  await configure({ configuration: { autoUpdate: false } });
  const calls = /\/api\/instance\/(configuration|restart|versions|logs|logs\/events|load|monitoring\?range=24h|community-nodes)$/;
  await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }));
  await open("/manage/monitoring");
  await see("The resource usage could not be loaded");
  await expectAccessible(page);
  await goTo("Settings");
  await see("The community nodes could not be loaded");
  await expectAccessible(page);
  await goTo("Logs");
  await see("The logs could not be loaded");
  await expectAccessible(page);
  await goTo("Overview");
  await see("Could not be loaded");
  await button("Restart").click();
  await button("Restart workspace").click();
  await see("The workspace could not be restarted");
  await expectAccessible(page);
  await goTo("Versions");
  await see("Could not load versions");
  await page.getByLabel("Update automatically").check();
  await button("Save settings").click();
  await see("The settings could not be saved");
  await expectAccessible(page);
  await page.unroute(calls);
  await versions().getByRole("button", { name: "Try again" }).click();
  await versions()
    .getByRole("radio", { name: /2\.40\.7/ })
    .waitFor();
  await expect.poll(() => page.getByLabel("Update automatically").isChecked()).toBe(true);
  await button("Save settings").click();
  await see("Settings saved.");
});

test("versions are real releases; one whose database is older is not offered again, and says why", async () => {
  await open("/manage/versions");
  await versions()
    .getByRole("radio", { name: /2\.40\.7/ })
    .waitFor();
  expect(
    await versions()
      .getByRole("radio", { name: /2\.38\.7/ })
      .isDisabled(),
  ).toBe(true);
  await versions().getByText("Not available: this version cannot read your workspace's current database.").waitFor();
  expect(
    await versions()
      .getByRole("link", { name: /Release notes of version 2\.40\.7/ })
      .getAttribute("href"),
  ).toContain("2.40.7");
});

test("a version with a newer database says beforehand that it cannot be downgraded", async () => {
  const instance = await api<Instance>("/api/instance");
  const version = (name: string, needsMigration: boolean) => ({
    name,
    releasedAt: "2026-09-26T01:16:11.199Z",
    channel: "stable",
    needsMigration,
    isPossible: true,
  });
  await page.route(/\/api\/instance\/versions$/, (route) =>
    route.fulfill({ json: { current: instance.versionName, versions: [version("2.41.0", true), version(instance.versionName, false)] } }),
  );
  await open("/manage/versions");
  await versions().getByText("A migration update cannot be downgraded.").waitFor();
  await versions()
    .getByRole("radio", { name: /2\.41\.0/ })
    .check();
  await button("Save settings").click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("Version: 2.41.0").waitFor();
  await dialog.getByText("A migration update cannot be downgraded.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("a restart is requested once and shown, and the logs of the new start can be read", async () => {
  const [before] = workspaceProcesses(slipway.dataDir);
  await open("/manage");
  await button("Restart").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restart workspace" }).click();
  await see("Your workspace is now online.");
  await expect.poll(() => workspaceProcesses(slipway.dataDir), { timeout: 60_000 }).not.toContain(before);
  await goTo("Logs");
  await page.getByRole("region", { name: "Output of the workspace" }).getByText("stand-in engine boots").last().waitFor();
  await see("Live");
  await expectAccessible(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${owner.accountName}-.*\\.log$`));
  expect(readFileSync(await download.path(), "utf8")).toContain("stand-in engine boots");
});

test("the output is followed until the user scrolls up, filtered and searched, and hostile lines stay text that fits a phone", async () => {
  const line = (level: string, message: string) => JSON.stringify({ level, message, metadata: { timestamp: "2026-11-23T08:00:00.000Z" } });
  const hostile = [`\u001b[31m<img src=x onerror="document.title='taken'">\u001b[0m`, "x".repeat(30_000), line("error", "It failed")];
  const first = [...Array.from({ length: 3_000 }, (_, place) => line("info", `line ${place}`)), ...hostile];
  let opened = 0;
  // While a slow machine opens the next one, it must not read the real workspace's lines.
  await page.route(/\/api\/instance\/logs$/, (route) => route.abort());
  // Each stream ends after one event, and is opened again.
  await page.route("**/api/instance/logs/events", (route) => {
    opened += 1;
    const lines = opened === 1 ? first : [line("info", `later ${opened}`)];
    const event = {
      text: `${lines.join("\n")}\n`,
      isWhole: opened === 1,
      isCut: false,
      readAt: new Date().toISOString(),
      isCurrent: true,
      isLive: false,
    };
    return route.fulfill({ contentType: "text/event-stream", body: `retry: 500\nevent: output\ndata: ${JSON.stringify(event)}\n\n` });
  });
  await page.setViewportSize({ width: 390, height: 800 });
  await open("/manage/logs");
  const box = page.getByRole("region", { name: "Output of the workspace" });
  await box.getByText("It failed").waitFor();
  await box.getByText("<img src=x").waitFor();
  await box.getByText(/later 3$/).waitFor();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(async () => [await page.title(), await overflow()]).toEqual([expect.stringContaining("Logs"), 0]);
  const fromEnd = () => box.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await expect.poll(fromEnd).toBeLessThan(24);

  await box.focus();
  await page.keyboard.press("Home");
  const jump = page.getByRole("button", { name: /Jump to newest.*new line/ });
  await jump.waitFor();
  await see("Paused");
  const held = await box.getByText(/later \d+$/).count();
  await page.getByRole("button", { name: /Jump to newest.*[2-9] new lines/ }).waitFor();
  expect(await box.getByText(/later \d+$/).count()).toBe(held);
  await expectAccessible(page);
  await jump.click();
  await expect.poll(() => box.getByText(/later \d+$/).count()).toBeGreaterThan(held);
  await expect.poll(fromEnd).toBeLessThan(24);

  await page.getByLabel("Level").selectOption("Errors");
  await page.getByText(/^1 of 2,000 lines$/).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("no such thing");
  await see("No lines match");
  await button("Clear filters").click();
  await box.getByText("It failed").waitFor();
});

test("if a proxy holds back the stream of output, the lines are read without it", async () => {
  await page.route("**/api/instance/logs/events", () => {});
  await open("/manage/logs");
  await page.getByRole("region", { name: "Output of the workspace" }).getByText("stand-in engine boots").last().waitFor();
  await see("Updated every 15 seconds");
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

test("members: the owner, the invited people, and the way to invite more", async () => {
  await open("/manage/members");
  const people = region("People").getByRole("listitem");
  await people.filter({ hasText: "Ada Lovelace" }).getByText("You", { exact: true }).waitFor();
  await see("Only you so far");
  await page.getByLabel("Email addresses").fill("bob@example.com");
  await button("Send invitations").click();
  await people.filter({ hasText: "bob@example.com" }).getByText("Sent", { exact: true }).waitFor();
  // By now the workspace knows them too: they are one person.
  await expect
    .poll(async () => (await api<{ members: { email: string }[] }>("/api/account/members")).members.map(({ email }) => email))
    .toContain("bob@example.com");
  await page.reload();
  await people.filter({ hasText: "bob@example.com" }).getByText("Sent", { exact: true }).waitFor();
  await expect.poll(() => people.count()).toBe(2);
  await page.getByRole("group", { name: "Pending invitations" }).getByText("bob@example.com").waitFor();
  expect(await page.getByText("Only you so far").count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Withdraw the invitation for bob@example.com" }).click();
  await page.getByRole("button", { name: "Withdraw invitation", exact: true }).click();
  // Also gone from the workspace, without a reload.
  await expect.poll(() => people.count()).toBe(1);
  // The list of pending invitations went with its last row: the focus moves to the card around it.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("People");
});

test("the manage area is a menu on a phone, nothing is cut off, and the keyboard alone gets everywhere", async () => {
  for (const [width, height] of [
    [320, 640],
    [390, 844],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ["/dashboard", ...Object.keys(places)]) {
      await open(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page
        .getByText(places[path] ?? "Ada Lovelace")
        .first()
        .waitFor();
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), { message: `${path} at ${width}` })
        .toBe(true);
      if (path === "/dashboard") continue;
      // Every place of the area is named in full: as a column from 768 px, as a menu below.
      const menu = page.getByRole("button", { name: /^Manage: / });
      await expect.poll(() => menu.isVisible(), { message: `a menu at ${width}` }).toBe(width < 768);
      if (width < 768) await menu.click();
      const nav = page.getByRole("navigation", { name: "Manage" });
      await expect.poll(() => nav.getByRole("link").allInnerTexts()).toEqual(placeNames);
      const hidden = () => nav.evaluate((element) => element.scrollWidth - element.clientWidth);
      await expect.poll(hidden, { message: `the names at ${width}` }).toBeLessThanOrEqual(0);
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await open("/manage/members");
  const menu = page.getByRole("button", { name: "Manage: Members" });
  await menu.press("Enter");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement && element.ariaExpanded)).toBe("false");
  await menu.press("Enter");
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "Settings" }).focus();
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { name: "Settings", level: 1 });
  await heading.waitFor();
  // The focus moves to the heading of the new place, and the menu is closed.
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(() => page.title()).toBe("Settings · Slipway");
  await page.getByRole("button", { name: "Manage: Settings" }).and(page.locator("[aria-expanded=false]")).waitFor();
  await page.getByLabel("Executions to keep").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await closeByEscape(page.getByRole("alertdialog"));
  await see("1 unsaved change");
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
