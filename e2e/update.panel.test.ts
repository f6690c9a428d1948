/** Changes of version as an owner sees them: one that works, the way back, one that fails, and the history of all of them. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";
import { keepChanges, type Changes } from "#testing/panel/workspace-changes.ts";

const older = "2.38.7";
const newer = "2.40.7";
const notStarted = say("versionNotStarted", { engine: "n8n", version: newer });

let panel: PanelServer;
let browser: Browser;
let owner: PanelPerson;
let changes: Changes;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
beforeEach(async () => {
  owner = panel.signIn();
  owner.workspaceIs({ versionName: older });
  changes = keepChanges(owner);
  context = await panel.contextFor(browser, owner);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expectAnswered(panel);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});

const region = (name: string) => page.getByRole("region", { name, exact: true });
const release = (version: string) => page.getByRole("radio", { name: version });
const goTo = (place: string) => page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: place, exact: true }).click();
const see = (words: string | RegExp) => page.getByText(words).first().waitFor();

/** Each entry of the version history: its title, its mark, and who changed it. */
async function history(): Promise<string[][]> {
  const entries = await region("Version history").getByRole("listitem").all();
  return Promise.all(
    entries.map(async (entry) => {
      const [title, , who] = await entry.locator("p").allInnerTexts();
      const mark = (await entry.locator("p span").allInnerTexts())[0] ?? "";
      return [title!.replace(mark, "").trim(), mark, who!];
    }),
  );
}

/** Accessible, without messages that are fading in or out, and nothing overflows sideways on a phone. */
async function expectFirstClass(): Promise<void> {
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  while ((await dismiss.count()) > 0)
    await dismiss
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), { message: "at 390 px" }).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Chooses the newer release and confirms the restart, with the keyboard alone. */
async function askForNewer(): Promise<void> {
  await release(newer).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Save settings" }).press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Save and restart the workspace?" });
  await dialog.getByText(`Version: ${newer}`).waitFor();
  await dialog.getByText("A migration update cannot be downgraded.").waitFor();
  await dialog.getByRole("button", { name: "Save and restart" }).press("Enter");
  await region("Last update").getByText(`From ${older} to ${newer}, in progress.`).waitFor();
  expect(owner.sent("changeInstance")).toEqual([expect.objectContaining({ versionName: newer })]);
}

/** An update, ended an hour ago. */
const ended = (part: Partial<WorkspaceUpdate>, minutesAgo = 60): WorkspaceUpdate => {
  const at = new Date(owner.state.now.getTime() - minutesAgo * 60_000).toISOString();
  const request = { fromVersion: older, toVersion: newer, askedBy: "owner", isRollBack: false } as const;
  return { ...request, state: "successful", reason: null, startedAt: at, finishedAt: at, canRollBackUntil: null, ...part };
};

test("the newer release is chosen by keyboard, its progress is shown, and the page and the card say that it runs", async () => {
  await page.goto(`${panel.url}/manage`);
  await region("Status").getByText(`n8n ${older}`).waitFor();
  await goTo("Versions");
  await release(newer).waitFor();
  await expect.poll(() => release(older).isChecked()).toBe(true);
  await expect.poll(() => page.getByRole("region", { name: "Last update" }).count()).toBe(0);
  await see("This is the only version that has run here. Updates and rollbacks appear in this list.");
  await page.getByText(`Since ${older}: 2 new nodes, 2 updated nodes, 1 removed node, 13 database changes`).press("Enter");
  await see("Confluence and Microsoft Dataverse");
  await askForNewer();
  changes.restarted();
  await see("Your workspace is now online.");
  await goTo("Settings");
  await region("Status").getByText(`n8n ${newer}`).waitFor();
  await goTo("Versions");
  const card = region("Last update");
  await card.getByText(`From ${older} to ${newer}, on `).waitFor();
  await card.getByText("Requested by you.").waitFor();
  await expectFirstClass();
});

test("the owner goes back by typing the account's name, and the page and its events say so", async () => {
  const { username } = owner.state.user;
  owner.workspaceIs({ versionName: newer });
  changes.updates = [ended({ canRollBackUntil: new Date(Date.now() + 86_400_000).toISOString() })];
  await page.goto(`${panel.url}/manage/versions`);
  await page.getByRole("button", { name: `Roll back to ${older}…` }).press("Enter");
  const dialog = page.getByRole("dialog", { name: `Roll back to ${older}?` });
  await dialog.getByRole("button", { name: "Roll back" }).press("Enter");
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectFirstClass();
  expect(owner.sent("rollBackInstance")).toEqual([]);
  await dialog.getByLabel(/^Type/).focus();
  await page.keyboard.type(username);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await region("Last update").getByText(`From ${newer} to ${older}, in progress.`).waitFor();
  expect(owner.sent("rollBackInstance")).toEqual([{ accountName: username, life: 1 }]);
  changes.restarted();
  await see("Your workspace is now online.");
  await region("Last update").getByText(`Rolled back from ${newer} to ${older}, on `).waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Roll back to/ }).count()).toBe(0);
  await page.goto(`${panel.url}/dashboard`);
  await region("Recent events").getByText(`A rollback from ${newer} to ${older} was requested.`).waitFor();
});

test("a release that does not start is rolled back automatically, and the page says why", async () => {
  await page.goto(`${panel.url}/manage/versions`);
  await release(newer).waitFor();
  await askForNewer();
  const { journal } = changes;
  const at = owner.state.now.toISOString();
  journal.unshift({ id: "7", at, event: "start-failed", message: notStarted, detail: "migration failed on purpose", by: null });
  changes.restarted(notStarted);
  const card = region("Last update");
  await card.getByText(`The update from ${older} to ${newer} was rolled back on `).waitFor();
  await card.getByText(`n8n ${newer} did not start.`).waitFor();
  await expect.poll(() => release(older).isChecked()).toBe(true);
  await goTo("Settings");
  await region("Status").getByText(`n8n ${older}`).waitFor();
  await region("Status").getByText("Online").waitFor();
  await goTo("Monitoring");
  await region("Crash history").getByText("migration failed on purpose").first().waitFor({ state: "attached" });
  await expectFirstClass();
});

test("the history lists every version that ran and every attempt, with who changed it, how it ended and why", async () => {
  owner.workspaceIs({ versionName: newer });
  changes.updates = [
    ended({}, 10),
    ended({ state: "rolled-back", reason: notStarted }, 20),
    ended({ fromVersion: newer, toVersion: older, isRollBack: true }, 30),
    ended({}, 40),
  ];
  await page.goto(`${panel.url}/manage/versions`);
  await region("Last update").getByText(`From ${older} to ${newer}, on `).waitFor();
  await expect.poll(history).toEqual([
    [`n8n ${newer}`, "Current", "Updated by you."],
    [`Update to ${newer}`, "Undone", "Requested by you."],
    [`n8n ${older}`, "", "Restored by your rollback, with everything as it was before the update."],
    [`n8n ${newer}`, "Rolled back", "Updated by you."],
    [`n8n ${older}`, "", "Installed at launch."],
  ]);
  await region("Version history").getByText(`n8n ${newer} did not start.`).waitFor();
  await expectFirstClass();
});
