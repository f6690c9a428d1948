/** Changes of version as an owner sees them: one that works, the way back, and one that fails. The engine is a small one in n8n's place. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { addInvoices, standInWorkflows } from "#testing/program/stand-in-workflows.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

const older = "2.38.7";
const newer = "2.40.7";
const soon = { timeout: 120_000, interval: 250 };

let database: TestDatabase;
let slipway: Slipway;
let browser: Browser;
let owner: Customer;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  database = await createTestDatabase();
  [slipway, browser] = await Promise.all([startSlipway({ env: { DATABASE_URL: database.url } }), launchBrowser()]);
});
beforeEach(async () => {
  owner = await slipway.launch();
  await slipway.until(owner, isOnline(newer));
  // A new workspace gets the newest release and cannot be downgraded, so this one looks as if it was made before that release.
  await database.db.execute(
    sql`update workspaces set desired_version = ${older}, observed_version = ${older}, generation = generation + 1, reconcile_at = now()
      where account_id = (select id from accounts where name = ${owner.accountName})`,
  );
  await slipway.until(owner, isOnline(older));
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  page = await context.newPage();
  await addInvoices(slipway, owner);
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
  await database?.close();
});

const isOnline =
  (version: string) =>
  ({ status, versionName, runningVersion }: Instance) =>
    status === instanceStatus.online && versionName === version && !runningVersion;
const region = (name: string) => page.getByRole("region", { name, exact: true });
const release = (version: string) => page.getByRole("radio", { name: version });
const goTo = (place: string) => page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: place, exact: true }).click();
const see = (words: string | RegExp) => page.getByText(words).first().waitFor();

const workflows = (query?: string) => standInWorkflows(slipway, owner, query);

const subjects = async () => {
  const { messages } = (await slipway.call("GET", "/api/dev/inbox")).json<{ messages: { to: string; subject: string }[] }>();
  return messages.filter(({ to }) => to === owner.email).map(({ subject }) => subject);
};
const expectMail = (subject: string) => expect.poll(subjects, soon).toContain(subject);

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
}

/** Makes a call as the panel does, and waits for the end of the change of version that it begins. */
async function change(method: string, path: string, body: object, end: Pick<WorkspaceUpdate, "toVersion" | "state">): Promise<void> {
  const { token } = owner;
  const answer = await slipway.call(method, path, { token, body });
  expect(answer.status, answer.text).toBe(202);
  const last = async () => (await slipway.call("GET", "/api/instance/update", { token })).json<{ update: WorkspaceUpdate | null }>().update;
  await expect.poll(last, { timeout: pageTimeoutMs, interval: 250 }).toMatchObject(end);
  await slipway.until(owner, isOnline(end.state === "successful" ? end.toVersion : older));
  await expect.poll(() => workflows(), soon).toEqual(["Invoices"]);
}
const update = (state: WorkspaceUpdate["state"]) =>
  change("PUT", "/api/instance/configuration", { versionName: newer }, { toVersion: newer, state });
const rollBack = async () => {
  await slipway.typePassword(owner);
  await change("POST", "/api/instance/rollback", { accountName: owner.accountName }, { toVersion: older, state: "successful" });
};

const program = (version: string) => join(slipway.enginesDir, `n8n-${version}`, "node_modules", "n8n", "bin", "n8n");
const mendNewer = () => copyFileSync(program(older), program(newer));
/** The newer release does not start, until it is mended or the test has ended. */
function breakNewer(): void {
  onTestFinished(mendNewer);
  writeFileSync(program(newer), 'console.error("migration failed on purpose");\nprocess.exit(1);\n');
}

