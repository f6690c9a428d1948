/** Backups and exports in the panel: what it shows of them, what it asks first, and what it then sends. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { fieldMessage } from "#contract/api/field-words.ts";
import type { Backup } from "#contract/workspaces/backup.ts";
import { AppError } from "#platform/app-error.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible as expectPageAccessible } from "#testing/browser/expect-accessible.ts";
import type { PageWatch } from "#testing/browser/watch-page.ts";
import { buildBackup, keepBackups } from "#testing/panel/backup-answers.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import type { PanelState } from "#testing/panel/panel-answers.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";

let panel: PanelServer;
let browser: Browser;
let context: BrowserContext & { watch: PageWatch };
let page: Page;
let owner: PanelPerson;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
beforeEach(async () => {
  owner = panel.signIn();
  context = await panel.contextFor(browser, owner);
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
  await panel?.[Symbol.asyncDispose]();
});

/** A wrong password is answered with 403, which the browser logs itself. */
function expectNoTrouble(): void {
  expect(context.watch.trouble().filter((line) => !line.includes("403"))).toEqual([]);
  expectAnswered(panel);
}
const open = (path: string) => page.goto(panel.url + path);
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
/** By the service's time. */
const minutesAgo = (minutes: number) => new Date(owner.state.now.getTime() - minutes * 60_000).toISOString();
const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

/** The browser saves what is behind this link. */
async function serveFile(url: string, name: string, content: string): Promise<void> {
  const headers = { "content-type": "application/octet-stream", "content-disposition": `attachment; filename="${name}"` };
  await page.route(`**${url}`, (route) => route.fulfill({ headers, body: content }));
}

test("an empty page says what will appear, and a backup can be made immediately", async () => {
  const kept = keepBackups(owner);
  await open("/manage/backups");
  await page.getByText("No backups yet").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Back up now" }).click();
  await rows().first().getByText("In progress").waitFor();
  kept.finish();
  await rows().first().getByText("Successful").waitFor();
  await rows()
    .first()
    .getByText(/Made by you\s+·\s+(now|\d+\sminutes?\sago)\s+·\s+1\sworkflow/)
    .waitFor();
  expect(owner.sent("createBackup")).toHaveLength(1);
  await expectAccessible(page);
});

test("the page says when the next backup runs, and one press says what is in a backup", async () => {
  keepBackups(owner, [buildBackup()]);
  const nextNightlyAt = new Date(Date.now() + 5.5 * 3_600_000).toISOString();
  const { listBackups } = owner.answers;
  owner.answers.listBackups = async (asked, state) => ({ ...(await listBackups!(asked, state)), nextNightlyAt });
  await open("/manage/backups");
  const time = page.getByRole("region", { name: "Backup schedule" }).locator("time").first();
  expect(await time.getAttribute("datetime")).toBe(nextNightlyAt);
  expect(await time.innerText()).toMatch(/^in \d+ (hours?|minutes?)$/);
  // To the second, with the day of the week.
  expect(await time.getAttribute("title")).toMatch(/^\w+day, .*\d:\d\d:\d\d/);
  const contents = rows().first().getByRole("group");
  await contents.getByText("What’s in it").press("Enter");
  await contents.getByText("Verified", { exact: true }).waitFor();
  expect((await contents.getByRole("definition").allInnerTexts()).slice(0, 4)).toEqual(["1", "0", "0", expect.stringMatching(/^2\./)]);
  await expectAccessible(page);
});

test("the danger zone says what the newest backup has, and makes another one", async () => {
  const kept = keepBackups(owner, [buildBackup({ createdAt: minutesAgo(3) })]);
  await open("/manage/danger");
  const newest = page.getByRole("region", { name: "Newest backup" });
  await newest.getByText(/^Made 3 minutes ago: 1 workflow, 0 credentials\./).waitFor();
  await page.getByRole("button", { name: "Delete workspace" }).waitFor();
  await expectAccessible(page);
  await newest.getByRole("button", { name: "Back up now" }).click();
  await newest.getByText("A backup is in progress.").waitFor();
  kept.finish();
  const newestAt = kept.backups[0]!.createdAt;
  await newest
    .locator(`time[datetime="${newestAt}"]`)
    .filter({ hasText: /^Made (now|\d+ minutes? ago): 1 workflow/ })
    .waitFor();
  await newest.getByRole("link", { name: "View backups" }).click();
  await expect.poll(() => rows().count()).toBe(2);
});

