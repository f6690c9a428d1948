/** The settings, variables and versions of a workspace, as an owner reads and changes them: what the panel shows, asks and sends. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { n8nOwnerSettings } from "#apps/provisioner/engines/n8n/n8n-owner-settings.ts";
import type { InstanceConfiguration } from "#contract/workspaces/workspace-configuration.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { AppError } from "#platform/app-error.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { workspaceOf } from "#testing/panel/panel-answers.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";
import { keepChanges, type Changes } from "#testing/panel/workspace-changes.ts";

let panel: PanelServer;
let browser: Browser;
let owner: PanelPerson;
let changes: Changes;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  owner = panel.signIn();
  changes = keepChanges(owner);
  context = await panel.contextFor(browser, owner);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expectAnswered(panel);
});

const open = (path: string, its = page) => its.goto(panel.url + path);
const region = (name: string, its = page) => its.getByRole("region", { name, exact: true });
const see = (words: string, its = page) => its.getByText(words, { exact: true }).first().waitFor();
const button = (name: string, its = page) => its.getByRole("button", { name, exact: true });

/** Opens another place of the area by its navigation. */
const goTo = async (place: string) => {
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: place, exact: true }).click();
  await page.locator(`[aria-current=page]`, { hasText: place }).first().waitFor();
};
const settings = (its = page) => region("General", its);
const versions = () => region("Version and updates");
/** What was saved. */
const saved = () => workspaceOf(owner.state);

/** Begins with these settings. */
function configure({ timezone, configuration = {} }: { timezone?: string; configuration?: Partial<InstanceConfiguration> }): void {
  owner.workspaceIs({ ...(timezone && { timezone }), configuration: { ...saved().configuration, ...configuration } });
}

async function chooseTimezone(city: string, its = page): Promise<void> {
  await its.getByRole("combobox", { name: "Timezone" }).click();
  await its.getByRole("combobox", { name: "Search by city or region" }).fill(city);
  await its
    .getByRole("option", { name: new RegExp(city) })
    .first()
    .click();
}

async function saveAndRestart(its = page): Promise<void> {
  await button("Save settings", its).click();
  await its.getByRole("alertdialog").getByRole("button", { name: "Save and restart" }).click();
}

/** Ends the restart once the page has shown it in its tab's icon. */
async function restart(its = page): Promise<void> {
  await its.locator('link[rel=icon][href^="data:"]').waitFor({ state: "attached" });
  changes.restarted();
}

test("another timezone is saved after a confirmation, the workspace restarts, and the page says when it is back", async () => {
  configure({ timezone: "Europe/Berlin" });
  await open("/manage");
  await settings().waitFor();
  await expect.poll(() => button("Save settings").isDisabled()).toBe(true);
  await chooseTimezone("Tokyo");
  await see("1 unsaved change");
  await button("Save settings").click();
  const dialog = page.getByRole("alertdialog", { name: "Save and restart the workspace?" });
  await dialog.getByText("Timezone: Asia/Tokyo").waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save and restart" }).click();
  await restart();
  await see("Your workspace is now online.");
  await see("All changes saved");
  expect(owner.sent("changeInstance")).toEqual([expect.objectContaining({ timezone: "Asia/Tokyo", revision: "settings-1" })]);
  await open("/dashboard");
  await region("Recent events").getByText("The timezone was changed from Europe/Berlin to Asia/Tokyo.").waitFor();
  await region("Recent events").getByText("by Ada Lovelace").first().waitFor();
});