test("the newer release is chosen by keyboard, its progress is shown, and the page, the card and a mail say that it runs", async () => {
  await page.goto(`${slipway.url}/manage`);
  await region("Status").getByText(`n8n ${older}`).waitFor();
  await goTo("Versions");
  await release(newer).waitFor();
  await expect.poll(() => release(older).isChecked()).toBe(true);
  await expect.poll(() => page.getByRole("region", { name: "Last update" }).count()).toBe(0);
  await see("This is the only version that has run here. Updates and rollbacks appear in this list.");
  await page.getByText(`Since ${older}: 2 new nodes, 2 updated nodes, 1 removed node, 13 database changes`).press("Enter");
  await see("Confluence and Microsoft Dataverse");
  await askForNewer();
  await see("Your workspace is now online.");
  await slipway.until(owner, isOnline(newer));
  await goTo("Settings");
  await region("Status").getByText(`n8n ${newer}`).waitFor();
  await goTo("Versions");
  const card = region("Last update");
  await card.getByText(`From ${older} to ${newer}, on `).waitFor();
  await card.getByText("Requested by you.").waitFor();
  await expectMail(`Your workspace now runs n8n ${newer}`);
  await expect.poll(() => workflows(), soon).toEqual(["Invoices"]);
  await expectFirstClass();
});

test("the owner goes back by typing the account's name, and everything is as it was before the update", async () => {
  await update("successful");
  await page.goto(`${slipway.url}/manage/versions`);
  expect(await workflows("?damage")).toEqual([]);
  await page.getByRole("button", { name: `Roll back to ${older}…` }).press("Enter");
  const dialog = page.getByRole("dialog", { name: `Roll back to ${older}?` });
  await dialog.getByRole("button", { name: "Roll back" }).press("Enter");
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectFirstClass();
  await dialog.getByLabel(/^Type/).focus();
  await page.keyboard.type(owner.accountName);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await see("Your workspace is now online.");
  await slipway.until(owner, isOnline(older));
  await region("Last update").getByText(`Rolled back from ${newer} to ${older}, on `).waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Roll back to/ }).count()).toBe(0);
  await expect.poll(() => workflows(), soon).toEqual(["Invoices"]);
  await expectMail(`Your workspace is back on n8n ${older}`);
  await page.goto(`${slipway.url}/dashboard`);
  await region("Recent events").getByText(`A rollback from ${newer} to ${older} was requested.`).waitFor();
  await region("Recent events").getByText(`Your workspace is back on n8n ${older}, as it was before the update.`).waitFor();
});

test("a release that does not start is rolled back automatically, and the page and a mail say why", async () => {
  breakNewer();
  await page.goto(`${slipway.url}/manage/versions`);
  await release(newer).waitFor();
  await askForNewer();
  const card = region("Last update");
  await card.getByText(`The update from ${older} to ${newer} was rolled back on `).waitFor();
  await card.getByText(`n8n ${newer} did not start.`).waitFor();
  await slipway.until(owner, isOnline(older));
  await goTo("Settings");
  await region("Status").getByText(`n8n ${older}`).waitFor();
  await region("Status").getByText("Online").waitFor();
  await expect.poll(() => workflows(), soon).toEqual(["Invoices"]);
  await expectMail(`The update to n8n ${newer} was undone`);
  await goTo("Monitoring");
  await region("Crash history").getByText("migration failed on purpose").first().waitFor({ state: "attached" });
  await expectFirstClass();
});

test("once the release works the next attempt succeeds: no leftovers of the failed one block it", async () => {
  await update("successful");
  await rollBack();
  breakNewer();
  await update("rolled-back");
  mendNewer();
  await page.goto(`${slipway.url}/manage/versions`);
  await expect.poll(() => release(older).isChecked()).toBe(true);
  await askForNewer();
  await slipway.until(owner, isOnline(newer));
  await region("Last update").getByText(`From ${older} to ${newer}, on `).waitFor();
  await expect.poll(history, soon).toEqual([
    [`n8n ${newer}`, "Current", "Updated by you."],
    [`Update to ${newer}`, "Undone", "Requested by you."],
    [`n8n ${older}`, "", "Restored by your rollback, with everything as it was before the update."],
    [`n8n ${newer}`, "Rolled back", "Updated by you."],
    [`n8n ${older}`, "", "Installed at launch."],
  ]);
  await region("Version history").getByText(`n8n ${newer} did not start.`).waitFor();
  await expectFirstClass();
});
