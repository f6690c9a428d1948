/** The last step before the launch: what the workspace is for first, its timezone, and its version below "Advanced". */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";
import { buildNewcomer } from "#testing/panel/sign-up-answers.ts";

let panel: PanelServer;
let browser: Browser;
let owner: PanelPerson;
let context: BrowserContext | undefined;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
beforeEach(() => {
  owner = panel.signIn({ user: buildNewcomer({ confirmed: true, steps: { survey: "done", apps: "done", invite: "done" } }) });
  owner.answers.listInstanceVersions = () => ({ versions: ["2.41.3", "2.40.7"].map(release), current: "2.41.3" });
  owner.answers.setUpAccount = ({ body: { timezone } }, { user }) => {
    user.account.isSetup = true;
    user.account.instance = buildInstance({ timezone, status: instanceStatus.pending, isNew: true });
    return { user };
  };
});
afterEach(async () => {
  await context?.close();
  expectAnswered(panel);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});

const release = (name: string) => ({
  name,
  releasedAt: "2026-11-10T00:00:00.000Z",
  channel: "stable" as const,
  needsMigration: false,
  isPossible: true,
});

async function openSetup(width: number, locale = "en-US"): Promise<Page> {
  context = await panel.contextFor(browser, owner, { width, height: 900 }, { locale, timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  await page.goto(`${panel.url}/account/setup`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const launch = (page: Page) => page.getByRole("button", { name: "Launch workspace" });

test("by keyboard: what the workspace is for comes first, the version is found below Advanced, and all three are sent", async () => {
  const page = await openSetup(1440);
  const purpose = page.getByLabel("What will you use it for first?");
  const timezone = page.getByLabel("Timezone", { exact: true });
  const advanced = page.locator("summary", { hasText: "Advanced" });
  const version = page.getByLabel("n8n version");
  await advanced.waitFor();
  expect(await version.isVisible()).toBe(false);
  await expectAccessible(page);
  await purpose.focus();
  await page.keyboard.type("Collecting");
  await expect.poll(() => purpose.inputValue()).toBe("reports");
  const isFocused = (element: Element) => element === document.activeElement;
  await page.keyboard.press("Tab");
  await expect.poll(() => timezone.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Tab");
  await expect.poll(() => advanced.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Enter");
  await version.waitFor();
  await expectAccessible(page);
  await version.focus();
  await page.keyboard.type("2.40");
  await launch(page).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/account/launching");
  expect(owner.sent("setUpAccount")).toEqual([{ timezone: "Europe/Berlin", purpose: "reports", versionName: "2.40.7" }]);
});

test("the question may be left open; on a phone nothing is cut off", async () => {
  const page = await openSetup(390);
  await page.locator("summary", { hasText: "Advanced" }).click();
  await page.getByLabel("n8n version").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await expectAccessible(page);
  await launch(page).click();
  await page.waitForURL("**/account/launching");
  expect(owner.sent("setUpAccount")).toEqual([{ timezone: "Europe/Berlin" }]);
});

test("a refused timezone is explained at its field, a failed launch above the form, and what was chosen stays", async () => {
  const works = owner.answers.setUpAccount!;
  const page = await openSetup(768);
  const purpose = page.getByLabel("What will you use it for first?");
  const version = page.getByLabel("n8n version");
  await purpose.selectOption("support");
  await page.locator("summary", { hasText: "Advanced" }).click();
  await version.selectOption("2.40.7");
  const stays = async () => expect([await purpose.inputValue(), await version.inputValue()]).toEqual(["support", "2.40.7"]);
  owner.answers.setUpAccount = () => {
    const code = "timezone.invalid";
    throw new AppError("validation_failed", { errors: [{ path: "timezone", code, message: fieldMessage(code) }] });
  };
  await launch(page).click();
  await page.getByText(fieldMessage("timezone.invalid")).waitFor();
  const timezone = page.getByLabel("Timezone", { exact: true });
  await expect.poll(() => timezone.evaluate((element) => element === document.activeElement && element.ariaInvalid)).toBe("true");
  await stays();
  await expectAccessible(page);
  owner.answers.setUpAccount = () => {
    throw new AppError("instance_operations_off");
  };
  await launch(page).click();
  await page.getByRole("alert").waitFor();
  await stays();
  await expectAccessible(page);
  owner.answers.setUpAccount = works;
  await launch(page).click();
  await page.waitForURL("**/account/launching");
  expect(owner.sent("setUpAccount").at(-1)).toEqual({ timezone: "Europe/Berlin", purpose: "support", versionName: "2.40.7" });
});

test("a German owner is asked in German", async () => {
  const page = await openSetup(390, "de-DE");
  const purpose = page.getByLabel("Wofür nutzen Sie ihn zuerst?");
  await page.getByText("Freiwillig. Ihre Antwort hilft uns, besser zu werden.").waitFor();
  const options = await purpose.getByRole("option").allInnerTexts();
  expect([options.length, options[0], options[3]]).toEqual([9, "Noch offen", "Daten sammeln und Berichte senden"]);
  await page.getByText("Erweitert", { exact: true }).click();
  await page.getByLabel("n8n-Version").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await expectAccessible(page);
});
