/** Ways in and out of the panel, in a real browser, with their promised messages: what its pages show, send and keep. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { newId } from "#platform/ids.ts";
import { AppError } from "#platform/app-error.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import type { Answer, Answers } from "#testing/panel/panel-answers.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";
import { buildNewcomer } from "#testing/panel/sign-up-answers.ts";

let panel: PanelServer;
let browser: Browser;

/** A customer, with a session for each browser that they are signed in with. */
interface Member {
  user: User;
  email: string;
  accountName: string;
  password: string;
  sessions: PanelPerson[];
  answers: Answers;
}

let members: Member[];
/** Whom each one-time code signs in. */
let codes: Map<string, Member>;
let ada: Member;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  members = [];
  codes = new Map();
  panel.visitor.answers = entrance;
  ada = register();
});
afterEach(() => expectAnswered(panel));

function register(changes: Parameters<typeof buildNewcomer>[0] = {}): Member {
  const user = buildNewcomer(changes);
  const { email, username: accountName } = user;
  const member: Member = { user, email, accountName, password: "correct horse battery", sessions: [], answers: {} };
  members.push(member);
  return member;
}

function openSession(member: Member): PanelPerson {
  const session = panel.signIn({ user: member.user });
  session.answers = { ...entrance, changeEmail, ...member.answers };
  member.sessions.push(session);
  return session;
}

const refusal = (code: "same_email" | "wrong_password", path: string, field: FieldCode) =>
  new AppError(code, { errors: [{ path, code: field, message: fieldMessage(field) }] });

function enter(member: Member): { token: string; user: User } {
  const { token, state } = openSession(member);
  return { token, user: state.user };
}

function holderOf(code: string): Member {
  const holder = codes.get(code);
  if (!holder) throw new AppError("login_code_invalid");
  return holder;
}

/** What whoever signs in is answered. */
const entrance: Answers = {
  logIn({ body: { login, password } }) {
    const member = members.find(({ email, accountName }) => login === email || login === accountName);
    if (member?.password !== password) throw new AppError("invalid_credentials");
    return enter(member);
  },
  getCodeHolder: ({ body }) => ({ accountName: holderOf(body.code).accountName }),
  logInWithCode({ body }) {
    const member = holderOf(body.code);
    codes.delete(body.code);
    return enter(member);
  },
  // No test has a valid link.
  confirmEmailChange: () => Promise.reject(new AppError("email_link_invalid")),
};

const changeEmail: Answer<"changeEmail"> = ({ body }, { user }) => {
  if (body.email === user.email) throw refusal("same_email", "email", "email.same");
  refuseWrong(body.password, user);
};

function refuseWrong(password: string, { id }: User): void {
  if (members.find(({ user }) => user.id === id)?.password !== password)
    throw refusal("wrong_password", "password", "current_password.wrong");
}

/** A one-time code, as in a mailed link. */
function codeFor(member: Member): string {
  const code = newId();
  codes.set(code, member);
  return code;
}

/** A separate browser, closed after the test; signed in, if a member is given. */
async function newContext(member?: Member): Promise<BrowserContext> {
  const context = await panel.contextFor(browser, member && openSession(member), { width: 1280, height: 900 });
  onTestFinished(() => context.close());
  return context;
}

async function openPage(path: string, context?: BrowserContext): Promise<Page> {
  const page = await (context ?? (await newContext())).newPage();
  await page.goto(panel.url + path);
  return page;
}

async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Account name or email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** It is shown for a few seconds. */
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
/** The account that this browser is signed in to. */
const signedInAs = async (page: Page) =>
  ((await (await page.request.get(`${panel.url}/api/auth/me`)).json()) as { user: User }).user.username;

