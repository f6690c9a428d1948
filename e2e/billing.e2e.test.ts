/**
 * The life of subscriptions in the whole product, by the service's clock: paid, changed, missed and ended. What the panel shows of it:
 * e2e/billing.panel.test.ts.
 */
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { stepFrom } from "#domain/journeys/move-clock/move-clock.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let owner: Customer;

beforeAll(async () => {
  [slipway, browser] = await Promise.all([startSlipway(), launchBrowser()]);
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

const place = { country: "DE", line1: "Straße 1", postalCode: "10115", city: "Berlin" };
const form = { expiry: "12 / 40", cvc: "123", name: "Ada Lovelace", ...place };

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

test("a cancelled subscription that ends deletes the workspace, and leads back to payment", async () => {
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
  await see(/^Your workspace (is being|was) deleted\./);
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
  const isGone = async () => {
    const answer = await slipway.call("GET", "/api/instance", { token: owner.token });
    return answer.status === 404 || answer.json<{ isBeingDeleted: boolean }>().isBeingDeleted;
  };
  await expect.poll(isGone, { timeout: 3 * minuteMs }).toBe(true);
  await open("/dashboard");
  await page.getByRole("banner").getByRole("link", { name: "Resubscribe" }).waitFor();
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
