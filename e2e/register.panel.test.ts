/** The registration form: the promised rules with their messages, the name question, the challenge, and nothing typed lost. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { PageWatch } from "#testing/browser/watch-page.ts";
import { badRegistrations, goodRegistrations, type RegistrationField } from "#testing/accounts/registration-rules.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { registerAnswers, type Taken } from "#testing/panel/register-answers.ts";
import { servePanel, type PanelServer } from "#testing/panel/serve-panel.ts";

let panel: PanelServer;
let browser: Browser;
let context: BrowserContext & { watch: PageWatch };
let page: Page;
/** What other people have registered. */
let taken: Taken;

beforeAll(async () => {
  const links = {
    status: "https://status.example.com",
    impressum: "https://example.com/impressum",
    privacy: "https://example.com/privacy",
    terms: "https://example.com/terms",
  };
  // With all that an installation for development adds to the page.
  const shown = { links, developmentInbox: true, sandbox: true };
  [panel, browser] = await Promise.all([servePanel({ panel: { ...shown, hasFrontPage: true } }), launchBrowser()]);
  Object.assign(panel.visitor.state.config, shown, { workspaceHost: new URL(panel.url).host });
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  taken = { accountNames: new Set(), emails: new Set() };
  panel.visitor.answers = registerAnswers(panel, taken);
  context = await panel.contextFor(browser, undefined, { width: 1440, height: 1000 });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expectAnswered(panel);
});

async function openForm(): Promise<void> {
  await page.goto(`${panel.url}/register`);
  await box().waitFor();
}

const labels: Record<RegistrationField, string> = {
  fullName: "Full name",
  accountName: "Account name",
  email: "Email",
  emailConfirmation: "Confirm email",
  password: "Password",
  challenge: "I am human",
};
const field = (name: RegistrationField): Locator => page.getByLabel(labels[name], { exact: true });
const box = () => field("challenge");
const submit = () => page.getByRole("button", { name: "Create account" });

/** The error beside a field; empty if there is none. */
const errorOf = (name: RegistrationField): Promise<string> =>
  field(name).evaluate((input) => {
    const ids = input.getAttribute("aria-describedby")?.split(" ") ?? [];
    const error = ids.find((id) => id.endsWith("-error"));
    return (error && document.getElementById(error)?.textContent) || "";
  });
const expectError = (name: RegistrationField, message: string) =>
  expect.poll(() => errorOf(name), { message: `${name}: ${message}` }).toBe(message);

let people = 0;
async function fillGood(changes: Partial<Record<RegistrationField, string>> = {}): Promise<Record<string, string>> {
  people += 1;
  const email = `grace${people}@example.com`;
  const values = {
    fullName: "Grace Hopper",
    accountName: `grace-${people}`,
    email,
    emailConfirmation: changes.email ?? email,
    password: "correct horse battery",
    ...changes,
  };
  for (const [name, value] of Object.entries(values)) await field(name as RegistrationField).fill(value);
  return values;
}

