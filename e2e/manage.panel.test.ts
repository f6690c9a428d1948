/** The manage area, as an owner uses it: what it shows, and what it asks before it sends. The settings are in `settings.panel.test.ts`. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Invitation } from "#contract/accounts/invitation.ts";
import type { Member } from "#contract/accounts/member.ts";
import type { OutputEvent } from "#contract/workspaces/monitoring/logs.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";
import { newId } from "#platform/ids.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { settledShifts, watchShifts } from "#testing/browser/watch-shifts.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { buildBackup, buildExport, keepBackups } from "#testing/panel/backup-answers.ts";
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

/** A browser profile whose requests are not intercepted: it fetches fonts and chunks once, not for each page. */
async function openUnwatched(): Promise<void> {
  await context.close();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, panel.url));
  page = await context.newPage();
}

/** Opens another place of the area by its navigation. */
const goTo = async (place: string) => {
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: place, exact: true }).click();
  await page.locator(`[aria-current=page]`, { hasText: place }).first().waitFor();
};
/** Each place of an account without billing, and something that it shows once it has loaded. */
const places: Record<string, string> = {
  "/manage": "All changes saved",
  "/manage/monitoring": "Crash history",
  "/manage/logs": "Output from",
  "/manage/versions": "Released",
  "/manage/backups": "Next backup",
  "/manage/export": "Export workflows",
  "/manage/members": "Ada Lovelace",
  "/manage/danger": "A last backup is kept",
};
const placeNames = ["Settings", "Monitoring", "Logs", "Versions", "Backups", "Export", "Members", "Danger zone"];
/** The places within others, and where they are listed on a wide screen. */
const within: Record<string, string[]> = { Logs: ["/manage/monitoring", "/manage/logs"], Export: ["/manage/backups", "/manage/export"] };
const columnAt = (path: string) => placeNames.filter((name) => within[name]?.includes(path) ?? true);