test("environment variables are saved together, restart the workspace only for settings, and show names with secret values hidden", async () => {
  await open("/manage");
  const variables = region("Environment variables");
  await variables.getByText("No environment variables").waitFor();
  await variables.getByRole("button", { name: "Add environment variables" }).click();
  const fields = (name: string) => variables.getByRole("group", { name, exact: true });
  const save = (words = "Save variables") => variables.getByRole("button", { name: words, exact: true }).click();
  await fields("New variable").getByLabel("Name").fill("n8n_port");
  await fields("N8N_PORT").getByLabel("Value", { exact: true }).fill("1");
  // Escape closes the fields and keeps what was entered.
  await page.keyboard.press("Escape");
  await expect.poll(() => fields("N8N_PORT").count()).toBe(0);
  await variables.getByText("1 unsaved change").waitFor();
  await save();
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
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "Monitoring" }).click();
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await variables.getByText("2 unsaved changes").waitFor();
  await variables.getByText("Workflows use the changes a few seconds after you save, without a restart.").waitFor();
  await save();
  await see("Variables saved. Workflows use them in a few seconds.");
  expect(saved().status).toBe(instanceStatus.online);
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
  await save();
  // The message of the first save may still be shown.
  await expect.poll(() => changes.variables).toEqual({ revision: 2, variables: [{ name: "API_KEY", isSecret: true, value: "1" }] });
  expect(owner.sent("changeVariables").at(-1)).toEqual({ revision: 1, variables: [{ name: "API_KEY", isSecret: true }] });
  // Another tab saves while they are edited here: neither loses anything.
  await variables.getByRole("button", { name: "Add variable" }).click();
  await fields("New variable").getByLabel("Name").fill("MINE");
  await fields("MINE").getByRole("button", { name: "Done" }).click();
  const { revision, variables: before } = changes.variables;
  changes.variables = { revision: revision + 1, variables: [...before, { name: "THEIRS", isSecret: false, value: "1" }] };
  await save();
  await variables.getByText("The variables were changed in another tab").waitFor();
  await expectAccessible(page);
  await variables.getByRole("button", { name: "Show current variables" }).click();
  await variables.getByText("THEIRS").waitFor();
  await variables.getByText("MINE").waitFor();
  await save();
  await expect.poll(() => changes.variables.variables.map(({ name }) => name)).toEqual(["API_KEY", "MINE", "THEIRS"]);
  // What was entered can be given up.
  await variables.getByRole("button", { name: "Edit MINE" }).click();
  await fields("MINE").getByLabel("Value", { exact: true }).fill("2");
  await variables.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => variables.getByText("1 unsaved change").count()).toBe(0);
  // What n8n reads only at its start.
  await variables.getByRole("button", { name: "Add variable" }).click();
  await fields("New variable").getByLabel("Name").fill("N8N_LOG_LEVEL");
  await fields("N8N_LOG_LEVEL").getByLabel("Value", { exact: true }).fill("debug");
  await variables.getByText("Saving restarts your workspace, which takes about a minute.").waitFor();
  await expectAccessible(page);
  await save("Save and restart");
  await see("Variables saved. The workspace is restarting.");
  await restart();
  await see("Your workspace is now online.");
});

const pasteInto = (field: Locator, pasted: string) =>
  field.evaluate((input, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);

test("several lines of a .env file that are pasted become variables, and those that are not allowed say why", async () => {
  await open("/manage");
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
  await open("/manage");
  const variables = region("Environment variables");
  await variables.getByRole("button", { name: /^Add (?:environment variables|variable)$/ }).click();
  const unnamed = variables.getByRole("group", { name: "New variable", exact: true });
  const value = unnamed.getByLabel("Value", { exact: true });
  await pasteInto(value, "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n");
  await unnamed.getByText("The value must be one line of visible text.").waitFor();
  expect(await value.inputValue()).toBe("");
  await expectAccessible(page);
  await value.fill("one");
  await expect.poll(() => unnamed.getByText("The value must be one line of visible text.").count()).toBe(0);
  await unnamed.getByLabel("Name").fill("MY_KEY");
  const name = variables.getByRole("group", { name: "MY_KEY", exact: true }).getByLabel("Name");
  await name.evaluate((input: HTMLInputElement) => input.setSelectionRange(3, 3));
  await page.keyboard.type("new_");
  await variables.getByRole("group", { name: "MY_NEW_KEY", exact: true }).waitFor();
  await variables.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => variables.getByText("unsaved").count()).toBe(0);
});

test("variables typed and pasted while a paste is being read stay, and pastes above the limits are refused with a reason", async () => {
  await open("/manage");
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
  await expect.poll(() => button("Save variables").isDisabled()).toBe(true);
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
    .getByText(/^You pasted 60 new variables, but there is room for 44: /)
    .waitFor();
  await expectAccessible(page);
  await pasteInto(name(), lines(10_000));
  await group("New variable")
    .getByText(/^You pasted [\d,]+ characters, but at most 100,000 are possible at once\./)
    .waitFor();
  await variables.getByText("6 unsaved changes").waitFor();

  // What is too much for all of them together is said where they are saved.
  await pasteInto(name(), lines(9, "x".repeat(4_000)));
  await button("Save variables").click();
  await variables.getByText("All variables together can have at most 32,768 characters.").waitFor();
  await expectAccessible(page);
  await variables.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => variables.getByText("unsaved").count()).toBe(0);
});

test("community nodes are listed as installed, with those that were disabled", async () => {
  const listed = { isOffered: true, isCurrent: true, askedAt: owner.state.now.toISOString() };
  owner.answers.listCommunityNodes = () => ({ ...listed, nodes: [] });
  await open("/manage");
  const nodes = region("Community nodes");
  await nodes.getByText("No community nodes yet").waitFor();
  owner.answers.listCommunityNodes = () => ({
    ...listed,
    nodes: [
      { name: "@acme/n8n-nodes-other", version: "2.1.0", isHeldBack: true },
      { name: "n8n-nodes-greeting", version: "1.0.0", isHeldBack: false },
    ],
  });
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
  configure({ configuration: { autoUpdate: false, maintenanceWindow: { weekday: "sunday", startHour: 3 } } });
  await open("/manage/versions");
  await page.getByLabel("Update automatically").check();
  await page.getByLabel("Day").selectOption("monday");
  await page.getByLabel("From").selectOption("22");
  await button("Save settings").click();
  await see("Settings saved.");
  expect(saved()).toMatchObject({
    status: instanceStatus.online,
    configuration: { autoUpdate: true, maintenanceWindow: { weekday: "monday", startHour: 22 } },
  });
  await page.reload();
  await expect.poll(() => page.getByLabel("Update automatically").isChecked()).toBe(true);
  expect(await page.getByLabel("From").inputValue()).toBe("22");
});