test("a backup is downloaded with the password, and a wrong password keeps the form's other fields", async () => {
  const made = buildBackup();
  const password = "correct horse battery";
  keepBackups(owner, [made]);
  owner.answers.backupDownloadLink = ({ body, params: { id } }) => {
    const code = "current_password.wrong";
    if (body.password !== password || id !== made.id)
      throw new AppError("wrong_password", { errors: [{ path: "password", code, message: fieldMessage(code) }] });
    return { url: "/api/export/download/a-link-that-works-once" };
  };
  await serveFile("/api/export/download/a-link-that-works-once", "ada-backup-2026-11-28.tar.gz", "what was in it");
  await open("/manage/backups");
  await rows()
    .first()
    .getByRole("button", { name: /^Download/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your password").fill("wrong");
  await dialog.getByRole("button", { name: "Download" }).click();
  await dialog.getByText("This is not your current password.").waitFor();
  expect(await dialog.getByLabel("Your password").getAttribute("aria-invalid")).toBe("true");
  await expectAccessible(page);
  expect(await dialog.getByLabel("Your password").inputValue()).toBe("wrong");
  await dialog.getByLabel("Your password").fill(password);
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  expect((await downloading).suggestedFilename()).toBe("ada-backup-2026-11-28.tar.gz");
  expect(owner.sent("backupDownloadLink")).toEqual([{ password: "wrong" }, { password }]);
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Your download has started.").waitFor();
});

test("a restore is confirmed by typing the account's name, by keyboard alone, and the page shows its progress and its end", async () => {
  const { username } = owner.state.user;
  const kept = keepBackups(owner, [buildBackup({ createdAt: minutesAgo(60) })]);
  await open("/manage/backups");
  await rows()
    .first()
    .getByRole("button", { name: /^Restore/ })
    .press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Restore backup" }).press("Enter");
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectAccessible(page);
  expect(owner.sent("restoreBackup")).toEqual([]);
  await dialog.getByLabel(/^Type/).focus();
  await page.keyboard.type(username);
  await page.keyboard.press("Enter");
  await page.getByText("A backup is being restored").waitFor();
  await rows().filter({ hasText: "Before a restore" }).getByText("In progress").waitFor();
  // Not while another one is being restored.
  expect(await page.getByRole("button", { name: /^Restore the backup/ }).count()).toBe(0);
  expect(owner.sent("restoreBackup")).toEqual([{ accountName: username, life: 1 }]);
  kept.finish();
  await page.getByText("The backup was restored").waitFor();
  await rows().filter({ hasText: "Before a restore" }).getByText("Successful").waitFor();
  await expectAccessible(page);
});

test("while a workspace waits for its last backup, another one can be restored, and none while a try is under way", async () => {
  const last = buildBackup({ kind: "before-deletion", createdAt: minutesAgo(120), isOfThisWorkspace: false });
  const kept = keepBackups(owner, [last, buildBackup({ createdAt: minutesAgo(180), isOfThisWorkspace: false })]);
  const running = { id: "1", backupId: last.id, state: "running", createdAt: minutesAgo(5), finishedAt: null, isInPlace: false } as const;
  kept.restore = { ...running, reason: null };
  await open("/manage/backups");
  await page.getByText("A backup is being restored").waitFor();
  expect(await page.getByRole("button", { name: /^Restore the backup/ }).count()).toBe(0);
  kept.restore = { ...running, reason: "The backup could not be restored yet. Something went wrong on our side." };
  await page.getByText("The backup could not be restored yet.").waitFor();
  await page
    .getByRole("button", { name: /^Restore the backup/ })
    .nth(1)
    .waitFor();
  await expectAccessible(page);
});

test("a workspace that runs without its last backup says so, and that it is still there, until it was restored or is gone", async () => {
  const last = buildBackup({ kind: "before-deletion", createdAt: minutesAgo(120), isOfThisWorkspace: false });
  const kept = keepBackups(owner, [last]);
  owner.workspaceIs({ life: 2 });
  const reason = "The workspace was started empty, as you asked us.";
  const failed = { id: "1", backupId: last.id, createdAt: minutesAgo(5), finishedAt: minutesAgo(1), isInPlace: false, reason } as const;
  kept.restore = { ...failed, state: "failed" };
  await open("/dashboard");
  const notice = page.getByRole("alert").filter({ hasText: "Your last backup has not been restored" });
  await notice
    .getByText(`${reason} The backup is still there, so nothing is lost. Restoring it replaces what is in the workspace now.`)
    .waitFor();
  await expectAccessible(page);
  await notice.getByRole("button", { name: "Restore backup" }).click();
  await page.getByRole("dialog").waitFor();
  for (const [restore, backups] of [
    [{ ...failed, state: "successful", reason: null }, [last]],
    [{ ...failed, state: "failed" }, []],
    [{ ...failed, state: "failed" }, [{ ...last, isRestorable: false }]],
  ] as const) {
    Object.assign(kept, { restore, backups });
    const listed = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith("/export"));
    await open("/dashboard");
    await (await listed).finished();
    // Two frames: React has drawn what came.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await notice.count()).toBe(0);
  }
});

test.each(["backups", "export"])("a link that gave no file ends on the %s page, which says why, and only once", async (name) => {
  keepBackups(owner, [buildBackup()]);
  await open(`/manage/${name}?download=download_link_invalid&request=4711`);
  const notice = page.getByRole("alert").filter({ hasText: "The download could not be started." });
  await notice.getByText("This download link has expired or was already used. Start the download again.").waitFor();
  await page.waitForURL(`${panel.url}/manage/${name}`);
  await expectAccessible(page);
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await notice.count()).toBe(0);
});

