/** Ways into the panel by mail and on several devices, in a real browser. The workspace is offline throughout. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

let slipway: Slipway;
let browser: Browser;

beforeAll(async () => {
  // Nothing can be installed, so every launched workspace stays offline.
  slipway = await startSlipway({ engine: "none", env: { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

/** A separate browser, closed after the test. */
async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  onTestFinished(() => context.close());
  return context;
}

async function openPage(path: string, context?: BrowserContext): Promise<Page> {
  const page = await (context ?? (await newContext())).newPage();
  await page.goto(slipway.url + path);
  return page;
}

async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Account name or email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

interface InboxMessage {
  to: string;
  subject: string;
  text: string;
  links: string[];
}

/** The mails with this subject, the newest first. */
async function mailsOf(subject: string, to: string): Promise<InboxMessage[]> {
  const { messages } = (await slipway.call("GET", "/api/dev/inbox")).json<{ messages: InboxMessage[] }>();
  return messages.filter((message) => message.to === to && message.subject === subject);
}

/** The newest mail with this subject, once there are this many: a mail is sent a moment after the page says so. */
async function mailOf(subject: string, to: string, count = 1): Promise<InboxMessage> {
  await expect.poll(async () => (await mailsOf(subject, to)).length).toBeGreaterThanOrEqual(count);
  return (await mailsOf(subject, to))[0]!;
}

const linkOf = async (subject: string, to: string, count = 1): Promise<string> => (await mailOf(subject, to, count)).links[0]!;

test("after too many wrong passwords the login has to wait, and says so", async () => {
  const page = await openPage("/login");
  for (let tries = 0; tries < 6; tries += 1) {
    const answered = page.waitForResponse("**/api/auth/login");
    await logIn(page, { email: "guessed-at@example.com", password: `guess ${tries}` });
    await answered;
  }
  await page.getByText("Too many failed sign-in attempts.").waitFor();
});

test("a forgotten password is replaced through the inbox, and the old one no longer works", async () => {
  const person = await slipway.register();
  const elsewhere = await newContext();
  const other = await openPage("/login", elsewhere);
  await logIn(other, person);
  await other.waitForURL("**/dashboard");
  const page = await openPage("/login");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.waitForURL("**/forgot-password");
  await page.getByLabel("Email").fill("nope");
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("The email address must have at least 6 characters.").waitFor();
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("Check your inbox").waitFor();
  await expectAccessible(page);
  const link = await linkOf("Choose a new password", person.email);
  await page.goto(link);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save new password" }).click();
  await page.getByText("The password must have 8 to 64 characters.").waitFor();
  await expectAccessible(page);
  await page.getByLabel("New password").fill("a brand new password");
  await page.getByRole("button", { name: "Save new password" }).click();
  await page.waitForURL("**/login");
  await toast(page, "Your password was changed. Sign in with the new one.");
  await logIn(page, { email: person.email, password: "a brand new password" });
  await page.waitForURL("**/dashboard");
  await mailOf("Your password was changed", person.email);
  await other.reload();
  await other.waitForURL("**/login?**");
  await toast(other, "Session expired");
  const again = await openPage(new URL(link).pathname + new URL(link).search);
  await again.getByLabel("New password").fill("once more, please");
  await again.getByRole("button", { name: "Save new password" }).click();
  await again.getByText("This link has expired or was already used.").waitFor();
  await again.getByRole("link", { name: "Request a new link" }).waitFor();
});

test("the owner of an offline workspace signs in by a magic link that says so, once", async () => {
  const owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === instanceStatus.offline);
  const page = await openPage("/login");
  await page.getByLabel("Account name or email").fill(`typo-${owner.email}`);
  await page.getByRole("link", { name: "Email me a sign-in link" }).click();
  await page.waitForURL("**/magic-link");
  // What was typed is still there, also after it was sent to the wrong address.
  await expect.poll(() => page.getByLabel("Owner's email").inputValue()).toBe(`typo-${owner.email}`);
  await page.getByRole("button", { name: "Send sign-in link" }).click();
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await page.getByText(`typo-${owner.email}`, { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^Send again in \d+ seconds?$/ }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Change address" }).click();
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe(`typo-${owner.email}`);
  await page.getByLabel("Owner's email").fill(owner.email);
  await page.route("**/api/user/magic-link", (route) => route.abort());
  await page.getByRole("button", { name: "Send sign-in link" }).click();
  await page.getByText("Could not send magic link").waitFor();
  await page.getByText(/contact support/).waitFor();
  await page.unroute("**/api/user/magic-link");
  // It is shown as on its way while it is retried: 10, 30 and 90 seconds after each failure.
  const isResting = async () => {
    const { entries } = (await slipway.call("GET", "/api/instance/journal", { token: owner.token })).json<{
      entries: { event: string; at: string }[];
    }>();
    const failures = entries.filter(({ event }) => event === "install-failed");
    return failures.length > 1 && Date.now() - Date.parse(failures[0]!.at) < 20_000;
  };
  await expect.poll(isResting, { timeout: 180_000, interval: 200 }).toBe(true);
  await slipway.until(owner, ({ status }) => status === instanceStatus.offline);
  await page.getByRole("button", { name: "Send sign-in link" }).click();
  await page.getByText("Check your inbox").waitFor();
  const { text, links } = await mailOf("Your sign-in link", owner.email);
  const link = links[0]!;
  expect(text).toContain(`Your workspace ${owner.accountName}.localhost:${slipway.port} is offline`);
  await page.goto(link);
  await expectAccessible(page);
  await page.getByRole("button", { name: `Continue as ${owner.accountName}` }).click();
  await page.waitForURL("**/dashboard");
  await page.getByText("Offline", { exact: true }).first().waitFor();
  const again = await openPage(new URL(link).pathname + new URL(link).search);
  await again.getByText("Could not log in user with authentication code").waitFor();
  await again.getByText(/please contact support/).waitFor();
  await expect.poll(() => new URL(again.url()).search).toBe("");
});