test("a saved setting is undone from its message, and the form follows", async () => {
  configure({ configuration: { autoUpdate: true, maintenanceWindow: { weekday: "monday", startHour: 22 } } });
  await open("/manage/versions");
  await page.getByLabel("From").selectOption("20");
  await button("Save settings").click();
  await button("Undo").click();
  await see("Undone.");
  expect(saved()).toMatchObject({ configuration: { autoUpdate: true, maintenanceWindow: { startHour: 22 } } });
  await expect.poll(() => page.getByLabel("From").inputValue()).toBe("22");
});

test("an invalid value is explained at its field, and nothing is sent", async () => {
  configure({ configuration: { executionsToKeep: 1000 } });
  await open("/manage");
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
  expect(owner.sent("changeInstance")).toEqual([]);
});

test("keeping fewer executions asks for the password above the form; without it nothing is saved, and what was entered stays", async () => {
  configure({ configuration: { executionsToKeep: 1000 } });
  let isTyped = false;
  const { changeInstance } = owner.answers;
  owner.answers.changeInstance = (asked, state) => {
    if (!isTyped) throw new AppError("password_needed");
    return changeInstance!(asked, state);
  };
  owner.answers.confirmPassword = () => void (isTyped = true);
  await open("/manage");
  await page.getByLabel("Executions to keep").fill("500");
  const question = page.getByRole("dialog", { name: "Enter your password" });
  const ask = async () => {
    await saveAndRestart();
    await question.getByText("delete or replace data").waitFor();
  };
  await ask();
  await closeByEscape(question);
  await page.getByText("Enter it to continue.").waitFor();
  expect(await page.getByLabel("Executions to keep").inputValue()).toBe("500");
  expect(saved().configuration.executionsToKeep).toBe(1000);
  await ask();
  await question.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.keyboard.press("Enter");
  await see("All changes saved");
  expect(saved().configuration.executionsToKeep).toBe(500);
});

test("of two tabs the second is shown what the first saved, loses no entry, and chooses", async () => {
  configure({ configuration: { autoUpdate: true, executionsToKeep: 1000 } });
  const other = await context.newPage();
  await open("/manage/versions");
  await versions().waitFor();
  await open("/manage", other);
  await settings(other).waitFor();
  // The second tab learns nothing before it saves, neither from its stream nor by asking.
  const before = saved();
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
  expect(saved().configuration).toMatchObject({ autoUpdate: false, executionsToKeep: 500 });
});

test("what was typed stays if the workspace's own answer then fails", async () => {
  const { promise: held, resolve: refuse } = Promise.withResolvers<void>();
  owner.answers.getInstance = owner.answers.instanceEvents = async () => {
    await held;
    throw new AppError("unavailable");
  };
  // Shown from the answer about the user, if that is a few seconds old at most.
  await expect
    .poll(async () => {
      await open("/manage");
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
  await open("/manage");
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
  configure({ configuration: { maintenanceWindow: { weekday: "monday", startHour: 22 } } });
  await open("/manage/versions");
  const { promise: held, resolve: letThrough } = Promise.withResolvers<void>();
  const { changeInstance } = owner.answers;
  owner.answers.changeInstance = async (asked, state) => {
    await held;
    return changeInstance!(asked, state);
  };
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
  const { username: login } = owner.state.user;
  const password = "correct horse battery";
  panel.visitor.answers.logIn = () => {
    const { token, state } = panel.signIn();
    return { token, user: state.user };
  };
  await open("/manage");
  await page.getByLabel("Executions to keep").fill("700");
  await button("Save settings").click();
  const confirm = page.getByRole("alertdialog").getByRole("button", { name: "Save and restart" });
  await confirm.waitFor();
  owner.endSession();
  // The page may notice before the click, because its stream ends with the session.
  await Promise.race([confirm.click(), page.getByLabel("Account name or email").waitFor()]);
  await page.getByLabel("Account name or email").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button("Sign in").click();
  await page.waitForURL("**/manage");
  expect(panel.visitor.sent("logIn")).toEqual([{ login, password }]);
  await see("1 unsaved change");
  expect(await page.getByLabel("Executions to keep").inputValue()).toBe("700");
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
  const { versionName: current } = saved();
  const version = (name: string, needsMigration: boolean) => ({
    name,
    releasedAt: "2026-09-26T01:16:11.199Z",
    channel: "stable" as const,
    needsMigration,
    isPossible: true,
  });
  owner.answers.listInstanceVersions = () => ({ current, versions: [version("2.41.0", true), version(current, false)] });
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