test("the cursor is in the first field, and the name becomes the address", async () => {
  await openForm();
  await expect.poll(() => field("fullName").evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("Grace Brewster Hopper");
  await expect.poll(() => field("accountName").inputValue()).toBe("grace-brewster-hopper");
  await page.getByText(`grace-brewster-hopper.${new URL(panel.url).host}`).waitFor();
});

test("the picture of the product has its space reserved before it arrives: nothing moves", async () => {
  const gate = Promise.withResolvers<void>();
  await page.route("**/*.webp", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await openForm();
  // The settings and the fonts are there.
  await page.getByText("Development mode").waitFor();
  // Each face separately, because `ready` does not wait for one whose text has no layout yet.
  await page.evaluate(async () => void (await Promise.allSettled([...document.fonts].map((face) => face.load()))));
  const picture = page.getByRole("img", { name: "A workflow in the editor" });
  const places = async () => [await field("fullName").boundingBox(), await picture.boundingBox()];
  const before = await places();
  gate.resolve();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(1200);
  expect(await places()).toEqual(before);
});

test("the front page shows visitors the product and the plans that are sold, and leads to registering; in German, too", async () => {
  await page.goto(`${panel.url}/`);
  await page.getByRole("heading", { level: 1, name: "Your own n8n, online in minutes" }).waitFor();
  const plans = page.getByRole("region", { name: "Plans" });
  const first = plans.getByRole("listitem").first();
  await first.getByRole("heading", { name: "Starter" }).waitFor();
  const monthly = await first.innerText();
  await plans.getByText("Yearly").click();
  await expect.poll(() => first.innerText()).not.toBe(monthly);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("heading", { level: 1, name: "Ihr eigenes n8n, in Minuten online" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Testen", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Konto erstellen" }).waitFor();
  expect(context.watch.trouble()).toEqual([]);
});

test("a front page without plans says so, and shows them once they come", async () => {
  await page.route("**/api/v1/paddle/plans", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto(`${panel.url}/`);
  await page.getByText("failed to load plans").waitFor();
  await page.unrouteAll();
  await page.getByRole("region", { name: "Plans" }).getByRole("heading", { name: "Starter" }).waitFor();
});

test("no rule is shown before its field was left, and afterwards while typing", async () => {
  await openForm();
  await field("accountName").pressSequentially("1A");
  expect(await errorOf("accountName")).toBe("");
  await field("accountName").blur();
  await expectError("accountName", "The account name must have 3 to 25 characters.");
  // The page itself put the cursor there.
  expect(await errorOf("fullName")).toBe("");
  await field("accountName").pressSequentially("bc");
  await expectError("accountName", "Use lowercase letters, digits and '-' only.");
  await field("accountName").fill("abc");
  await expectError("accountName", "");
});

test("each bad value is explained beside its field in the promised words, each good one is accepted", async () => {
  await openForm();
  for (const { field: name, value, message } of badRegistrations.filter(({ field: about }) => about !== "challenge")) {
    // A key that is missing from a call is an empty field here.
    await field("email").fill(name === "email" ? (value ?? "") : "ada@example.com");
    await field(name).fill(value ?? "");
    await field(name).blur();
    await expectError(name, message);
  }
  for (const [name, value] of goodRegistrations) {
    await field(name).fill(value);
    await expectError(name, "");
  }
  expect(context.watch.trouble()).toEqual([]);
});

test("a submission with everything wrong says all of it and puts the focus on the first field", async () => {
  await openForm();
  await submit().click();
  for (const [name, message] of [
    ["fullName", "Enter your full name."],
    ["accountName", "Choose an account name."],
    ["email", "Enter your email address."],
    ["password", "Enter a password."],
    ["challenge", "Please check the checkbox."],
  ] as const)
    await expectError(name, message);
  await expect.poll(() => field("fullName").evaluate((input) => input === document.activeElement)).toBe(true);
  await expectAccessible(page);
});

test("the unchecked box alone blocks the form; the keyboard is enough to check it and continue", async () => {
  await openForm();
  await fillGood();
  await field("password").press("Enter");
  await expectError("challenge", "Please check the checkbox.");
  await expect.poll(() => box().evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.press("Space");
  await expectError("challenge", "");
  await expectAccessible(page);
  // The agreement comes before the button, so that it is read first.
  for (const next of [
    page.getByRole("link", { name: "terms of service" }),
    page.getByRole("link", { name: "privacy policy" }),
    page.getByRole("button", { name: "Create account" }),
  ]) {
    await page.keyboard.press("Tab");
    await expect.poll(() => next.evaluate((element) => element === document.activeElement)).toBe(true);
  }
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname !== "/register");
  expect(context.watch.trouble()).toEqual([]);
});

test("a name is checked once typing pauses, and shown as free or taken", async () => {
  await openForm();
  const name = "ada-71";
  taken.accountNames.add(name);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/auth/account-name/") && asked.push(request.url().split("/").pop()!));
  // Within one task, because between two keys a busy machine pauses for longer than the form waits.
  await field("accountName").evaluate((input: HTMLInputElement, text) => {
    const type = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
    for (let length = 1; length <= text.length; length += 1) {
      type.call(input, text.slice(0, length));
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, "quick-typist");
  await page.getByText("Available", { exact: true }).waitFor();
  expect(asked).toEqual(["quick-typist"]);
  await field("accountName").fill(name);
  await expectError("accountName", "This account name is already taken.");
  const other = "ada-72";
  await page.getByRole("button", { name: `Use ${other} instead` }).click();
  await page.getByText("Available", { exact: true }).waitFor();
  expect(await field("accountName").inputValue()).toBe(other);
  await expectError("accountName", "");
  await field("accountName").fill("admin");
  await expectError("accountName", "This account name is already taken.");
});

test("a name that someone else took meanwhile is no longer called available, and another one is offered", async () => {
  await openForm();
  await fillGood({ accountName: "overtaken" });
  await page.getByText("Available", { exact: true }).waitFor();
  taken.accountNames.add("overtaken");
  await box().check();
  await submit().click();
  await expectError("accountName", "This account name is already taken.");
  await page.getByText("Taken", { exact: true }).waitFor();
  await expect.poll(() => page.getByText("Available", { exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Use overtaken-2 instead" }).click();
  await expectError("accountName", "");
});

test("an address in use is refused at its field; nothing typed is lost, and the next attempt solves a new challenge automatically", async () => {
  await openForm();
  const email = "ada@example.com";
  taken.emails.add(email);
  const values = await fillGood({ email });
  await box().check();
  await submit().click();
  await expectError("email", "There is already an account with this email address. Sign in instead?");
  expect(await field("accountName").inputValue()).toBe(values["accountName"]);
  expect(await field("password").inputValue()).toBe(values["password"]);
  await field("email").fill("someone-else@example.com");
  await field("emailConfirmation").fill("someone-else@example.com");
  await submit().click();
  await page.waitForURL((url) => url.pathname !== "/register");
});

test("a commonly guessed password is refused at its field; nothing typed is lost, and another one is accepted", async () => {
  await openForm();
  const values = await fillGood({ password: "password123" });
  await box().check();
  for (const [password, message] of [
    ["password123", "This password is too common. Please choose another."],
    [`${values["accountName"]}-2024`, "This password is too similar to your name or email address. Please choose another."],
  ] as const) {
    await field("password").fill(password);
    await submit().click();
    await expectError("password", message);
    await expect.poll(() => field("password").evaluate((input) => input === document.activeElement)).toBe(true);
  }
  for (const name of ["fullName", "accountName", "email", "emailConfirmation"] as const)
    expect(await field(name).inputValue()).toBe(values[name]);
  await expectAccessible(page);
  await field("password").fill("correct horse battery");
  await expectError("password", "");
  await submit().click();
  await page.waitForURL((url) => url.pathname !== "/register");
});

test("a challenge that cannot be loaded says so, and can be loaded again", async () => {
  await context.route("**/api/auth/challenge", (route) => route.abort());
  await page.goto(`${panel.url}/register`);
  await page.getByText("The check could not be loaded").waitFor();
  await field("fullName").fill("Grace Hopper");
  await expectAccessible(page);
  await context.unroute("**/api/auth/challenge");
  await page.getByRole("button", { name: "Try again" }).click();
  await box().waitFor();
  expect(await field("fullName").inputValue()).toBe("Grace Hopper");
});

test("an answer that the service refuses asks for the box again", async () => {
  await openForm();
  await fillGood();
  await context.route("**/api/auth/register", (route) =>
    route.continue({ postData: JSON.stringify({ ...(route.request().postDataJSON() as object), challenge: "e30=" }) }),
  );
  await box().check();
  await submit().click();
  await expectError("challenge", "The verification failed. Please check the checkbox again.");
  await expect.poll(() => box().isChecked()).toBe(false);
  await context.unroute("**/api/auth/register");
  await box().check();
  await submit().click();
  await page.waitForURL((url) => url.pathname !== "/register");
});

test("what looks like a script is shown as text, in the form and after it", async () => {
  await openForm();
  const script = `<img src=x onerror="window.hacked=1">`;
  for (const name of ["fullName", "accountName", "email", "emailConfirmation", "password"] as const) await field(name).fill(script);
  await field("password").blur();
  await page.getByText(`${script}.localhost`).waitFor();
  await fillGood({ fullName: "javascript(alert'1') %3Cimg%3E", email: "o'+alert+1@example.com" });
  await box().check();
  await submit().click();
  await page.waitForURL((url) => url.pathname !== "/register");
  await page.goto(`${panel.url}/dashboard`);
  await page.getByText("javascript(alert'1') %3Cimg%3E").first().waitFor();
  expect(await page.evaluate(() => [(window as { hacked?: number }).hacked, document.querySelectorAll("img[onerror]").length])).toEqual([
    undefined,
    0,
  ]);
});

test("the form fits a laptop's screen, and a phone's but for its footer", async () => {
  await openForm();
  await page.setViewportSize({ width: 1440, height: 900 });
  await fillGood();
  await page.getByText("Available", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900);
  await page.reload();
  await page.setViewportSize({ width: 390, height: 844 });
  await box().waitFor();
  // There is nothing to confirm before an address was typed, but autofill and the keyboard reach the field.
  const height = () => field("emailConfirmation").evaluate((input) => input.parentElement!.parentElement!.offsetHeight);
  await expect.poll(height).toBeLessThanOrEqual(1);
  expect(await field("emailConfirmation").evaluate((input) => input.checkVisibility())).toBe(true);
  await field("email").focus();
  await page.keyboard.press("Tab");
  await expect.poll(height).toBeGreaterThan(40);
  await page.keyboard.press("Shift+Tab");
  await page.reload();
  await box().waitFor();
  const bottom = async () => {
    const button = (await submit().boundingBox())!;
    return button.y + button.height;
  };
  await expect.poll(bottom).toBeLessThanOrEqual(844);
  await field("email").fill("ada@example.com");
  await page.keyboard.press("Tab");
  await expect.poll(() => field("emailConfirmation").evaluate((input) => input === document.activeElement)).toBe(true);
});

test("the form is complete and accessible on a small screen", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openForm();
  await box().check();
  await page.getByText("Verified.").waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

test("a browser without storage gets the defaults and a warning, and the form works", async () => {
  const warnings: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("forbidden", "SecurityError");
      },
    }),
  );
  await openForm();
  await fillGood();
  await box().check();
  await submit().click();
  await page.waitForURL((url) => url.pathname !== "/register");
  expect(warnings.join()).toContain("Browser storage is not available; defaults are used.");
});

test("the language is remembered for a year", async () => {
  await openForm();
  const cookie = (await context.cookies()).find(({ name }) => name === "language");
  expect(cookie).toMatchObject({ value: "en", path: "/", sameSite: "Lax" });
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeCloseTo(365, 0);
});

test("a tester chooses another variant for this browser, and undoes that", async () => {
  await page.goto(`${panel.url}/dev/experiments`);
  await page.getByRole("radio", { name: "variant", exact: true }).check();
  await expectAccessible(page);
  await page.reload();
  await expect.poll(() => page.getByRole("radio", { name: "variant", exact: true }).isChecked()).toBe(true);
  await page.getByRole("radio", { name: "As assigned" }).check();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("slipway.experiment-overrides"))).toBe("{}");
});
