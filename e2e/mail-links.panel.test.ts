/** Every link of every mail to an owner opens what it promises: for its owner, signed out, for another user, and after it has expired. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { AppError } from "#platform/app-error.ts";
import { newId } from "#platform/ids.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { everyMail, linksOf } from "#testing/mails/every-mail.ts";
import { keepBackups } from "#testing/panel/backup-answers.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import type { Answers } from "#testing/panel/panel-answers.ts";
import { subscribe } from "#testing/panel/panel-billing.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";

let panel: PanelServer;
let browser: Browser;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
afterEach(() => expectAnswered(panel));
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});

const email = "ada@example.com";
/** What a mailed link that still works is answered. */
const works: Answers = {
  confirmEmail: () => ({ email, alreadyConfirmed: false }),
  confirmEmailChange: () => ({ email: "new@example.com" }),
  getCodeHolder: () => ({ accountName: "ada" }),
  resetPassword: () => undefined,
};
const refuse = (code: "email_link_invalid" | "password_link_invalid" | "login_code_invalid") => () => Promise.reject(new AppError(code));
const expired: Answers = {
  confirmEmail: refuse("email_link_invalid"),
  confirmEmailChange: refuse("email_link_invalid"),
  getCodeHolder: refuse("login_code_invalid"),
  resetPassword: refuse("password_link_invalid"),
};

/** Where a link leads, by its path: the page's path, if it is another one, and its heading. */
type Promised = Record<string, string | [path: string, heading: string]>;
const again: Promised = Object.fromEntries(
  ["/dashboard", "/manage/billing", "/manage/export", "/manage/versions", "/account/change-plan"].map((path) => [
    path,
    [`/login?returnPath=${encodeURIComponent(path)}`, "Welcome back"],
  ]),
);
const hello = "Hello, Ada Lovelace";
/** Where somebody wrote that another person may have acted: its reader may be signed in all the same. */
const forAll: Promised = {
  "/reset-password": "Choose a new password",
  "/forgot-password": "Forgot your password?",
  "/change-email": "Your email address was changed",
};
const owners: Promised = {
  ...forAll,
  "/confirm-email": ["/dashboard", hello],
  "/login": ["/dashboard", hello],
  "/magic-link": ["/dashboard", hello],
  "/dashboard": hello,
  "/manage/billing": "Billing",
  "/manage/export": "Export",
  "/manage/versions": "Versions",
  "/account/change-plan": "Choose a plan",
};
const readers: Record<string, Promised> = {
  "the owner": owners,
  "the owner, whose workspace is deleted": owners,
  "a visitor": {
    ...forAll,
    ...again,
    "/confirm-email": "Your email address is confirmed",
    "/login": "Welcome back",
    "/magic-link": ["/login/continue", "Continue as ada?"],
  },
  "another user": {
    ...owners,
    "/confirm-email": "Your email address is confirmed",
    "/magic-link": ["/login/continue", "Continue as ada?"],
    "/dashboard": "Hello, Bob",
    "/login": ["/dashboard", "Hello, Bob"],
    // Who pays nothing has no billing.
    "/manage/billing": ["/manage", "Settings"],
  },
  "a reader who comes too late": {
    ...again,
    "/confirm-email": "The email address could not be confirmed",
    "/reset-password": "Choose a new password",
    "/forgot-password": "Forgot your password?",
    "/change-email": "The email address could not be changed",
    "/login": "Welcome back",
    "/magic-link": "Sign in without a password",
  },
};

async function become(reader: string): Promise<PanelPerson> {
  const { visitor } = panel;
  visitor.answers = reader === "a reader who comes too late" ? expired : works;
  if (reader === "another user") return panel.signIn({ user: { id: newId(), fullName: "Bob", email: "bob@example.com", username: "bob" } });
  if (!reader.startsWith("the owner")) return visitor;
  const owner = panel.signIn();
  keepBackups(owner);
  await subscribe(owner, "pro-1-monthly");
  if (reader !== "the owner") owner.state.user.account.instance = null;
  return owner;
}

async function mailedLinks(): Promise<string[]> {
  const mails = await Promise.all(Object.values(everyMail(panel.url)).map((render) => render()));
  return [...new Set(mails.flatMap(linksOf))];
}

const headingOf = async (page: Page): Promise<string | null> => page.getByRole("heading", { level: 1 }).first().textContent();

test.each(Object.keys(readers))("every mailed link opens the page that it promises: %s", async (reader) => {
  const person = await become(reader);
  if (person !== panel.visitor) person.answers = { ...person.answers, ...works };
  const promised = readers[reader]!;
  const links = await mailedLinks();
  expect(links.map((link) => new URL(link).pathname).toSorted()).toEqual(Object.keys(promised).toSorted());
  const context = await panel.contextFor(browser, person === panel.visitor ? undefined : person);
  onTestFinished(() => context.close());
  for (const link of links) {
    const { pathname } = new URL(link);
    const page = await context.newPage();
    const { [pathname]: wanted = "" } = promised;
    const [path, heading] = typeof wanted === "string" ? [pathname, wanted] : wanted;
    await page.goto(link);
    await expect.poll(() => headingOf(page), { message: link }).toBe(heading);
    expect(
      page
        .url()
        .slice(panel.url.length)
        .split("#")[0]!
        .replace(/[?&](token|code)=[^&]*$/, ""),
      link,
    ).toBe(path);
    await page.close();
  }
});

test("a visitor who signs in arrives at the page that the mail named", async () => {
  const owner = panel.signIn();
  keepBackups(owner);
  await subscribe(owner, "pro-1-monthly");
  panel.visitor.answers = { logIn: () => ({ token: owner.token, user: owner.state.user }) };
  for (const path of Object.keys(again)) {
    const context = await panel.contextFor(browser);
    const page = await context.newPage();
    await page.goto(panel.url + path);
    await page.getByLabel("Account name or email").fill("ada");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(panel.url + path);
    await expect.poll(() => headingOf(page), { message: path }).toBe(owners[path]);
    await context.close();
  }
});

test("a link to a new password that has expired says so and leads to a new one", async () => {
  panel.visitor.answers = expired;
  const context = await panel.contextFor(browser);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${panel.url}/reset-password?token=a-token#ada%40example.com`);
  await page.getByLabel("New password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Save new password" }).click();
  await page.getByRole("link", { name: "Request a new link" }).click();
  await page.waitForURL(`${panel.url}/forgot-password`);
});
