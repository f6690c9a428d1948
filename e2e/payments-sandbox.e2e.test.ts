/**
 * The payment sandbox as a tester sees it: its checkout by pointer and keyboard, the developer bar, and a program that dies during a
 * payment.
 */
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Subscription } from "#contract/billing/billing.ts";
import { sandboxInvoices, sandboxSubscriptions } from "#database/tables.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

let database: TestDatabase;
let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let owner: Customer;

beforeAll(async () => {
  database = await createTestDatabase();
  slipway = await startSlipway({ env: { DATABASE_URL: database.url } });
  browser = await launchBrowser();
});
// A new customer in a new browser, so that each test is independent.
beforeEach(async () => {
  owner = await slipway.launch();
  context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  page = await context.newPage();
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
  await database?.close();
});

const openCheckout = async (customer = owner): Promise<string> => {
  const answer = await slipway.call("POST", "/api/v1/paddle/plan/pro-1-monthly/generatePayLink", {
    token: customer.token,
    body: { currency: "USD" },
    headers: { "idempotency-key": randomUUID() },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ url: string }>().url;
};
const subscription = async (customer = owner) =>
  (await slipway.call("GET", "/api/account/subscription", { token: customer.token })).json<{ subscription: Subscription | null }>()
    .subscription;
const untilStatus = (status: string, customer = owner) =>
  vi.waitFor(async () => expect((await subscription(customer))?.status).toBe(status), { timeout: 60_000, interval: 100 });
const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);

