/** Backups and exports in a browser, and while the control plane is killed; the workspace is a small engine in n8n's place. */
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Backup, BackupOverview } from "#contract/workspaces/backup.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible as expectPageAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { addInvoices, standInWorkflows } from "#testing/program/stand-in-workflows.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";

let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: PageWatch;
let owner: Customer;

beforeAll(async () => {
  slipway = await startSlipway();
  browser = await launchBrowser();
});
// A new customer in a new browser, so that each test is independent.
beforeEach(async () => {
  owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === 1);
  await addInvoices(slipway, owner);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  watch = await watchPages(context, `${slipway.url}/`);
  page = await context.newPage();
});
afterEach(async () => {
  try {
    expectNoTrouble();
  } finally {
    await context?.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

const workflows = (query?: string) => standInWorkflows(slipway, owner, query);
/** A wrong password is answered with 403, which the browser logs itself. */
function expectNoTrouble(): void {
  expect(watch.trouble().filter((line) => !line.includes("403"))).toEqual([]);
}
const overview = async () => (await slipway.call("GET", "/api/export", { token: owner.token })).json<BackupOverview>();
const open = (path: string) => page.goto(slipway.url + path);
const rows = () => page.getByRole("region", { name: "Backups" }).getByRole("listitem");
/** Without messages that are fading in or out. */
async function expectAccessible(of: Page): Promise<void> {
  const dismiss = of.getByRole("button", { name: "Dismiss" });
  while ((await dismiss.count()) > 0)
    await dismiss
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined);
  await expectPageAccessible(of);
}
const waitFor = <Value>(look: () => Promise<Value>) => vi.waitFor(look, { timeout: 150_000, interval: 200 });

/** Without a page. */
async function backUp(): Promise<Backup> {
  await slipway.call("POST", "/api/export/backups", { token: owner.token });
  return waitFor(async () => {
    const [newest] = (await overview()).backups;
    expect(newest).toMatchObject({ kind: "manual", state: "successful" });
    return newest!;
  });
}
const askForRestore = async ({ id }: Backup) => {
  await slipway.typePassword(owner);
  return slipway.call("POST", `/api/export/backups/${id}/restore`, { token: owner.token, body: { accountName: owner.accountName } });
};

test("by keyboard alone a damaged workspace is restored, and its earlier state is kept", async () => {
  await backUp();
  await open("/manage/backups");
  await workflows("?damage");
  expect(await workflows("?add=Later")).toEqual(["Later"]);
  await rows()
    .first()
    .getByRole("button", { name: /^Restore/ })
    .press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Restore backup" }).press("Enter");
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectAccessible(page);
  await dialog.getByLabel(/^Type/).focus();
  await page.keyboard.type(owner.accountName);
  await page.keyboard.press("Enter");
  await page.getByText("The backup was restored").waitFor();
  await waitFor(async () => expect(await workflows()).toEqual(["Invoices"]));
  await rows().filter({ hasText: "Before a restore" }).getByText("Successful").waitFor();
  await expectAccessible(page);
});

test("workflows are exported, a mail says so, the file is a zip, and the export says when it expires and is deleted after a question", async () => {
  await open("/manage/backups");
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "Export", exact: true }).click();
  const form = page.getByRole("region", { name: "Export workflows" });
  await form.getByLabel("Include credentials").check();
  await form.getByRole("button", { name: "Export" }).click();
  for (const words of ["Enter a passphrase.", "Enter a password."]) await form.getByText(words).waitFor();
  await expectAccessible(page);
  await form.getByLabel("Include credentials").uncheck();
  await form.getByRole("button", { name: "Export" }).click();
  await form.getByText("Ready").waitFor();
  await form.getByText("1 workflow ·").waitFor();
  // The mail is sent after the page has shown the export.
  await expect.poll(() => slipway.newestLink(owner.email)).toBe(`${slipway.url}/manage/export`);
  const downloading = page.waitForEvent("download");
  await form.getByRole("button", { name: /^Download/ }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/\.zip$/);
  expect((await readFile(await file.path())).includes("workflows/invoices-w0.json")).toBe(true);

  await form.getByText(/Expires in 7 days \(/).waitFor();
  await form.getByRole("button", { name: /^Delete the export/ }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("Your workflows are not affected.").waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete export" }).press("Enter");
  await expect.poll(() => form.getByText("Recent exports").count()).toBe(0);
  expect((await overview()).exports).toEqual([]);
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Export workflows");
});

test("a control plane killed in the middle of a backup and a restore finishes both after its start", async () => {
  const made = await backUp();
  await workflows("?add=Spoilt");
  await slipway.call("POST", "/api/export/backups", { token: owner.token });
  const asked = await askForRestore(made);
  expect(asked.status).toBe(202);
  await slipway.kill9();
  await slipway.start();
  await waitFor(async () => {
    const { backups, restore } = await overview();
    expect(restore).toMatchObject({ id: asked.json<{ id: string }>().id, state: "successful" });
    const states = backups.filter(({ kind }: Backup) => kind === "manual").map(({ state }) => state);
    expect(states).toEqual(["successful", "successful"]);
  });
  await waitFor(async () => expect(await workflows()).toEqual(["Invoices"]));
});
