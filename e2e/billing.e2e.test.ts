/** The life of subscriptions, by the service's clock, in a browser: what is sold, paid, changed, missed and ended. */
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { stretchedKey } from "#apps/web/src/lib/browser/language.ts";
import type { User } from "#contract/accounts/account.ts";
import type { ChangePreview } from "#contract/billing/billing.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { stepFrom } from "#domain/journeys/move-clock/move-clock.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { settledShifts, watchShifts } from "#testing/browser/watch-shifts.ts";

let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let owner: Customer;

beforeAll(async () => {
  [slipway, browser] = await Promise.all([startSlipway({ env: { SUPPORT_EMAIL: "support@example.com" } }), launchBrowser()]);
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

const open = (path: string) => page.goto(slipway.url + path);
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole("button", { name, exact: typeof name === "string" });
const link = (name: string | RegExp) => page.getByRole("link", { name, exact: typeof name === "string" });
const see = (words: string | RegExp) => page.getByText(words).first().waitFor();
const heading = (name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
const section = (name: string) => page.getByRole("region", { name, exact: true });

/** A customer on a new trial, whose workspace is online. */
async function startTrial(): Promise<Customer> {
  const customer = await slipway.launch();
  await slipway.until(customer, ({ status }) => status === instanceStatus.online);
  return customer;
}

/** Submits a page of the sandbox, which leads on to another. */
async function submit(url: string, fields: Record<string, string>): Promise<string> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await ask(url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  expect(answer.status, answer.text).toBe(303);
  return answer.headers.location!;
}

/** Makes a call as the panel does, which succeeds. */
async function callAs<Body>({ token }: Customer, method: string, path: string, body: object): Promise<Body> {
  const answer = await slipway.call(method, path, { token, body, headers: { "idempotency-key": randomUUID() } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Body>();
}

const form = { expiry: "12 / 40", cvc: "123", name: "Ada Lovelace", country: "DE" };

/** A customer who has paid for a plan, from Germany: with a card that needs 3-D Secure for its first payment, unless another is given. */
async function startSubscription(planId: string, number = "4000002500003155"): Promise<Customer> {
  const customer = await startTrial();
  const payLink = `/api/v1/paddle/plan/${planId}/generatePayLink`;
  const { url } = await callAs<{ url: string }>(customer, "POST", payLink, { currency: "USD" });
  const { due } = (await ask(`${url}/price?country=DE`)).json<{ due: number }>();
  const next = await submit(url, { ...form, number, shown: String(due) });
  if (next.startsWith("/sandbox/challenge/")) await submit(slipway.url + next, { answer: "confirm" });
  const { user } = await callAs<{ user: User }>(customer, "POST", "/api/account/complete-checkout", { planId });
  expect(user.account.billing).toMatchObject({ status: "active", planId });
  // Until then the payment's events may change the subscription once more, and a preview would be outdated.
  await untilSettled();
  return customer;
}

async function changePlan(customer: Customer, planId: string): Promise<void> {
  const { preview } = await callAs<{ preview: ChangePreview }>(customer, "POST", "/api/account/plan/change/preview", { planId });
  await callAs(customer, "POST", "/api/account/plan/change", { planId, previewId: preview.previewId });
  await untilSettled();
}

/** Opens a new browser in which the customer is signed in. */
async function enter(customer: Customer): Promise<void> {
  owner = customer;
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  page = await context.newPage();
}

const clockState = async () => (await slipway.call("GET", "/api/dev/clock")).json<{ now: string; settled: boolean }>();
/** Waits until everything that is due was done; not with `expect.poll`, which works only inside a test. */
const untilSettled = () =>
  vi.waitFor(async () => expect((await clockState()).settled).toBe(true), { timeout: 3 * minuteMs, interval: 250 });

/**
 * Moves the service's clock and waits until everything that fell due was done. A month at a time, because one call processes what it can in
 * 25 s and the rest after the clock has reached its target, which on a busy machine would be out of order.
 */
async function advance(step: string): Promise<void> {
  const units = [
    [dayMs, "d"],
    [hourMs, "h"],
    [minuteMs, "m"],
  ] as const;
  const target = stepFrom(new Date((await clockState()).now), step).getTime();
  for (;;) {
    const leftMs = target - Date.parse((await clockState()).now);
    if (leftMs <= 0) return;
    const [unitMs, unit] = units.find(([ms]) => leftMs >= ms) ?? [secondMs, "s"];
    const count = Math.max(1, Math.min(30, Math.floor(leftMs / unitMs)));
    const answer = await slipway.call("POST", "/api/dev/clock", { body: { advance: `${count}${unit}` } });
    expect(answer.status, answer.text).toBe(200);
    await untilSettled();
  }
}

/** Answers a call with a refusal in the API's place, until `restore`. */
const refuse = (call: RegExp, status: number, code: string, detail = "") =>
  page.route(call, (route) => route.fulfill({ status, json: { status, code, title: code, detail } }));
const restore = () => page.unrouteAll({ behavior: "ignoreErrors" });

/** Fills in a card of the sandbox, on whichever of its pages is open. */
async function enterCard(title: RegExp): Promise<void> {
  await button(title).click();
  await expect.poll(() => page.getByLabel("Card number").inputValue()).not.toBe("");
  await page.getByLabel("Name on card").fill("Ada Lovelace");
}

/** Changes the card on the provider's page and comes back. */
async function changeCard(title: RegExp): Promise<void> {
  await button("Change card").first().click();
  await page.waitForURL("**/sandbox/card/**");
  await enterCard(title);
  await page.locator("#submit").click();
  await page.waitForURL("**/manage/billing");
}

/** Opens the confirmation of a plan. */
async function choose(planId: string): Promise<void> {
  await open(`/account/change-plan?plan=${planId}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

// These tests move the clock, and with it the life of every customer: they come first, while there are few.
test("a trial shows its remaining days in the header, and warns of its end", async () => {
  await enter(await startTrial());
  await open("/dashboard");
  const header = page.getByRole("banner");
  await header.getByText("14 days left in trial").waitFor();
  await advance("12d");
  await open("/dashboard");
  await header.getByText("2 days left in trial").waitFor();
  await header.getByRole("link", { name: "Upgrade plan" }).click();
  await page.waitForURL("**/account/change-plan");
  await heading("Choose a plan");
});

test("after a trial plans are offered, never a subscription to resume", async () => {
  await enter(await startTrial());
  await advance("15d");
  await open("/manage/billing");
  await page.waitForURL("**/manage");
  await page.getByRole("banner").getByRole("link", { name: "Upgrade plan" }).click();
  await heading("Choose a plan");
  await heading("Compare plans");
  await expect.poll(() => page.getByRole("button", { name: "Resubscribe" }).count()).toBe(0);
});

test("a card that fails at the renewal makes the subscription past due: it shows the dates of the next attempts, and allows no change of plan before it is paid", async () => {
  await enter(await startSubscription("pro-1-yearly"));
  await open("/manage/billing");
  await refuse(/\/payment-information(\/change)?$/, 409, "subscription_not_found");
  await page.reload();
  await see("Your payment information could not be loaded.");
  await restore();
  await page.reload();
  await changeCard(/later renewals lack funds/);
  await section("Payment method").getByText("Visa •••• 0341").waitFor();
  await advance("12mo");
  await open("/dashboard");
  const notices = page.getByRole("region", { name: "Notices" });
  await notices.getByText("Your last payment failed").waitFor();
  await page.getByRole("banner").getByRole("link", { name: "Change plan" }).click();
  await page.waitForURL("**/manage/billing");
  await see("Please update your billing information first, then change your plan.");
  await open("/account/change-plan");
  await page.waitForURL("**/manage/billing");
  await expect
    .poll(() =>
      page
        .getByRole("list", { name: "Attempts" })
        .getByText(/^Next attempt on /)
        .count(),
    )
    .toBeGreaterThan(0);
  await expectAccessible(page);
  await see(/^\$714\.00 USD is due\. Pay it now with Visa ending in 0341/);
  await button("Pay $714.00 USD now").click();
  await see("The payment did not go through");
  await changeCard(/Mastercard, pays/);
  await section("Plan").getByText("Active", { exact: true }).waitFor();
  await section("Payment method").getByText("Mastercard •••• 4444").waitFor();
  await expect.poll(() => page.getByText("Your last payment failed").count()).toBe(0);
});

test("a paused subscription says what resubscribing charges, from which card and when next, and takes another card first", async () => {
  await enter(await startSubscription("pro-1-yearly"));
  await open("/manage/billing");
  await changeCard(/later renewals lack funds/);
  await advance("12mo");
  await advance("8d");
  await open("/manage/billing");
  await see("Your subscription is paused");
  await button("Use another card").waitFor();
  await button("Resubscribe").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Resubscribe to Pro 10K?" }).waitFor();
  const facts = dialog.getByRole("definition");
  await facts.getByText("$714.00 USD", { exact: true }).waitFor();
  await facts.getByText("Visa ending in 0341").waitFor();
  await facts.getByText(/^\$714\.00 USD on \w+ \d+, \d{4}$/).waitFor();
  await expectAccessible(page);
  await button("Pay $714.00 USD and resubscribe", dialog).click();
  await dialog.getByText("Resubscribing failed.").waitFor();
  await button("Use another card", dialog).click();
  await page.waitForURL("**/sandbox/card/**");
  await enterCard(/Mastercard, pays/);
  await page.locator("#submit").click();
  await page.waitForURL("**/manage/billing");
  await button("Resubscribe").click();
  await facts.getByText("Mastercard ending in 4444").waitFor();
  await button("Pay $714.00 USD and resubscribe", dialog).click();
  await see("You are subscribed again. Welcome back.");
  await section("Plan").getByText("Active", { exact: true }).waitFor();
});

test("a subscription that ends stops the workspace, and then deletes it", async () => {
  await enter(await startSubscription("pro-1-yearly"));
  await open("/manage/billing");
  const dialog = page.getByRole("dialog");
  const cancel = async () => {
    await button("Cancel subscription").click();
    await dialog.getByLabel(/^Type /).fill(owner.accountName);
    await button("Cancel the subscription", dialog).click();
    await dialog.waitFor({ state: "detached" });
  };
  // First undone from its message.
  await cancel();
  await button("Undo").click();
  await see("The cancellation is undone.");
  await cancel();
  await advance("366d");
  await open("/manage/billing");
  await see("Your subscription has ended");
  await see(/Unless you resubscribe, your workspace is deleted on /);
  await expectAccessible(page);
  await page.getByRole("banner").getByRole("link", { name: "Resubscribe" }).click();
  await page.waitForURL("**/account/change-plan");
  await see("Resubscribe to Pro 10K, your previous plan, or choose another one below.");
  await expectAccessible(page);
  await open("/manage/billing");
  await button("Resubscribe").click();
  await page
    .getByRole("dialog")
    .getByText(/^\$[\d,.]+ USD plus your country's sales tax/)
    .waitFor();
  await expectAccessible(page);
  await button("Continue to payment").click();
  await page.waitForURL("**/sandbox/checkout/**");
  await advance("8d");
  const isGone = async () => {
    const answer = await slipway.call("GET", "/api/instance", { token: owner.token });
    return answer.status === 404 || answer.json<{ isBeingDeleted: boolean }>().isBeingDeleted;
  };
  await expect.poll(isGone, { timeout: 3 * minuteMs }).toBe(true);
  await open("/dashboard");
  await page.getByRole("banner").getByRole("link", { name: "Resubscribe" }).waitFor();
});

describe("on a trial, before anything is paid", () => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await startTrial();
  });
  beforeEach(() => enter(customer));

  test("plans are offered monthly and yearly, in the customer's currency, and compared; others are requested by mail", async () => {
    await open("/account/change-plan");
    await heading("Compare plans");
    await see("$24");
    await page.getByLabel("Currency").selectOption("EUR");
    await see("€22");
    await page.getByText("Yearly").click();
    await see("€220");
    await expect.poll(() => page.getByRole("list").getByRole("heading", { level: 2 }).allInnerTexts()).toEqual(["Starter", "Pro"]);
    // Two sizes of a plan are one offer, which says for each what it costs and changes.
    const larger = page.getByRole("listitem", { name: "Pro", exact: true });
    await larger.getByText("10,000 executions a month").waitFor();
    await larger.getByRole("radio", { name: "50K" }).press("Space");
    await larger.getByRole("link", { name: "Choose Pro 50K" }).waitFor();
    await larger.getByText("Executions a month: 50,000 instead of 1,000").waitFor();
    await larger.getByText("Starts when you pay. Everything in your workspace is kept.").waitFor();
    expect(await link("Write to us").getAttribute("href")).toBe("mailto:support@example.com?subject=Custom%20cloud%20plan%20request");
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    // On a phone the differences are shown, and the rest on request, below headings that stay in view.
    const table = page.getByRole("table", { name: "Compare plans" });
    await table.getByRole("rowheader", { name: "Log retention" }).waitFor();
    const features = await table.getByRole("rowheader").count();
    await button(/^Show all \d+ features$/).click();
    await expect.poll(() => table.getByRole("rowheader").count()).toBeGreaterThan(features);
    await table.getByRole("rowheader").last().scrollIntoViewIfNeeded();
    const headingTop = () => table.getByRole("columnheader", { name: "Starter" }).evaluate((cell) => cell.getBoundingClientRect().top);
    await page.mouse.wheel(0, 100);
    await expect.poll(headingTop).toBeGreaterThanOrEqual(0);
    await expectAccessible(page);
    // No word is wider than its cell. The one that only screen readers read is a pixel wide.
    const tooWide = () =>
      page
        .locator("th, td")
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.clientWidth > 1 && cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
        );
    await expect.poll(tooWide).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await see("€220");
  });

  test("custom quotas show their price immediately, and their limits in words", async () => {
    await open("/account/change-plan?plan=custom-monthly");
    const executions = page.getByLabel("Total monthly executions", { exact: true });
    const workflows = page.getByLabel("Total active workflows", { exact: true });
    const price = page.getByRole("status", { name: "Price" });
    await price.getByText("$140").waitFor();
    await executions.fill("60000");
    await price.getByText("$158").waitFor();
    await page.getByRole("slider", { name: /active workflows/ }).press("ArrowRight");
    await price.getByText("$159.50").waitFor();
    await expect.poll(() => workflows.inputValue()).toBe("51");
    await executions.fill("");
    await workflows.fill("9,999");
    await button("Continue").click();
    await see("Enter the total monthly executions.");
    await see("The total active workflows must be at most 500. Need more? Write to us.");
    await expect.poll(() => executions.evaluate((input) => input === document.activeElement)).toBe(true);
    await expectAccessible(page);
    await executions.fill("many");
    await see("The total monthly executions must be a whole number.");
    await executions.fill("60,500");
    await workflows.fill("50");
    await button("Continue").click();
    await heading("Confirm your subscription");
    await see("$159.80 USD, plus sales tax");
    await see("61,000 executions a month, 50 active workflows");
  });

  test("a checkout that is left behind says that nothing was charged", async () => {
    await choose("starter-monthly");
    await expectAccessible(page);
    await button("Add payment details").click();
    await page.waitForURL("**/sandbox/checkout/**");
    await link("Back").click();
    await heading("The checkout was canceled");
    await expectAccessible(page);
  });

  test("a checkout that cannot be opened says so, and an invalid address is not followed", async () => {
    await choose("starter-monthly");
    const payLink = /generatePayLink$/;
    await refuse(payLink, 409, "plan_withdrawn");
    await button("Add payment details").click();
    await see("The checkout could not be opened.");
    await expectAccessible(page);
    await restore();
    await page.route(payLink, (route) => route.fulfill({ json: { url: "javascript:document.title='followed'" } }));
    // The message of the first attempt may still be shown.
    await Promise.all([page.waitForResponse(payLink), button("Add payment details").click()]);
    await expect.poll(() => button("Add payment details").isEnabled()).toBe(true);
    await see("The checkout could not be opened.");
    expect(await page.title()).toBe("Change plan · Slipway");
    await restore();
  });

  test("an unconfirmed payment is polled 15 times, and again on request", async () => {
    const waiting = await context.newPage();
    await waiting.clock.install();
    let reads: number | null = null;
    let checks = 0;
    waiting.on("response", (response) => void (response.url().endsWith("/complete-checkout") && (reads ??= 0)));
    waiting.on("request", (request) => void (reads !== null && request.url().endsWith("/api/auth/me") && (reads += 1)));
    waiting.on(
      "request",
      (request) => void (request.method() === "HEAD" && request.url().endsWith("/api/account/billing/active") && (checks += 1)),
    );
    await waiting.goto(`${slipway.url}/account/checkout?plan=starter-monthly&result=success`);
    await waiting.getByRole("heading", { name: "Waiting for your payment" }).waitFor();
    const stillWaiting = waiting.getByRole("heading", { name: "Your payment is not confirmed yet" });
    const passTime = async () => {
      await waiting.clock.runFor(5_000);
      return stillWaiting.count();
    };
    await expect.poll(passTime, { timeout: 60_000, interval: 20 }).toBe(1);
    expect([reads, checks]).toEqual([15, 15]);
    await expectAccessible(waiting);
    await waiting.getByRole("button", { name: "Check again" }).click();
    await waiting.getByRole("heading", { name: "Waiting for your payment" }).waitFor();
    await waiting.goto(`${slipway.url}/account/checkout?plan=no-such-plan&result=success`);
    await waiting.getByRole("heading", { name: "The checkout failed" }).waitFor();
    await waiting.close();
  });
});

test("a checkout with 3-D Secure ends in an active subscription", async () => {
  await enter(await startTrial());
  await choose("starter-monthly");
  await button("Add payment details").click();
  await page.waitForURL("**/sandbox/checkout/**");
  await enterCard(/3-D Secure, first payment/);
  await page.getByLabel("Country").selectOption("DE");
  // With German tax: sooner, the service would show the new sum first instead of taking it.
  await button("Pay $28.56 USD").click();
  await button("Confirm").click();
  await page.waitForURL("**/account/checkout?**");
  await heading("Welcome to Starter");
  await expectAccessible(page);
  await link("Go to billing").click();
  await section("Plan").getByText("Starter", { exact: true }).waitFor();
  await section("Payment method").getByText("Visa •••• 3155").waitFor();
  await section("Next payment").getByText("$28.56").first().waitFor();
  await section("Plan").getByText("$24 a month, plus sales tax").waitFor();
  await section("Billing details").getByText("Germany").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), button(/^Download invoice/).click()]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  await expectAccessible(page);
});

test("the name and address on invoices are text until they are edited; wrong entries are explained, and none is lost", async () => {
  await enter(await startSubscription("starter-monthly"));
  await open("/manage/billing");
  const details = section("Billing details");
  await details.getByText("Germany").waitFor();
  expect(await details.getByRole("textbox").count()).toBe(0);
  await button("Edit billing details").press("Enter");
  await details.getByLabel("Name or company").fill("Analytical Engines");
  await details.getByLabel("VAT ID").fill("nonsense!");
  await expectAccessible(page);
  await button("Save details").click();
  await see("This is not a valid VAT ID for the selected country. Check it, or leave the field empty.");
  // Given up, and taken back.
  await details.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Edit billing details");
  await button("Undo").click();
  await expect.poll(() => details.getByLabel("Name or company").inputValue()).toBe("Analytical Engines");
  // Left and found again.
  await page.reload();
  await expect.poll(() => details.getByLabel("Name or company").inputValue()).toBe("Analytical Engines");
  await button("Sign out").click();
  await page.getByRole("alertdialog").getByText("Not saved yet: billing details.", { exact: false }).waitFor();
  await button("Stay signed in").click();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await details.getByLabel("VAT ID").fill("DE123456789");
  await details.getByLabel("Country").click();
  await page.getByLabel("Search countries").fill("germ");
  await page.keyboard.press("Enter");
  await button("Save details").click();
  await see("Saved. Future invoices show these details.");
  for (const text of ["Analytical Engines", "Germany", "DE123456789"]) await details.getByText(text).waitFor();
  await page.reload();
  await details.getByText("Analytical Engines").waitFor();
  expect(await details.getByRole("textbox").count()).toBe(0);
});

test("of two tabs the second is shown which billing details the first saved, and loses no entry; an undo does not overwrite them", async () => {
  await enter(await startSubscription("starter-monthly"));
  const address = { line1: "", line2: "", postalCode: "", city: "", country: "DE" };
  const saved = { ...address, name: "Analytical Engines", vatId: "DE123456789" };
  await callAs(owner, "PUT", "/api/account/billing/details", saved);
  await open("/manage/billing");
  const details = section("Billing details");
  const other = await context.newPage();
  await other.goto(`${slipway.url}/manage/billing`);
  const theirs = other.getByRole("region", { name: "Billing details", exact: true });
  await button("Edit billing details", other).click();
  await expect.poll(() => theirs.getByLabel("Name or company").inputValue()).toBe("Analytical Engines");
  await button("Edit billing details").click();
  await details.getByLabel("City").fill("London");
  await button("Save details").click();
  await see("Saved. Future invoices show these details.");
  // The message stays while the pointer is on it.
  await button("Undo").hover();
  await theirs.getByLabel("City").fill("Paris");
  await button("Save details", other).click();
  await other.getByText("The billing details have changed").waitFor();
  await other.getByText(/^Analytical Engines, .*London/).waitFor();
  expect(await theirs.getByLabel("City").inputValue()).toBe("Paris");
  await expectAccessible(other);
  await button("Keep what I entered", other).click();
  await button("Save details", other).click();
  await other.getByText("Saved. Future invoices show these details.").waitFor();
  await button("Undo").click();
  await see(/^This could not be undone\. It was changed in another tab/);
  await details.getByText(/Paris$/).waitFor();
  await other.close();
});

test("an invoice is a page: parties, tax and the card that paid, also in German, on a phone and on paper; no other account's is shown", async () => {
  await enter(await startSubscription("starter-monthly"));
  await open("/manage/billing");
  await section("Invoices").getByRole("link", { name: "Starter, monthly" }).click();
  await page.waitForURL("**/manage/billing/invoices/*");
  const { pathname } = new URL(page.url());
  await heading(/^Invoice \d{4}-\d{6}$/);
  await see(/^\$28\.56 paid on \w+ \d+, \d{4}$/);
  const sheet = section("Invoice");
  for (const text of ["Billed to", "Germany", "Starter, monthly", "VAT 19%", "$4.56", "Amount due"])
    await sheet.getByText(text).first().waitFor();
  await section("Payments").getByText("Visa •••• 3155").waitFor();
  await expectAccessible(page);
  const [download] = await Promise.all([page.waitForEvent("download"), button("Download PDF").click()]);
  expect(download.suggestedFilename()).toMatch(/^\d{4}-\d{6}\.pdf$/);

  const reader = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "de-DE", reducedMotion: "reduce" });
  reader.setDefaultTimeout(pageTimeoutMs);
  await reader.addCookies(sessionCookies(owner.token, slipway.url));
  await watchShifts(reader);
  const german = await reader.newPage();
  await german.goto(slipway.url + pathname);
  await german.getByRole("heading", { name: /^Rechnung \d{4}-\d{6}$/ }).waitFor();
  const inGerman = german.getByRole("region", { name: "Rechnung", exact: true });
  for (const text of ["Leistungszeitraum", "Deutschland", "Starter, monatlich", "USt. 19 %", /^28,56\s\$$/])
    await inGerman.getByText(text).first().waitFor();
  await expect.poll(() => german.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // On a busy machine a late font moves lines now and then; what the page does itself moves them every time.
  const moved = async () => {
    await german.reload();
    await inGerman.getByText("Gesamtbetrag").waitFor();
    return (await settledShifts(german)).said;
  };
  await expect.poll(moved, { timeout: 60_000 }).toEqual([]);
  await expectAccessible(german);
  await german.emulateMedia({ media: "print" });
  await expect.poll(() => german.getByRole("button").or(german.getByRole("navigation")).filter({ visible: true }).count()).toBe(0);
  await expect.poll(() => inGerman.getByText("Gesamtbetrag").isVisible()).toBe(true);
  // Every text 40 % longer.
  await reader.addInitScript((key) => localStorage.setItem(key, "1"), stretchedKey);
  await german.emulateMedia({ media: "screen" });
  await german.reload();
  await german.getByRole("heading", { level: 1, name: /^⟦.+\d{4}-\d{6}⟧$/ }).waitFor();
  await expect.poll(() => german.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await reader.close();

  await refuse(/\/transactions\/[^/]+$/, 503, "unavailable");
  await page.reload();
  await see("The invoice could not be loaded");
  await restore();
  await button("Try again").click();
  await sheet.waitFor();
  await open("/manage/billing/invoices/00000000-0000-7000-8000-000000000000");
  await see("This invoice does not exist");
  await expectAccessible(page);
  await link("Go to billing").click();
  await page.waitForURL("**/manage/billing");
});

test("from monthly to yearly: the preview says what is due, and a double click pays once", async () => {
  await enter(await startSubscription("starter-monthly"));
  await choose("starter-yearly");
  const confirm = button(/^Pay \$[\d.,]+ USD and change$/);
  await confirm.waitFor();
  await see("prorated");
  await see("Visa ending in 3155");
  await see("From Starter, monthly to Starter, yearly");
  await expectAccessible(page);
  await confirm.dblclick();
  await heading("You are on Starter");
  await open("/manage/billing");
  await see("$240 a year");
  const changes = section("Invoices").locator("tbody").getByRole("row").filter({ hasText: "Visa •••• 3155" });
  await expect.poll(() => changes.count()).toBe(2);
});

test("an upgrade applies immediately", async () => {
  await enter(await startSubscription("starter-yearly"));
  await choose("pro-1-yearly");
  // n8n learns only when it starts that executions are kept for longer.
  await see("Your workspace restarts with its new limits.");
  await button(/^Pay \$[\d.,]+ USD and change$/).click();
  await heading("You are on Pro 10K");
  await expectAccessible(page);
  await link("Go to billing").click();
  await section("Invoices").getByText("Upgrade to Pro 10K").waitFor();
});

describe("on a plan that the tests leave as it is", () => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await startSubscription("starter-yearly");
    await changePlan(customer, "pro-1-yearly");
    // The change restarts the workspace.
    await slipway.until(customer, ({ status }) => status === instanceStatus.online);
  });
  beforeEach(() => enter(customer));

  test("on a phone invoices are cards, and still a table for a screen reader", async () => {
    await open("/manage/billing");
    const invoice = section("Invoices").getByRole("row").filter({ hasText: "Upgrade to Pro 10K" });
    const [wide, narrow] = [page.viewportSize()!, { width: 390, height: 844 }];
    const amount = invoice.getByRole("cell").filter({ hasText: "$" });
    const labelOf = () => amount.evaluate((cell) => getComputedStyle(cell, "::before").content);
    await expect.poll(labelOf).toBe("none");
    await page.setViewportSize(narrow);
    await expect.poll(labelOf).toContain("Amount");
    expect(await section("Invoices").getByRole("table").getByRole("columnheader").allInnerTexts()).toEqual([
      "Description",
      "Date",
      "Paid with",
      "Status",
      "Amount",
      "Download",
    ]);
    await invoice.getByRole("rowheader").getByText("Upgrade to Pro 10K").waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await page.setViewportSize(wide);
  });

  test("a downgrade waits for the period's end, says what stops, and can be undone", async () => {
    await choose("starter-yearly");
    await page.getByRole("radio", { name: /At the end of the period/ }).waitFor();
    await see("What stops working or is reduced");
    await see("Executions a month: 2,500 instead of 10,000.");
    await see("Backups are kept for 7 days instead of 30; older ones are deleted.");
    await see("$0.00");
    await expectAccessible(page);
    // What is chosen shows with its price.
    await page.getByRole("radio", { name: /^Now/ }).click();
    await see("The rest of the paid period is not refunded.");
    await button("Change the plan").waitFor();
    await see("$0.00 USD");
    await page.getByRole("radio", { name: /At the end of the period/ }).click();
    await button(/^Change on /).click();
    await heading(/^Your plan changes on /);
    await link("Go to billing").click();
    await see(/^Your plan changes to Starter on /);
    await button("Undo change").click();
    await see("Your plan stays as it is.");
    await page.getByText(/^Your plan changes to Starter on /).waitFor({ state: "detached" });
    await choose("starter-monthly");
    await button(/^Change on /).waitFor();
    await expect.poll(() => page.getByRole("radio", { name: /^Now/ }).count()).toBe(0);
  });

  test("each failure around plans has its promised message and a next step", async () => {
    const list = /\/api\/v1\/paddle\/plans$/;
    await page.route(list, (route) => route.fulfill({ json: { plans: [] } }));
    await open("/account/change-plan");
    await see("failed to load plans");
    await expectAccessible(page);
    await restore();
    await button("Try again").click();
    await heading("Compare plans");
    // A missing answer is given up after 3 s.
    await page.route(list, () => {});
    await page.reload();
    await see("failed to load plans");
    await restore();

    await refuse(/\/plan\/change\/preview$/, 409, "plan_withdrawn");
    await choose("pro-2-yearly");
    await see("Something went wrong with your plan.");
    await refuse(/\/plan\/change\/custom\/preview$/, 409, "plan_withdrawn");
    await open("/account/change-plan?plan=custom-yearly&executions=60000&workflows=50");
    await see("Your quotas could not be changed.");
    await restore();

    await refuse(/\/api\/user\/plan$/, 404, "not_found");
    await open("/dashboard");
    await see("Could not load user plan meta");
    await restore();
  });

  test("a change that the bank refuses or wants confirmed says so; a changed price is shown again before it is charged", async () => {
    await choose("pro-2-yearly");
    const confirm = button(/^Pay \$[\d.,]+ USD and change$/);
    const change = /\/account\/plan\/change$/;
    await refuse(change, 402, "payment_declined");
    await confirm.click();
    await see("Your plan could not be changed.");
    await button("Use another card").waitFor();
    await expectAccessible(page);
    await restore();
    await refuse(change, 402, "payment_action_required", `${slipway.url}/sandbox/confirm/cnf_1`);
    await confirm.click();
    expect(await link("Confirm the payment").getAttribute("href")).toBe(`${slipway.url}/sandbox/confirm/cnf_1`);
    await restore();
    await refuse(change, 409, "preview_stale");
    await page.route(/\/plan\/change\/preview$/, async (route) => {
      const response = await route.fetch();
      const { preview } = (await response.json()) as { preview: { dueNow: { amount: number; currency: string } } };
      await route.fulfill({ response, json: { preview: { ...preview, dueNow: { ...preview.dueNow, amount: 12_345 } } } });
    });
    await confirm.click();
    await see("The price has changed. Please check it again.");
    await see(/^Due now: \$[\d.,]+ → \$123\.45$/);
    await button("Pay $123.45 USD and change").waitFor();
    await restore();
  });
});

test("cancelling requires the account's name, says what happens when, and can be undone", async () => {
  await enter(await startSubscription("pro-1-yearly", "5555555555554444"));
  await open("/manage/billing");
  await button("Cancel subscription").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Type /).fill("somebody-else");
  await button("Cancel the subscription", dialog).click();
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectAccessible(page);
  await dialog.getByLabel(/^Type /).fill(owner.accountName);
  await button("Cancel the subscription", dialog).click();
  await dialog.waitFor({ state: "detached" });
  await see("Your subscription ends on ");
  await section("Plan")
    .getByText(/^Ends on /)
    .waitFor();
  await expect.poll(() => section("Plan").getByText("Active", { exact: true }).count()).toBe(0);
  await open("/dashboard");
  await see("Your subscription ends on ");
  await open("/manage/billing");
  await refuse(/\/billing\/resubscribe$/, 402, "payment_declined");
  await button("Resubscribe").click();
  await dialog.getByText("Nothing is charged now, and nothing is deleted.").waitFor();
  await dialog.getByText("$0.00 USD").waitFor();
  await dialog.getByText("Mastercard ending in 4444").waitFor();
  await dialog.getByText(/^\$[\d,.]+ USD on \w+ \d+, \d+$/).waitFor();
  await expectAccessible(page);
  await button("Keep subscription", dialog).click();
  await dialog.getByText(/^Resubscribing failed\./).waitFor();
  await restore();
  await button("Keep subscription", dialog).click();
  await see("You are subscribed again. Welcome back.");
  await button("Cancel subscription").waitFor();
});