test("an export with credentials asks for a passphrase and the password; one without is downloaded, says when it expires and is deleted after a question", async () => {
  const kept = keepBackups(owner);
  owner.answers.exportDownloadLink = () => ({ url: "/api/export/download/a-link-that-works-once" });
  await serveFile("/api/export/download/a-link-that-works-once", "ada-export-2026-11-28.zip", "workflows");
  await open("/manage/export");
  const form = page.getByRole("region", { name: "Export workflows" });
  await form.getByLabel("Include credentials").check();
  await form.getByRole("button", { name: "Export" }).click();
  for (const words of ["Enter a passphrase.", "Enter a password."]) await form.getByText(words).waitFor();
  await expectAccessible(page);
  await form.getByLabel("Include credentials").uncheck();
  await form.getByRole("button", { name: "Export" }).click();
  await form.getByText("In progress").waitFor();
  expect(owner.sent("exportWorkflows")).toEqual([{ withCredentials: false }]);
  kept.finish();
  await form.getByText("Ready").waitFor();
  await form.getByText("1 workflow ·").waitFor();
  const downloading = page.waitForEvent("download");
  await form.getByRole("button", { name: /^Download/ }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/);

  await form.getByText(/Expires in 7 days \(/).waitFor();
  await form.getByRole("button", { name: /^Delete the export/ }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("Your workflows are not affected.").waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete export" }).press("Enter");
  await expect.poll(() => form.getByText("Recent exports").count()).toBe(0);
  expect(kept.exports).toEqual([]);
  await expect.poll(focused).toBe("Export workflows");
});

test("on a narrow screen everything is visible, and nothing overflows", async () => {
  const made = buildBackup({ createdAt: minutesAgo(3) });
  const kept = keepBackups(owner, [buildBackup({ kind: "before-restore", createdAt: minutesAgo(2) }), made]);
  const at = minutesAgo(2);
  kept.restore = { id: made.id, backupId: made.id, state: "successful", createdAt: at, finishedAt: at, reason: null, isInPlace: true };
  await open("/manage/export");
  await page.getByRole("region", { name: "Export workflows" }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "View backups" }).click();
  await page.getByRole("button", { name: "Back up now" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await rows()
    .filter({ hasText: "Before a restore" })
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByRole("button", { name: "Delete backup" }).click();
  await rows().filter({ hasText: "Before a restore" }).waitFor({ state: "hidden" });
  expect(kept.backups).toEqual([made]);
  // The button went with its row: the focus moves to the list.
  await expect.poll(focused).toBe("Backups");
});

test("older backups are loaded by keyboard, with the focus on the first of them; what a backup does not contain is named", async () => {
  const newest = buildBackup();
  keepBackups(owner);
  const dayBefore = (days: number): Backup => ({
    ...newest,
    id: `0199a000-0000-7000-8000-${String(days).padStart(12, "0")}`,
    createdAt: new Date(Date.parse(newest.createdAt) - days * 86_400_000).toISOString(),
  });
  const leftOut: Backup["leftOut"] = {
    total: 5,
    names: [
      { name: ".n8n-files/current", why: "link" },
      { name: `.n8n-files/${"a-folder-with-a-long-name/".repeat(4)}report.pdf`, why: "unreadable" },
      { name: ".n8n-files/app.sock", why: "special" },
      { name: "b", why: "name" },
    ],
  };
  const { listBackups } = owner.answers;
  const mark = `1790000000000_${newest.id}`;
  owner.answers.listBackups = async (asked, state) => ({
    ...(await listBackups!(asked, state)),
    ...(asked.query.before === mark
      ? { backups: [dayBefore(2), dayBefore(3)], next: null }
      : { backups: [newest, { ...dayBefore(1), leftOut }], next: mark }),
  });
  await open("/manage/backups");
  await rows()
    .getByText(
      /^Not included \(5\): \.n8n-files\/current \(link\), .*report\.pdf \(not readable\), \.n8n-files\/app\.sock \(socket or device\) …$/,
    )
    .waitFor();
  await page.getByRole("button", { name: "Show older backups" }).press("Enter");
  await expect
    .poll(() =>
      rows()
        .nth(2)
        .evaluate((row) => row === document.activeElement),
    )
    .toBe(true);
  await expect.poll(() => rows().count()).toBe(4);
  await expect.poll(() => page.getByRole("button", { name: "Show older backups" }).count()).toBe(0);
  await expectAccessible(page);
});

test("after a deletion and a new launch in the same tab, a restore is for the workspace that is there now", async () => {
  const { username } = owner.state.user;
  keepBackups(owner, [buildBackup({ createdAt: minutesAgo(2) })]);
  // The user's own answer, from when the page was loaded, has the first one.
  const second = ({ user }: PanelState) => ({ ...user.account.instance!, life: 2 });
  owner.answers.getInstance = (_asked, state) => second(state);
  owner.answers.instanceEvents = (_asked, state) => second(state);
  await open("/manage/backups");
  await rows()
    .first()
    .getByRole("button", { name: /^Restore/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Type/).fill(username);
  await dialog.getByRole("button", { name: "Restore backup" }).click();
  await expect.poll(() => owner.sent("restoreBackup")).toEqual([{ accountName: username, life: 2 }]);
});