test("memory that a plan changed is shown beside the running memory, with the restart that applies it", async () => {
  const samples = [{ at: new Date().toISOString(), memoryMb: 500, cpuPercent: null, diskMb: null }];
  const [from, to] = [new Date(Date.now() - 86_400_000).toISOString(), new Date().toISOString()];
  const limits = { limitMb: 1024, plannedMb: 2048, cpuLimitPercent: 100, diskLimitMb: 5120 };
  owner.answers.getInstanceMonitoring = () => ({ from, to, ...limits, samples, marks: [] });
  await open("/manage/monitoring");
  const resources = region("Resources");
  await resources.getByText("Your plan includes 2,048 MB. The workspace runs with 1,024 MB until its next restart.").waitFor();
  await resources.getByRole("button", { name: "Restart" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await expectAccessible(page);
});

test("the settings are below a status line with the two actions, and nothing moves when they arrive", async () => {
  owner.workspaceIs({ versionName: "2.40.7" });
  await openUnwatched();
  await watchShifts(context);
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const opened = async () => {
      await region("Environment variables").getByText("No environment variables").waitFor();
      await region("Community nodes").waitFor();
      return settledShifts(page);
    };
    await open("/manage");
    // On a busy machine a late font moves lines now and then; what the page does itself moves them every time.
    let shifts = await opened();
    for (let again = 0; shifts.sum > 0 && again < 2; again += 1) {
      await page.reload();
      shifts = await opened();
    }
    expect(shifts).toEqual({ sum: 0, said: [] });
    await expectAccessible(page);
  }
  const status = region("Status");
  const sections = page.getByRole("main").getByRole("region");
  await expect
    .poll(() => sections.evaluateAll((all) => all.map((section) => section.ariaLabel)))
    .toEqual(["Status", "General", "Environment variables", "Community nodes"]);
  for (const name of [/^Open workspace/, "Restart"]) await expect.poll(() => status.getByRole("button", { name }).isEnabled()).toBe(true);
  // A workspace that is changing says how far it is, and one that does not run can be neither opened nor restarted.
  owner.workspaceIs({ status: instanceStatus.pending, progress: { step: "start", label: "Starting n8n", percent: 40 } });
  await status.getByText("40%").waitFor();
  await expectAccessible(page);
  owner.workspaceIs({ status: instanceStatus.stopped, progress: undefined });
  await expect.poll(() => status.getByRole("button", { name: "Restart" }).count()).toBe(0);
  await expect.poll(() => status.getByRole("button", { name: /^Open workspace/ }).isDisabled()).toBe(true);
  await status.getByRole("link", { name: "n8n 2.40.7" }).press("Enter");
  await page.waitForURL("**/manage/versions");
});

test("monitoring shows memory and what happened on one axis, read by keyboard, over the time that is chosen", async () => {
  const nowMs = Date.now();
  const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
  const spans = { "1h": 60, "24h": 1_440, "7d": 10_080, "30d": 43_200 };
  owner.answers.getInstanceMonitoring = ({ query: { range } }) => {
    const minutes = spans[range];
    const samples = [0.5, 0.4, 0.3, 0].map((share, place) => ({
      at: ago(minutes * share),
      memoryMb: 300 + 100 * place,
      cpuPercent: place === 0 ? null : 20 * place,
      diskMb: 1_200 + place,
    }));
    const marks = [
      { at: ago(minutes * 0.45), kind: "stop" as const, message: "The workspace ran out of memory." },
      { at: ago(minutes * 0.2), kind: "backup" as const, message: null },
    ];
    const limits = { limitMb: 1024, plannedMb: 1024, cpuLimitPercent: 100, diskLimitMb: 5120 };
    return { from: ago(minutes), to: ago(0), ...limits, samples, marks };
  };
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

test("each failure is shown where it happened, and can be retried: saving, restarting, the versions, logs, resources, community nodes", async () => {
  const calls = /\/api\/instance\/(configuration|restart|versions|logs|logs\/events|monitoring\?range=24h|community-nodes)$/;
  await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }));
  await open("/manage/monitoring");
  await see("The resource usage could not be loaded");
  await expectAccessible(page);
  await goTo("Logs");
  await see("The logs could not be loaded");
  await expectAccessible(page);
  await goTo("Settings");
  await see("The community nodes could not be loaded");
  await expectAccessible(page);
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
  await region("Version and updates").getByRole("button", { name: "Try again" }).click();
  await region("Version and updates")
    .getByRole("radio", { name: /2\.40\.7/ })
    .waitFor();
  await expect.poll(() => page.getByLabel("Update automatically").isChecked()).toBe(true);
  await button("Save settings").click();
  await see("Settings saved.");
});

