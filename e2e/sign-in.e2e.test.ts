/** Every way in and out of the panel, in a real browser, with every promised message. The workspace is offline throughout. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";

let slipway: Slipway;
let browser: Browser;
let ada: Customer;

beforeAll(async () => {
  // Nothing can be installed, so every launched workspace stays offline.
  slipway = await startSlipway({ engine: "none", env: { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" } });
  browser = await launchBrowser();
  ada = await slipway.register();
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
const token = async (context: BrowserContext) => (await context.cookies()).find(({ name }) => name === "token")!.value;

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

test("a wrong combination, an empty form and a problem on our side each say what happened, and nothing typed is lost", async () => {
  const page = await openPage("/login?returnPath=/help");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Enter your account name or email address.").waitFor();
  await logIn(page, { email: ada.email, password: "wrong password" });
  await page.getByText("You entered an invalid sign in combination. Try again.").waitFor();
  await expectAccessible(page);
  const answerWith = (status: number, body: string, contentType: string) =>
    page.route("**/api/auth/login", (route) => route.fulfill({ status, body, contentType }));
  await answerWith(500, JSON.stringify({ code: "internal_error", title: "x", requestId: "r" }), "application/problem+json");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("You could not be logged in. Please try again.").waitFor();
  await page.unroute("**/api/auth/login");
  await answerWith(200, "<html>", "text/html");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Something went wrong...").waitFor();
  await page.unroute("**/api/auth/login");
  await answerWith(403, JSON.stringify({ code: "publisher_account" }), "application/problem+json");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This account only publishes workflows.").waitFor();
  await page.getByRole("link", { name: "Create a new account" }).waitFor();
  await page.unroute("**/api/auth/login");
  expect(await page.getByLabel("Account name or email").inputValue()).toBe(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${slipway.url}/help`);
});

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

const codeFor = async (person: { email: string }) => {
  const before = (await mailsOf("Your sign-in link", person.email)).length;
  await slipway.call("POST", "/api/user/magic-link", { body: { email: person.email } });
  return new URL(await linkOf("Your sign-in link", person.email, before + 1)).searchParams.get("code");
};

test("a code in the address names its account and signs in with one click, or with none if that account is signed in", async () => {
  const owner = await slipway.register();
  await slipway.confirm(owner);
  const code = await codeFor(owner);
  const page = await openPage(`/login?code=${code}&returnPath=/help?topic=trial`);
  await page.waitForURL(`${slipway.url}/login/continue?returnPath=**`);
  expect((await page.context().cookies()).find(({ name }) => name === "token")).toBeUndefined();
  await expectAccessible(page);
  await page.getByRole("button", { name: `Continue as ${owner.accountName}` }).click();
  await page.waitForURL(`${slipway.url}/help?topic=trial`);
  await page.getByRole("button", { name: /Account of/ }).waitFor();
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  const refused = await openPage(`/login?code=${code}&returnPath=/help`);
  await refused.waitForURL(`${slipway.url}/login?returnPath=%2Fhelp`);
  await toast(refused, "Could not log in user with authentication code");
  const again = await codeFor(owner);
  const signedIn = await page.context().newPage();
  await signedIn.goto(`${slipway.url}/login?code=${again}&returnPath=/manage`);
  await signedIn.waitForURL((url) => !url.pathname.startsWith("/login"));
  await signedIn.getByRole("button", { name: /Account of/ }).waitFor();
});

test("a stranger's code does not replace the signed-in user, unless they choose so", async () => {
  const [me, stranger] = [await slipway.register(), await slipway.register()];
  const page = await openPage("/login");
  await logIn(page, me);
  await page.waitForURL("**/dashboard");
  const code = await codeFor(stranger);
  await page.goto(`${slipway.url}/login?code=${code}`);
  await page.getByText(`You are signed in as ${me.accountName}`).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: `Stay signed in as ${me.accountName}` }).click();
  await page.waitForURL("**/dashboard");
  expect(
    (await slipway.call("GET", "/api/auth/me", { token: await token(page.context()) })).json<{ user: { username: string } }>().user
      .username,
  ).toBe(me.accountName);
  await page.goto(`${slipway.url}/login?code=${code}`);
  await page.getByRole("button", { name: `Continue as ${stranger.accountName}` }).click();
  await page.waitForURL("**/dashboard");
  expect(
    (await slipway.call("GET", "/api/auth/me", { token: await token(page.context()) })).json<{ user: { username: string } }>().user
      .username,
  ).toBe(stranger.accountName);
});

test("an open session counts on public pages even if local storage was cleared, and a refused one is shown once", async () => {
  const person = await slipway.register();
  const page = await openPage("/login");
  await logIn(page, person);
  await page.waitForURL("**/dashboard");
  await page.evaluate(() => localStorage.clear());
  await page.goto(slipway.url);
  await page.waitForURL("**/dashboard");
  await slipway.call("GET", "/api/auth/logout", { token: await token(page.context()) });
  await page.reload();
  await toast(page, "Session expired");
  await page.goto(`${slipway.url}/login`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByText("Session expired").count()).toBe(0);
  expect((await page.context().cookies()).filter(({ name }) => name === "token" || name === "slipway-signed-in")).toEqual([]);
});

test("a sign-out that never reached the service is not shown as one", async () => {
  const page = await openPage("/login");
  await logIn(page, ada);
  await page.waitForURL("**/dashboard");
  await page.route("**/api/auth/logout", (route) => route.abort());
  await page.getByRole("button", { name: "Sign out" }).click();
  await toast(page, "You are still signed in because the service could not be reached. Check your connection and try again.");
  await page.unroute("**/api/auth/logout");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
});

test("a code whose user can't be loaded leaves no session behind", async () => {
  const owner = await slipway.register();
  const code = await codeFor(owner);
  const context = await newContext();
  await context.route("**/api/auth/me", (route) => route.abort());
  const page = await openPage(`/login?code=${code}`, context);
  await page.getByRole("button", { name: `Continue as ${owner.accountName}` }).click();
  await page.waitForURL(`${slipway.url}/login`);
  await toast(page, "Could not log in user with authentication code");
  expect((await context.cookies()).find(({ name }) => name === "token")).toBeUndefined();
});

test("a session that ends over a half-filled form leads to the sign-in page and back to the form, with what was typed", async () => {
  const context = await newContext();
  const page = await openPage("/dashboard", context);
  await logIn(page, ada);
  await page.waitForURL("**/dashboard");
  await page.getByRole("button", { name: /Account of/ }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Change email" }).click();
  await page.getByLabel("New email").fill(ada.email);
  await page.getByLabel("Current password").fill("wrong password");
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("The new address must differ from the current one.").waitFor();
  await page.getByLabel("New email").fill("half-typed@example.com");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("This is not your current password.").waitFor();
  await slipway.call("GET", "/api/auth/logout", { token: await token(context) });
  await page.getByRole("button", { name: "Send link" }).click();
  await page.waitForURL("**/login?**");
  await toast(page, "Session expired");
  await logIn(page, ada);
  await page.waitForURL("**/dashboard?account=change-email");
  await expect.poll(() => page.getByLabel("New email").inputValue()).toBe("half-typed@example.com");
  expect(await page.getByLabel("Current password").inputValue()).toBe("");
  expect(await page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))).not.toContain(
    "password",
  );
  expect(await page.getByText("Session expired").count()).toBe(0);
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

test("signing out in one tab signs out the others", async () => {
  const context = await newContext();
  const one = await openPage("/login", context);
  await logIn(one, ada);
  await one.waitForURL("**/dashboard");
  const two = await openPage("/help", context);
  await two.getByRole("button", { name: "Sign out" }).waitFor();
  // Each tab says so for a few seconds.
  const told = [one, two].map((tab) => toast(tab, "Logout succeeded"));
  await one.getByRole("button", { name: "Sign out" }).click();
  await Promise.all(told);
  await one.waitForURL("**/login");
  await two.waitForURL("**/login");
  expect((await context.cookies()).find(({ name }) => name === "token")).toBeUndefined();
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

test("no return path leads off the panel", async () => {
  const context = await newContext();
  const page = await openPage("/login", context);
  await logIn(page, ada);
  await page.waitForURL("**/dashboard");
  for (const path of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/%09/evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "///evil.example",
    "/%5Cevil.example",
  ]) {
    await page.goto(`${slipway.url}/login?returnPath=${encodeURIComponent(path)}`);
    await page.waitForURL((url) => url.pathname !== "/login");
    expect(new URL(page.url()).origin, path).toBe(slipway.url);
  }
});

test("at 390 px no page scrolls sideways", async () => {
  const context = await newContext();
  const page = await openPage("/login", context);
  await page.setViewportSize({ width: 390, height: 844 });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  for (const path of [
    "/login",
    "/forgot-password",
    "/magic-link",
    "/magic-link?code=x",
    "/reset-password?token=x",
    "/change-email?token=x",
  ]) {
    await page.goto(slipway.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(fits, { message: path }).toBe(true);
    // The other pages are looked at above, where they have something to show.
    if (path.includes("?")) await expectAccessible(page);
  }
  await page.goto(`${slipway.url}/login`);
  await logIn(page, ada);
  await page.waitForURL("**/dashboard");
  await page.goto(`${slipway.url}/dashboard?account=change-password`);
  await page.getByRole("dialog").waitFor();
  await expect.poll(fits).toBe(true);
  await expectAccessible(page);
});

test("a call that needs the password asks for it above the dialog that made it, and then continues automatically", async () => {
  const person = await slipway.register();
  await slipway.confirm(person);
  const page = await openPage("/login");
  await logIn(page, person);
  await page.waitForURL("**/dashboard");
  const needed = {
    status: 403,
    contentType: "application/problem+json",
    body: JSON.stringify({ code: "password_needed", title: "Enter your password to continue." }),
  };
  // As the service answers a session that a workspace vouched for.
  await page.route("**/api/auth/change-email", (route) => route.fulfill(needed), { times: 2 });
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Change email" }).click();
  await page.getByLabel("New email").fill(`new-${person.email}`);
  await page.getByLabel("Current password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Send link" }).click();
  const question = page.getByRole("dialog", { name: "Enter your password" });
  await question.waitFor();
  await expectAccessible(page);
  await closeByEscape(question);
  // The dialog below is still there, with what was typed, and says what is missing.
  await page.getByText("Enter it to continue.").waitFor();
  expect(await page.getByLabel("New email").inputValue()).toBe(`new-${person.email}`);
  await page.getByRole("button", { name: "Send link" }).click();
  await question.waitFor();
  await question.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.keyboard.press("Enter");
  await question.getByText("This is not your current password.").waitFor();
  await question.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.getByText("Check the new inbox").waitFor();
  await expect.poll(() => question.count()).toBe(0);
});
