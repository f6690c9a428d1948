/** The sign-up in the promised order: begun on one device, left, and finished on another. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SkippableStep } from "#contract/accounts/account-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";

let slipway: Slipway;
let browser: Browser;
const contexts: BrowserContext[] = [];
const watches: PageWatch[] = [];

beforeAll(async () => {
  slipway = await startSlipway();
  browser = await launchBrowser();
});
afterEach(async () => {
  const trouble = watches.splice(0).flatMap((watch) => watch.trouble());
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  expectNone(trouble);
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

function expectNone(trouble: readonly string[]): void {
  expect(trouble, "no page of the panel logged an error or called another machine").toEqual([]);
}

const wide = { width: 1440, height: 900 };
const small = { width: 390, height: 844 };

/** A new device, on which the visitor is signed in, if one is given. */
async function openDevice(viewport: { width: number; height: number }, visitor?: Customer): Promise<Page> {
  const context = await browser.newContext({ viewport, timezoneId: "Europe/Berlin" });
  contexts.push(context);
  context.setDefaultTimeout(pageTimeoutMs);
  if (visitor) await context.addCookies(sessionCookies(visitor.token, slipway.url));
  watches.push(await watchPages(context, `${slipway.url}/`));
  return context.newPage();
}

/** The same person with another session, for another device. */
async function signInAgain(visitor: Customer): Promise<Customer> {
  const answer = await slipway.call("POST", "/api/auth/login", { body: { login: visitor.accountName, password: visitor.password } });
  return { ...visitor, token: answer.json<{ token: string }>().token };
}

/** Makes a call as a step's page does. */
async function send({ token }: Customer, path: string, body: object): Promise<void> {
  const answer = await slipway.call("POST", path, { token, body });
  expect(answer.status, answer.text).toBe(200);
}
const answerSurvey = (visitor: Customer) => send(visitor, "/api/personalization-survey/answer", { codingSkills: 3 });
const slackAndSheets = { apps: ["n8n-nodes-base.slack", "n8n-nodes-base.googleSheets"] };
async function skip(visitor: Customer, ...steps: SkippableStep[]): Promise<void> {
  for (const step of steps) await send(visitor, "/api/account/onboarding/skip", { step });
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();

/** Registers by the form, which a link with templates has opened. */
async function registerByTemplate(page: Page, accountName: string): Promise<Customer> {
  const email = `ada@${accountName}.example.com`;
  const password = "correct horse battery";
  await page.goto(`${slipway.url}/register?templateId=1954&templateId=2`);
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("Account name").fill(accountName);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Confirm email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/account/survey");
  const { value: token } = (await page.context().cookies(slipway.url)).find(({ name }) => name === "token")!;
  return { accountName, email, password, token };
}

test("the rest is resumed on another device, by signing in there", async () => {
  const visitor = await slipway.register();
  await answerSurvey(visitor);
  const phone = await openDevice(small);
  await phone.goto(`${slipway.url}/login`);
  await phone.getByLabel("Account name or email").fill(visitor.accountName);
  await phone.getByLabel("Password", { exact: true }).fill(visitor.password);
  await phone.getByRole("button", { name: "Sign in" }).click();
  await heading(phone, "Finish setting up your workspace");
  const steps = phone.getByRole("list", { name: "Sign-up" });
  await expect.poll(() => steps.getByRole("listitem").filter({ hasText: "Tell us about you" }).innerText()).toContain("(done)");
  await expect.poll(() => phone.getByRole("link", { name: "Set up workspace" }).count()).toBe(0);
  await expectAccessible(phone);
  await phone.getByRole("link", { name: "Choose apps" }).click();
  await phone.waitForURL("**/account/apps");
});

test("the apps chosen on the phone are on the laptop; a skipped step is skipped on every device, and can still be done", async () => {
  const visitor = await slipway.register();
  await answerSurvey(visitor);
  const phone = await openDevice(small, await signInAgain(visitor));
  await phone.goto(`${slipway.url}/dashboard`);
  await sendFrom(phone, "/api/account/selected-apps", slackAndSheets);
  await sendFrom(phone, "/api/account/onboarding/skip", { step: "invite" });
  const laptop = await openDevice(wide, visitor);
  await laptop.goto(`${slipway.url}/account/apps`);
  await laptop.getByText("2 apps chosen").waitFor();
  await laptop.goto(`${slipway.url}/dashboard`);
  await laptop.getByRole("link", { name: "Confirm email" }).waitFor();
  const invite = laptop.getByRole("list", { name: "Sign-up" }).getByRole("listitem").filter({ hasText: "Invite teammates" });
  await expect.poll(() => invite.innerText()).toContain("skipped");
  await expectAccessible(laptop);
  await invite.getByRole("link").click();
  await laptop.waitForURL("**/invite-teammate");
});

/** Like a step's own button. */
async function sendFrom(device: Page, path: string, body: object): Promise<void> {
  const status = await device.evaluate(
    async ([to, sent]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(to, { method: "POST", headers, body: sent })).status;
    },
    [path, JSON.stringify(body)] as const,
  );
  expect(status).toBe(200);
}

test("confirming on the phone lets the waiting laptop continue automatically to the setup", async () => {
  const visitor = await slipway.register();
  await skip(visitor, "survey", "apps", "invite");
  const { email, password } = visitor;
  const laptop = await openDevice(wide, visitor);
  const phone = await openDevice(small, await signInAgain(visitor));
  await laptop.goto(`${slipway.url}/verify-email`);
  await expectAccessible(laptop);
  await laptop.getByRole("button", { name: "Change address" }).click();
  await laptop.getByRole("dialog", { name: "Change email" }).waitFor();
  await expectAccessible(laptop);
  // The address with the typo is there to be corrected.
  expect(await laptop.getByLabel("New email").inputValue()).toBe(email);
  await laptop.getByLabel("New email").fill(`right-${email}`);
  await laptop.getByLabel("Current password").fill(password);
  await laptop.keyboard.press("Enter");
  await laptop.getByRole("main").getByText(`right-${email}`, { exact: true }).waitFor();
  await laptop.getByRole("dialog").waitFor({ state: "detached" });
  await phone.goto(await slipway.newestLink(`right-${email}`));
  await phone.waitForURL("**/account/setup");
  await laptop.waitForURL("**/account/setup");
  await expectAccessible(laptop);
});

test("at the end the template of the first link is what opens", async () => {
  const visitor = await registerByTemplate(await openDevice(wide), "first-link");
  await skip(visitor, "survey", "apps", "invite");
  await slipway.confirm(visitor);
  const phone = await openDevice(small, await signInAgain(visitor));
  await phone.goto(`${slipway.url}/account/setup`);
  await phone.getByRole("button", { name: "Launch workspace" }).click();
  await phone.waitForURL("**/account/launching");
  await heading(phone, "Your workspace is now online.");
  await expectAccessible(phone);
  const asked = phone.waitForRequest(/\/api\/instance\/url/);
  await phone.getByRole("button", { name: "Open your template" }).click();
  expect(new URL((await asked).url()).searchParams.get("path")).toBe("/templates/1954/setup");
  await phone.getByRole("button", { name: "Open workspace" }).waitFor();
  await phone.reload();
  await phone.getByRole("button", { name: "Open workspace" }).waitFor();
  await expect.poll(() => phone.getByRole("button", { name: "Open your template" }).count()).toBe(0);
});