test("the output is followed until the user scrolls up, filtered and searched, and hostile lines stay text that fits a phone", async () => {
  const line = (level: string, message: string) => JSON.stringify({ level, message, metadata: { timestamp: "2026-11-23T08:00:00.000Z" } });
  const hostile = [`\u001b[31m<img src=x onerror="document.title='taken'">\u001b[0m`, "x".repeat(30_000), line("error", "It failed")];
  const first = [...Array.from({ length: 3_000 }, (_, place) => line("info", `line ${place}`)), ...hostile];
  const read = { isCut: false, readAt: owner.state.now.toISOString(), isCurrent: true, isLive: true };
  let event: OutputEvent = { ...read, text: `${first.join("\n")}\n`, isWhole: true };
  owner.answers.instanceOutput = () => event;
  let count = 0;
  /** The workspace writes this many lines, each sent once the stream has sent the one before. */
  async function write(lines: number): Promise<void> {
    for (const end = count + lines; count < end;) {
      count += 1;
      const { promise: isRead, resolve } = Promise.withResolvers<void>();
      event = { ...read, text: `${line("info", `later ${count}`)}\n`, isWhole: false };
      owner.answers.instanceOutput = () => (resolve(), event);
      owner.notify();
      await isRead;
    }
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await open("/manage/logs");
  const box = page.getByRole("region", { name: "Output of the workspace" });
  await box.getByText("It failed").waitFor();
  await box.getByText("<img src=x").waitFor();
  await see("Live");
  await write(3);
  await box.getByText(/later 3$/).waitFor();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(async () => [await page.title(), await overflow()]).toEqual([expect.stringContaining("Logs"), 0]);
  const fromEnd = () => box.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await expect.poll(fromEnd).toBeLessThan(24);

  await box.focus();
  await page.keyboard.press("Home");
  const jump = page.getByRole("button", { name: /Jump to newest/ });
  await jump.waitFor();
  await see("Paused");
  const held = await box.getByText(/later \d+$/).count();
  await write(1);
  await page.getByRole("button", { name: /Jump to newest.*1 new line$/ }).waitFor();
  await write(2);
  await page.getByRole("button", { name: /Jump to newest.*3 new lines$/ }).waitFor();
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
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  await page.route("**/api/instance/logs/events", () => hold());
  owner.answers.getInstanceLogs = () => ({ text: "n8n boots\n", readAt: owner.state.now.toISOString(), isCurrent: true });
  await page.clock.install();
  await open("/manage/logs");
  await isHeld;
  await page.clock.fastForward(6_100);
  await page.getByRole("region", { name: "Output of the workspace" }).getByText("n8n boots").last().waitFor();
  await see("Updated every 15 seconds");
});

/** Its people, as the service and the workspace list them: an invitation reaches the workspace, and its withdrawal too. */
function keepPeople(): Member[] {
  const { user, now } = owner.state;
  const at = now.toISOString();
  const people = { role: "owner" as const, hasJoined: true, lastActiveOn: null };
  const members: Member[] = [{ id: "owner", email: user.email, name: user.fullName, ...people }];
  let invitations: Invitation[] = [];
  owner.answers.listMembers = () => ({ members, askedAt: at, isCurrent: true, usersLimit: -1 });
  owner.answers.listInvitations = () => ({ invitations, usersLimit: -1 });
  owner.answers.inviteMembers = ({ body: { emails } }) => {
    for (const email of emails) {
      const id = newId();
      invitations = [...invitations, { id, email, state: "sent", invitedAt: at, sentAt: at, acceptedAt: null, resendInSeconds: 60 }];
      members.push({ id, email, name: null, role: "member", hasJoined: false, lastActiveOn: null });
    }
  };
  owner.answers.revokeInvitation = ({ params: { id } }) => {
    invitations = invitations.filter((each) => each.id !== id);
    members.splice(1);
  };
  return members;
}

test("members: the owner, the invited people, and the way to invite more", async () => {
  const members = keepPeople();
  await open("/manage/members");
  const people = region("People").getByRole("listitem");
  await people.filter({ hasText: "Ada Lovelace" }).getByText("You", { exact: true }).waitFor();
  await see("Only you so far");
  await page.getByLabel("Email addresses").fill("bob@example.com");
  await button("Send invitations").click();
  await people.filter({ hasText: "bob@example.com" }).getByText("Sent", { exact: true }).waitFor();
  expect(owner.sent("inviteMembers")).toEqual([{ emails: ["bob@example.com"] }]);
  // By now the workspace knows them too: they are one person.
  expect(members.map(({ email }) => email)).toContain("bob@example.com");
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
  await openUnwatched();
  const leftOut = { total: 1, names: [{ name: `.n8n-files/${"a-folder-with-a-long-name/".repeat(4)}report.pdf`, why: "link" as const }] };
  keepBackups(owner, [buildBackup(), buildBackup({ kind: "nightly", leftOut })]).exports.push(buildExport());
  await owner.answers.changeInstance!(
    { body: { timezone: "America/Argentina/ComodRivadavia" }, params: undefined, query: undefined },
    owner.state,
  );
  changes.restarted();
  for (const path of ["/dashboard", ...Object.keys(places)]) {
    await page.setViewportSize({ width: 320, height: 640 });
    await open(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page
      .getByText(places[path] ?? "Ada Lovelace")
      .first()
      .waitFor();
    const menu = page.getByRole("button", { name: /^Manage: / });
    if (path !== "/dashboard") await menu.click();
    for (const [width, height] of [
      [320, 640],
      [390, 844],
      [768, 1024],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), { message: `${path} at ${width}` })
        .toBe(true);
      if (path === "/dashboard") continue;
      // The places are named in full: as a column from 768 px, as a menu below, which also lists those within others.
      await expect.poll(() => menu.isVisible(), { message: `a menu at ${width}` }).toBe(width < 768);
      const nav = page.getByRole("navigation", { name: "Manage" });
      await expect.poll(() => nav.getByRole("link").allInnerTexts()).toEqual(width < 768 ? placeNames : columnAt(path));
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

test("deleting a workspace asks for the password above its dialog, by keyboard; a wrong one and none delete nothing", async () => {
  const { username } = owner.state.user;
  let isTyped = false;
  owner.answers.deleteInstance = (_asked, state) => {
    if (!isTyped) throw new AppError("password_needed");
    owner.workspaceIs({ isBeingDeleted: true, status: instanceStatus.pending });
    return workspaceOf(state);
  };
  owner.answers.confirmPassword = ({ body }) => {
    if (body.password !== "the right one")
      throw new AppError("wrong_password", {
        errors: [{ path: "password", code: "current_password.wrong", message: fieldMessage("current_password.wrong") }],
      });
    isTyped = true;
  };
  await open("/manage/danger");
  await region("Delete this workspace").getByRole("button", { name: "Delete workspace" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete the workspace?" });
  await dialog.getByLabel(`Type ${username} to confirm`).fill(username);
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Enter your password" });
  await question.getByText("delete or replace data").waitFor();
  await expectAccessible(page);
  await closeByEscape(question);
  // What was typed is still there, and the dialog says what is missing.
  await dialog.getByText("Enter it to continue.").waitFor();
  expect(await dialog.getByLabel(`Type ${username} to confirm`).inputValue()).toBe(username);
  await dialog.getByRole("button", { name: "Delete workspace" }).press("Enter");
  await question.getByLabel("Password", { exact: true }).fill("a wrong one");
  await page.keyboard.press("Enter");
  await question.getByText("This is not your current password.").waitFor();
  expect(isTyped).toBe(false);
  await question.getByLabel("Password", { exact: true }).fill("the right one");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  expect(owner.sent("deleteInstance")).toHaveLength(3);
});

test("a workspace is deleted by typing the account's name as it is written; the dashboard then offers a new one", async () => {
  const { username } = owner.state.user;
  owner.answers.hasBackups = () => undefined;
  owner.answers.deleteInstance = (_asked, state) => {
    owner.workspaceIs({ isBeingDeleted: true, status: instanceStatus.pending });
    return workspaceOf(state);
  };
  owner.answers.createInstance = ({ body: { timezone } }, { user: { account } }) =>
    (account.instance = buildInstance({ timezone, life: 2, status: instanceStatus.pending, isNew: true }));
  await open("/manage/danger");
  await region("Delete this workspace").getByRole("button", { name: "Delete workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete the workspace?" });
  await dialog.getByLabel(`Type ${username} to confirm`).fill(username.toUpperCase());
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectAccessible(page);
  expect(owner.sent("deleteInstance")).toEqual([]);
  await dialog.getByLabel(`Type ${username} to confirm`).fill(username);
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await page.waitForURL("**/dashboard");
  expect(owner.sent("deleteInstance")).toEqual([{ accountName: username, life: 1 }]);
  owner.state.user.account.instance = null;
  await region("Workspace").getByRole("heading", { name: "No active workspace" }).waitFor();
  await region("Workspace").getByRole("link", { name: "View backups" }).waitFor();
  await expectAccessible(page);
  await button("Create a new workspace").click();
  await region("Workspace").getByText("Setting up", { exact: true }).waitFor();
  owner.workspaceIs({ status: instanceStatus.online, isNew: false });
  await see("Your workspace is now online.");
  await region("Workspace").getByText("Online", { exact: true }).waitFor();
});