test("a wrong combination, an empty form and a problem on our side each say what happened, and nothing typed is lost", async () => {
  const page = await openPage("/login?returnPath=/help");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Enter your account name or email address.").waitFor();
  await logIn(page, { email: ada.email, password: "wrong password" });
  await page.getByText("You entered an invalid sign in combination. Try again.").waitFor();
  await expectAccessible(page);
  const refuse = (code: "internal_error" | "publisher_account") => {
    panel.visitor.answers = { ...entrance, logIn: () => Promise.reject(new AppError(code)) };
  };
  refuse("internal_error");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("You could not be logged in. Please try again.").waitFor();
  await page.route("**/api/auth/login", (route) => route.fulfill({ status: 200, body: "<html>", contentType: "text/html" }));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Something went wrong...").waitFor();
  await page.unroute("**/api/auth/login");
  refuse("publisher_account");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This account only publishes workflows.").waitFor();
  await page.getByRole("link", { name: "Create a new account" }).waitFor();
  panel.visitor.answers = entrance;
  expect(await page.getByLabel("Account name or email").inputValue()).toBe(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${panel.url}/help`);
});

test("a code in the address names its account and signs in with one click, or with none if that account is signed in", async () => {
  const owner = register({ confirmed: true });
  const code = codeFor(owner);
  const page = await openPage(`/login?code=${code}&returnPath=/help?topic=trial`);
  await page.waitForURL(`${panel.url}/login/continue?returnPath=**`);
  expect((await page.context().cookies()).find(({ name }) => name === "token")).toBeUndefined();
  await expectAccessible(page);
  await page.getByRole("button", { name: `Continue as ${owner.accountName}` }).click();
  await page.waitForURL(`${panel.url}/help?topic=trial`);
  await page.getByRole("button", { name: /Account of/ }).waitFor();
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  const refused = await openPage(`/login?code=${code}&returnPath=/help`);
  await Promise.all([
    refused.waitForURL(`${panel.url}/login?returnPath=%2Fhelp`),
    toast(refused, "Could not log in user with authentication code"),
  ]);
  const again = codeFor(owner);
  const signedIn = await page.context().newPage();
  await signedIn.goto(`${panel.url}/login?code=${again}&returnPath=/manage`);
  await signedIn.waitForURL((url) => !url.pathname.startsWith("/login"));
  await signedIn.getByRole("button", { name: /Account of/ }).waitFor();
});

test("the workspace's URL signs its owner in there; whoever is signed in to another account is told so", async () => {
  const owner = panel.signIn();
  const { username, account } = owner.state.user;
  owner.answers = { getInstanceUrl: () => ({ url: `${panel.url}/help?once=1` }) };
  const context = await panel.contextFor(browser, owner, { width: 1280, height: 900 });
  onTestFinished(() => context.close());
  const { pathname, search } = new URL(account.instance!.url);
  expect(pathname + search).toBe(`/open?workspace=${username}`);
  const page = await openPage(pathname + search, context);
  await page.waitForURL("**/help?once=1");
  const other = await openPage("/open?workspace=somebody-else", context);
  await other.getByRole("heading", { name: /somebody-else/ }).waitFor();
  await expectAccessible(other);
});

test("a stranger's code does not replace the signed-in user, unless they choose so", async () => {
  const [me, stranger] = [register(), register()];
  const code = codeFor(stranger);
  const page = await openPage(`/login?code=${code}`, await newContext(me));
  await page.getByText(`You are signed in as ${me.accountName}`).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: `Stay signed in as ${me.accountName}` }).click();
  await page.waitForURL("**/dashboard");
  expect(await signedInAs(page)).toBe(me.accountName);
  await page.goto(`${panel.url}/login?code=${code}`);
  await page.getByRole("button", { name: `Continue as ${stranger.accountName}` }).click();
  await page.waitForURL("**/dashboard");
  expect(await signedInAs(page)).toBe(stranger.accountName);
});

test("an open session counts on public pages even if local storage was cleared, and a refused one is shown once", async () => {
  const page = await openPage("/dashboard", await newContext(ada));
  await page.getByRole("button", { name: /Account of/ }).waitFor();
  await page.evaluate(() => localStorage.clear());
  await page.goto(panel.url);
  await page.waitForURL("**/dashboard");
  ada.sessions.at(-1)!.endSession();
  await Promise.all([page.reload(), toast(page, "Session expired")]);
  await page.goto(`${panel.url}/login`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByText("Session expired").count()).toBe(0);
  expect((await page.context().cookies()).filter(({ name }) => name === "token" || name === "slipway-signed-in")).toEqual([]);
});

test("a sign-out that never reached the service is not shown as one", async () => {
  const page = await openPage("/dashboard", await newContext(ada));
  await page.route("**/api/auth/logout", (route) => route.abort());
  await page.getByRole("button", { name: "Sign out" }).click();
  await toast(page, "You are still signed in because the service could not be reached. Try again.");
  await page.unroute("**/api/auth/logout");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
});

test("a code whose user can't be loaded leaves no session behind", async () => {
  const owner = register();
  const code = codeFor(owner);
  const context = await newContext();
  await context.route("**/api/auth/me", (route) => route.abort());
  const page = await openPage(`/login?code=${code}`, context);
  await page.getByRole("button", { name: `Continue as ${owner.accountName}` }).click();
  await Promise.all([page.waitForURL(`${panel.url}/login`), toast(page, "Could not log in user with authentication code")]);
  expect((await context.cookies()).find(({ name }) => name === "token")).toBeUndefined();
  expect(owner.sessions.map((session) => session.sent("logOut").length)).toEqual([1]);
});

test("a session that ends over a half-filled form leads to the sign-in page and back to the form, with what was typed", async () => {
  const page = await openPage("/dashboard", await newContext(ada));
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
  ada.sessions.at(-1)!.endSession();
  await page.getByRole("button", { name: "Send link" }).click();
  await Promise.all([page.waitForURL("**/login?**"), toast(page, "Session expired")]);
  await expect.poll(() => page.getByLabel("Account name or email").inputValue()).toBe(ada.accountName);
  await logIn(page, ada);
  await page.waitForURL("**/dashboard?account=change-email");
  await expect.poll(() => page.getByLabel("New email").inputValue()).toBe("half-typed@example.com");
  expect(await page.getByLabel("Current password").inputValue()).toBe("");
  expect(await page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))).not.toContain(
    "password",
  );
  expect(await page.getByText("Session expired").count()).toBe(0);
});

test("signing out in one tab signs out the others", async () => {
  const context = await newContext(ada);
  const one = await openPage("/dashboard", context);
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

test("no return path leads off the panel", async () => {
  const page = await (await newContext(ada)).newPage();
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
    await page.goto(`${panel.url}/login?returnPath=${encodeURIComponent(path)}`);
    await page.waitForURL((url) => url.pathname !== "/login");
    expect(new URL(page.url()).origin, path).toBe(panel.url);
  }
});

test("at 390 px no page scrolls sideways", async () => {
  const page = await (await newContext()).newPage();
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
    await page.goto(panel.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(fits, { message: path }).toBe(true);
    // The other pages are looked at above, where they have something to show.
    if (path.includes("?")) await expectAccessible(page);
  }
  await page.context().addCookies(sessionCookies(openSession(ada).token, panel.url));
  await page.goto(`${panel.url}/dashboard?account=change-password`);
  await page.getByRole("dialog").waitFor();
  await expect.poll(fits).toBe(true);
  await expectAccessible(page);
});

test("a call that needs the password asks for it above the dialog that made it, and then continues automatically", async () => {
  const person = register({ confirmed: true });
  // As the service answers a session that a workspace vouched for.
  let isConfirmed = false;
  person.answers = {
    changeEmail(asked, state) {
      if (!isConfirmed) throw new AppError("password_needed");
      return changeEmail(asked, state);
    },
    confirmPassword({ body }, { user }) {
      refuseWrong(body.password, user);
      isConfirmed = true;
    },
  };
  const page = await openPage("/dashboard", await newContext(person));
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
  // Refused, refused again, and made once more with the password confirmed.
  expect(person.sessions[0]!.sent("changeEmail")).toEqual(Array(3).fill({ email: `new-${person.email}`, password: person.password }));
});