test("address and password are changed from the account menu by keyboard, and the old address is notified", async () => {
  const person = await slipway.register();
  await slipway.confirm(person);
  const page = await openPage("/dashboard");
  await logIn(page, person);
  await page.waitForURL("**/dashboard");
  await page.getByRole("button", { name: /Account of/ }).focus();
  await page.keyboard.press("Enter");
  for (const item of ["Profile", "Notifications", "Change email", "Change password"]) {
    await page.locator("[role=menuitem]:focus", { hasText: item }).waitFor();
    if (item !== "Change password") await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await closeByEscape(page.getByRole("dialog", { name: "Change password" }));
  await page.goto(`${slipway.url}/dashboard?account=change-email`);
  await page.getByLabel("New email").fill(`new-${person.email}`);
  await page.getByLabel("Current password").fill(person.password);
  await page.keyboard.press("Enter");
  await page.getByText("Check the new inbox").waitFor();
  await mailOf("Your email address is about to change", person.email);
  await page.goto(`${slipway.url}/account/security`);
  await page.getByText(`We sent a link to new-${person.email}`).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByText(`The change was withdrawn. ${person.email} remains your address.`).waitFor();
  await page.goto(await linkOf("Confirm your new email address", `new-${person.email}`));
  await page.getByText("The email address could not be changed").waitFor();
  await page.goto(`${slipway.url}/dashboard?account=change-email`);
  await page.getByLabel("New email").fill(`new-${person.email}`);
  await page.getByLabel("Current password").fill(person.password);
  await page.keyboard.press("Enter");
  await page.getByText("Check the new inbox").waitFor();
  // The second one: the first belongs to the withdrawn change.
  await page.goto(await linkOf("Confirm your new email address", `new-${person.email}`, 2));
  await page.getByText("Your email address was changed").waitFor();
  await expectAccessible(page);
  await mailOf("Your email address was changed", person.email);
  await page.reload();
  await page.getByText("The email address could not be changed").waitFor();
  await page.goto(`${slipway.url}/dashboard?account=change-password`);
  await page.getByLabel("Current password").fill("wrong password");
  await page.getByLabel("New password").fill("a brand new password");
  await page.keyboard.press("Enter");
  await page.getByText("This is not your current password.").waitFor();
  await page.getByLabel("Current password").fill(person.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await toast(page, "Your password was changed. All other devices were signed out.");
});

test("a user sees their sessions, ends one and then all others, and an ended one finds out at its next call", async () => {
  const person = await slipway.register();
  const [page, other] = [await openPage("/login"), await openPage("/login")];
  for (const each of [page, other]) {
    await logIn(each, person);
    await each.waitForURL("**/dashboard");
  }
  await page.route("**/api/auth/sessions", (route) => route.abort());
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign-in and security" }).click();
  await page.waitForURL("**/account/security");
  await page.getByText("Your sessions could not be loaded").waitFor();
  await page.unroute("**/api/auth/sessions");
  await page.getByRole("button", { name: "Try again" }).click();
  const rows = page.getByRole("list", { name: "Where you are signed in" }).getByRole("listitem");
  await rows.first().getByText("This device").waitFor();
  // This one, the other browser, and the program that registered.
  await expect.poll(() => rows.count()).toBe(3);
  await expect.poll(() => rows.getByText("Chrome on Linux").count()).toBe(2);
  await expect.poll(() => rows.getByText("Unknown browser or program").count()).toBe(1);
  // How long ago, with the exact time on hover, and the address, by which one's own devices are recognized.
  const opened = rows.getByText(/^Signed in (just now|\d+ minutes? ago) with the password$/);
  await expect.poll(() => opened.count()).toBe(3);
  expect(await opened.first().getAttribute("title")).toMatch(/\b20\d\d\b.*\d:\d\d:\d\d/);
  await expect.poll(() => rows.getByText(/^IP address [\d.:a-f]+$/).count()).toBe(3);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expectAccessible(page);
  const question = page.getByRole("alertdialog");
  await rows.getByRole("button", { name: /^Sign out Chrome on Linux/ }).focus();
  await page.keyboard.press("Enter");
  await question.getByText("Chrome on Linux is signed out immediately.", { exact: false }).waitFor();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Sign out" }).focus();
  await page.keyboard.press("Enter");
  await toast(page, "Chrome on Linux was signed out.");
  await expect.poll(() => rows.count()).toBe(2);
  await other.reload();
  await other.waitForURL("**/login?**");
  await toast(other, "Session expired");
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await question.getByRole("button", { name: "Sign out everywhere else" }).click();
  await toast(page, "You were signed out of 1 other session.");
  await page.getByText("No other sessions").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Sign out everywhere else" }).count()).toBe(0);
  expect((await slipway.call("GET", "/api/auth/me", { token: person.token })).json()).toMatchObject({ code: "session_expired" });
  await page.getByRole("link", { name: "Change password" }).click();
  await page.getByRole("dialog", { name: "Change password" }).waitFor();
});