test("a checkout is filled in, corrected, refused by the bank, and paid, with the keyboard alone", async () => {
  await page.goto(await openCheckout());
  await expectAccessible(page);
  expect(await widthOf()).toBe(390);
  await page.getByLabel("Card number").focus();
  await page.keyboard.type("4242424242424241");
  await expect.poll(() => page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4241");
  await page.keyboard.press("Enter");
  await page.getByText("4 fields are not valid. Nothing was charged.").waitFor();
  await expect.poll(() => page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4241");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("number");
  await expectAccessible(page);

  // A browser forgets letters typed in a list after a second; on a busy machine that may pass between two of them.
  const country = page.getByLabel("Country");
  const typeCountry = async (): Promise<string> => {
    await country.focus();
    await page.keyboard.type("Germany");
    return country.inputValue();
  };
  await expect.poll(typeCountry, { interval: 1500 }).toBe("DE");
  await page.getByRole("button", { name: "Pay $71.40 USD" }).waitFor();
  await page.getByRole("button", { name: "3-D Secure, first payment" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByLabel("Card number").inputValue()).toBe("4000 0025 0000 3155");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("submit");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Is this you?" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "This wasn't me" }).press("Enter");
  await page.getByText("Your bank did not confirm the payment.").waitFor();
  await expect.poll(() => page.getByLabel("Name on card").inputValue()).toBe("Test Customer");
  await page.getByRole("button", { name: "Pay $71.40 USD" }).press("Enter");
  await page.getByRole("button", { name: "Confirm" }).press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/sandbox"));
  await untilStatus("active");
});

test("a price that arrives late does not replace the one of the country chosen since", async () => {
  await page.goto(await openCheckout());
  let answerFirst!: () => Promise<void>;
  const firstAsked = Promise.withResolvers<void>();
  await page.route("**/price?country=GB**", (route) => {
    answerFirst = () => route.continue();
    firstAsked.resolve();
  });
  await page.getByLabel("Country").selectOption("GB");
  await firstAsked.promise;
  await page.getByLabel("Country").selectOption("DE");
  const pay = page.getByRole("button", { name: "Pay $71.40 USD" });
  await pay.waitFor();
  const isFirstAnswered = page.waitForResponse(/country=GB/);
  await answerFirst();
  await (await isFirstAnswered).finished();
  await page.waitForTimeout(200);
  expect(await pay.isVisible()).toBe(true);
});

test("another card can be entered on the page for changing it", async () => {
  await payByHttp(await openCheckout());
  await untilStatus("active");
  const answer = await slipway.call("POST", "/api/account/payment-information/change", { token: owner.token, body: {} });
  await page.goto(answer.json<{ url: string }>().url);
  await page.getByText("Your current payment method is Visa ending in 4242.").waitFor();
  expect(await widthOf()).toBe(390);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Mastercard, pays" }).click();
  await page.getByRole("button", { name: "Save card" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sandbox"));
  const information = async () => (await slipway.call("GET", "/api/account/payment-information", { token: owner.token })).json<object>();
  await expect.poll(information).toMatchObject({ paymentInformation: { brand: "mastercard", lastFour: "4444" } });
});

test("the developer bar moves the service's time, and users stay signed in", async () => {
  await payByHttp(await openCheckout());
  await untilStatus("active");
  const subscribers = (await database.db.select().from(sandboxSubscriptions)).length;
  const before = (await database.db.select().from(sandboxInvoices)).length;
  await page.goto(`${slipway.url}/dashboard`);
  const bar = page.getByRole("complementary", { name: "Sandbox" });
  await bar.getByText("Service time").click();
  await bar.getByRole("heading", { name: "Move the clock forward" }).waitFor();
  expect(await widthOf()).toBe(390);
  await expectAccessible(page);
  await bar.getByLabel("Other step").fill("next week");
  await bar.getByRole("button", { name: "Move", exact: true }).click();
  await bar.getByText("Enter a number and d, h, m or mo, such as 7d.").waitFor();
  await bar.getByRole("button", { name: "+1 month" }).click();
  await bar.getByText(/^It is now .*\.$/).waitFor();
  await bar.getByText("ahead of now").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Dashboard" }).count()).toBeGreaterThan(0);
  await vi.waitFor(async () => expect((await database.db.select().from(sandboxInvoices)).length).toBe(before + subscribers), {
    timeout: 60_000,
    interval: 100,
  });
  await page.reload();
  await page.getByRole("complementary", { name: "Sandbox" }).getByText("ahead of now").waitFor();
});

test("events that were dropped are made up for when the tester sends them", async () => {
  await page.goto(`${slipway.url}/dashboard`);
  const bar = page.getByRole("complementary", { name: "Sandbox" });
  await bar.getByText("Service time").click();
  const sandbox = async () => (await slipway.call("GET", "/api/dev/sandbox")).json<object>();
  await bar.getByLabel("Never arrive").click();
  await expect.poll(sandbox).toMatchObject({ webhooks: { drop: true } });
  await payByHttp(await openCheckout());
  expect((await subscription())?.status).toBe("trialing");
  await bar.getByLabel("Never arrive").click();
  // Sooner, what is sent again would be dropped again.
  await expect.poll(sandbox).toMatchObject({ webhooks: { drop: false } });
  await bar.getByRole("button", { name: "Send dropped webhooks" }).click();
  await untilStatus("active");
});

const form = {
  number: "4242 4242 4242 4242",
  expiry: "12 / 40",
  cvc: "123",
  name: "Ada",
  country: "US",
  postalCode: "",
  vatId: "",
  shown: "6000",
};
const payByHttp = (url: string) => fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(form) });

test("a program that dies during a payment has charged once or not at all, and finally says which", async () => {
  await slipway.call("POST", "/api/dev/clock", { body: { advance: "28d" } });
  const payer = await slipway.launch();
  const url = await openCheckout(payer);
  const before = (await database.db.select().from(sandboxSubscriptions)).length;
  const paying = payByHttp(url).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
  await slipway.kill9();
  await paying;
  await slipway.start();
  // After an error the customer presses the button again.
  expect((await payByHttp(url)).status).toBe(303);
  await untilStatus("active", payer);
  expect(await database.db.select().from(sandboxSubscriptions)).toHaveLength(before + 1);
  const paid = await slipway.call("GET", "/api/account/payments", { token: payer.token });
  expect(paid.json<{ payments: { status: string }[] }>().payments.filter(({ status }) => status === "succeeded")).toHaveLength(1);
  // The clock has not changed.
  expect((await slipway.call("GET", "/api/dev/clock")).json<{ aheadMs: number }>().aheadMs).toBeGreaterThan(27 * 86_400_000);
});
