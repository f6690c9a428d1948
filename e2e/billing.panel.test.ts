/** What the panel shows of plans, payments and invoices, what it asks before it charges, and what it sends. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stretchedKey } from "#apps/web/src/lib/browser/language.ts";
import { checkoutReturnPath } from "#contract/billing/checkout-return.ts";
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import { buildAccount, buildPlanSpec } from "#testing/accounts/build-account.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { settledShifts, watchShifts } from "#testing/browser/watch-shifts.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { usualAnswers } from "#testing/panel/panel-answers.ts";
import { providerPages, subscribe, type PanelBilling } from "#testing/panel/panel-billing.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";

let panel: PanelServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let owner: PanelPerson;
let billing: PanelBilling;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
afterEach(async () => {
  await context?.close();
  expectAnswered(panel);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});

const open = (path: string) => page.goto(panel.url + path);
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole("button", { name, exact: typeof name === "string" });
const link = (name: string | RegExp) => page.getByRole("link", { name, exact: typeof name === "string" });
const see = (words: string | RegExp) => page.getByText(words).first().waitFor();
const heading = (name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
const section = (name: string) => page.getByRole("region", { name, exact: true });

/** A new browser in which this person is signed in; the provider's pages lead back. */
async function enter(person: PanelPerson): Promise<void> {
  owner = person;
  context = await panel.contextFor(browser, person);
  for (const [path, back] of [
    [providerPages.card, "/manage/billing"],
    [providerPages.checkout, checkoutReturnPath("starter-monthly", "canceled")],
  ] as const)
    await context.route(panel.url + path, (route) =>
      route.fulfill({ contentType: "text/html", body: `<title>Payment provider</title><a href="${back}">Back</a>` }),
    );
  page = await context.newPage();
}

/** Enters as a customer who launched a minute ago, on a trial, whose workspace is online. */
async function enterOnTrial(): Promise<void> {
  const now = new Date();
  const planSpec = { ...buildPlanSpec("trial-1", after(now, trialDays * dayMs - minuteMs)), trialDays };
  await enter(panel.signIn({ now, user: { account: buildAccount({ planSpec }) } }));
}

/** Enters as a customer who has paid for this plan, from Germany. */
async function enterPaying(planId: string, number?: string): Promise<void> {
  const person = panel.signIn();
  billing = await subscribe(person, planId, number);
  await enter(person);
}

/** The service's time moves. */
function pass(days: number): void {
  const { state } = owner;
  state.now = after(state.now, days * dayMs);
  state.config = { ...state.config, now: state.now.toISOString(), clockAheadMs: state.config.clockAheadMs + days * dayMs };
}

const refusal = (code: ConstructorParameters<typeof AppError>[0], detail?: string) => () =>
  Promise.reject(new AppError(code, detail === undefined ? {} : { detail }));
const restore = () => page.unrouteAll({ behavior: "ignoreErrors" });

/** Opens the confirmation of a plan. */
async function choose(planId: string): Promise<void> {
  await open(`/account/change-plan?plan=${planId}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

test("a trial shows its remaining days in the header, and warns of its end", async () => {
  await enterOnTrial();
  await open("/dashboard");
  const header = page.getByRole("banner");
  await header.getByText("14 days left in trial").waitFor();
  pass(12);
  await open("/dashboard");
  await header.getByText("2 days left in trial").waitFor();
  await header.getByRole("link", { name: "Upgrade plan" }).click();
  await page.waitForURL("**/account/change-plan");
  await heading("Choose a plan");
});

test("after a trial plans are offered, never a subscription to resume", async () => {
  await enterOnTrial();
  pass(15);
  owner.workspaceIs({ status: instanceStatus.stopped });
  owner.answers.getSubscription = async (asked, state) => {
    const { subscription } = await usualAnswers.getSubscription!(asked, state);
    return { subscription: { ...subscription!, status: "deleted" } };
  };
  await open("/manage/billing");
  await page.waitForURL("**/manage");
  await page.getByRole("banner").getByRole("link", { name: "Upgrade plan" }).click();
  await heading("Choose a plan");
  await heading("Compare plans");
  await expect.poll(() => page.getByRole("button", { name: "Resubscribe" }).count()).toBe(0);
});

test("a past-due subscription shows the dates of the next attempts, and allows no change of plan before it is paid", async () => {
  await enterPaying("pro-1-yearly", "4000000000000341");
  pass(365);
  billing.failRenewal();
  const usual = owner.answers.getPaymentInformation!;
  owner.answers.getPaymentInformation = refusal("subscription_not_found");
  await open("/manage/billing");
  await see("Your payment information could not be loaded.");
  owner.answers.getPaymentInformation = usual;
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
  expect(owner.sent("retryPayment")).toEqual([{ shown: { amount: 71_400, currency: "USD" } }]);
  await button("Change card").first().click();
  await page.waitForURL("**/sandbox/card/**");
  billing.enterCard("5555555555554444");
  await link("Back").click();
  await page.waitForURL("**/manage/billing");
  await section("Plan").getByText("Active", { exact: true }).waitFor();
  await section("Payment method").getByText("Mastercard •••• 4444").waitFor();
  await expect.poll(() => page.getByText("Your last payment failed").count()).toBe(0);
});

test("after a cancelled plan has ended, the panel says what comes back from the last backup and until when, before anything is paid", async () => {
  await enterPaying("pro-1-yearly");
  pass(366);
  billing.end();
  await open("/dashboard");
  await see("Your workspace can come back");
  await see(/^Its last backup of .* is kept until /);
  await expectAccessible(page);
  await open("/manage/billing");
  await see(/^Your workspace was deleted\. Its last backup of .*: resubscribe by then, and everything comes back\.$/);
  await expectAccessible(page);
  await open("/account/change-plan");
  await see(/With a plan, everything is restored from it: workflows, credentials and executions, at the same URL\.$/);
  await expectAccessible(page);
  await open("/account/change-plan?plan=starter-monthly");
  await see(/^Restored from its last backup of /);
  await open("/manage/billing");
  await button("Resubscribe").click();
  await page
    .getByRole("dialog")
    .getByText(/^Your workspace is restored from its last backup of .*, at the same URL\.$/)
    .waitFor();
  await expectAccessible(page);
});

test("where no last backup is kept any more, the panel says before the payment that a workspace starts empty", async () => {
  await enterPaying("pro-1-yearly");
  pass(366);
  billing.end("gone");
  await open("/dashboard");
  await see("Choose a plan to create a new, empty one, at the same URL.");
  await open("/manage/billing");
  await see(/no backup of it is kept\. If you resubscribe, you start with an empty workspace\.$/);
  await button("Resubscribe").click();
  await page
    .getByRole("dialog")
    .getByText(/you start with an empty workspace\.$/)
    .waitFor();
  await open("/account/change-plan");
  await see("You start with an empty workspace");
  await open("/account/change-plan?plan=starter-monthly");
  await see("A new, empty one");
  await expect.poll(() => page.getByText("last backup").count()).toBe(0);
});

test("a subscription ended unannounced says until when the workspace is kept, and leads to the plans and back to payment", async () => {
  await enterPaying("pro-1-yearly");
  pass(366);
  billing.endUnannounced();
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
});

test("a paused subscription says what resubscribing charges, from which card and when next, and takes another card first", async () => {
  await enterPaying("pro-1-yearly", "4000000000000341");
  billing.pause();
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
  billing.enterCard("5555555555554444");
  await link("Back").click();
  await page.waitForURL("**/manage/billing");
  await button("Resubscribe").click();
  await facts.getByText("Mastercard ending in 4444").waitFor();
  await button("Pay $714.00 USD and resubscribe", dialog).click();
  await see("You are subscribed again. Welcome back.");
  await section("Plan").getByText("Active", { exact: true }).waitFor();
  expect(owner.sent("resubscribe")).toHaveLength(2);
});

describe("on a trial, before anything is paid", () => {
  beforeEach(enterOnTrial);

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
    await larger.getByText("10,000 executions a month", { exact: true }).waitFor();
    await larger.getByRole("radio", { name: "50K" }).press("Space");
    await larger.getByRole("link", { name: "Choose Pro 50K" }).waitFor();
    await larger.getByText("50,000 executions a month (up from 1,000)").waitFor();
    await larger.getByText("Starts when you pay. Everything in your workspace is kept.").waitFor();
    expect(await link("Contact sales").getAttribute("href")).toBe("mailto:support@example.com?subject=Custom%20cloud%20plan%20request");
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
    await see("The total active workflows must be at most 500. Need more? Contact sales.");
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
    owner.answers.generatePayLink = () => ({ url: panel.url + providerPages.checkout });
    await choose("starter-monthly");
    await expectAccessible(page);
    await button("Add payment details").click();
    await page.waitForURL("**/sandbox/checkout/**");
    await link("Back").click();
    await heading("The checkout was canceled");
    await expectAccessible(page);
    expect(owner.sent("generatePayLink")).toEqual([{ currency: "USD" }]);
    expect(owner.sent("completeCheckout")).toEqual([]);
  });

  test("a checkout that cannot be opened says so, and an invalid address is not followed", async () => {
    await choose("starter-monthly");
    owner.answers.generatePayLink = refusal("plan_withdrawn");
    await button("Add payment details").click();
    await see("The checkout could not be opened.");
    await expectAccessible(page);
    owner.answers.generatePayLink = () => ({ url: "javascript:document.title='followed'" });
    // The message of the first attempt may still be shown.
    await Promise.all([page.waitForResponse(/generatePayLink$/), button("Add payment details").click()]);
    await expect.poll(() => button("Add payment details").isEnabled()).toBe(true);
    await see("The checkout could not be opened.");
    expect(await page.title()).toBe("Change plan · Slipway");
  });

  test("an unconfirmed payment is polled 15 times, and again on request", async () => {
    owner.answers.completeCheckout = async ({ body: { planId: id } }, state) => {
      await usualAnswers.getPlan!({ params: { id }, body: undefined, query: undefined } as never, state);
      return { user: state.user };
    };
    await page.clock.install();
    let reads: number | null = null;
    let checks = 0;
    page.on("response", (response) => void (response.url().endsWith("/complete-checkout") && (reads ??= 0)));
    page.on("request", (request) => void (reads !== null && request.url().endsWith("/api/auth/me") && (reads += 1)));
    page.on(
      "request",
      (request) => void (request.method() === "HEAD" && request.url().endsWith("/api/account/billing/active") && (checks += 1)),
    );
    await open("/account/checkout?plan=starter-monthly&result=success");
    await heading("Waiting for your payment");
    const stillWaiting = page.getByRole("heading", { name: "Your payment is not confirmed yet" });
    const passTime = async () => {
      await page.clock.runFor(5_000);
      return stillWaiting.count();
    };
    await expect.poll(passTime, { timeout: 60_000, interval: 20 }).toBe(1);
    expect([reads, checks]).toEqual([15, 15]);
    await expectAccessible(page);
    await button("Check again").click();
    await heading("Waiting for your payment");
    await open("/account/checkout?plan=no-such-plan&result=success");
    await heading("The checkout failed");
  });
});

test("after a payment the customer is welcomed to the plan, and billing shows card, next payment, address and invoice", async () => {
  await enterOnTrial();
  owner.answers.completeCheckout = async (_asked, { user }) => {
    billing = await subscribe(owner, "starter-monthly");
    return { user };
  };
  await open("/account/checkout?plan=starter-monthly&result=success");
  await heading("Welcome to Starter");
  await expectAccessible(page);
  expect(owner.sent("completeCheckout")).toEqual([{ planId: "starter-monthly" }]);
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
  await enterPaying("starter-monthly");
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
  expect(owner.sent("saveBillingDetails")).toEqual([]);
  await button("Save details").click();
  await see("Saved. Future invoices show these details.");
  for (const text of ["Analytical Engines", "Germany", "DE123456789"]) await details.getByText(text).waitFor();
  await page.reload();
  await details.getByText("Analytical Engines").waitFor();
  expect(await details.getByRole("textbox").count()).toBe(0);
  expect(owner.sent("saveBillingDetails")).toMatchObject([{ name: "Analytical Engines", country: "DE", vatId: "DE123456789" }]);
});

test("of two tabs the second is shown which billing details the first saved, and loses no entry; an undo does not overwrite them", async () => {
  await enterPaying("starter-monthly");
  const address = { line1: "", line2: "", postalCode: "", city: "", country: "DE" };
  billing.writeDetails({ ...address, name: "Analytical Engines", vatId: "DE123456789" });
  await open("/manage/billing");
  const details = section("Billing details");
  const other = await context.newPage();
  await other.goto(`${panel.url}/manage/billing`);
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
});

test("an invoice is a page: parties, tax and the card that paid, also in German, on a phone and on paper; no other account's is shown", async () => {
  await enterPaying("starter-monthly");
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
  await reader.addCookies(sessionCookies(owner.token, panel.url));
  await watchShifts(reader);
  const german = await reader.newPage();
  await german.goto(panel.url + pathname);
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

  const usual = owner.answers.getTransaction!;
  owner.answers.getTransaction = refusal("unavailable");
  await page.reload();
  await see("The invoice could not be loaded");
  owner.answers.getTransaction = usual;
  await button("Try again").click();
  await sheet.waitFor();
  await open("/manage/billing/invoices/00000000-0000-7000-8000-000000000000");
  await see("This invoice does not exist");
  await expectAccessible(page);
  await link("Go to billing").click();
  await page.waitForURL("**/manage/billing");
});

test("from monthly to yearly: the preview says what is due, and a double click pays once", async () => {
  await enterPaying("starter-monthly");
  await choose("starter-yearly");
  const confirm = button(/^Pay \$[\d.,]+ USD and change$/);
  await confirm.waitFor();
  await see("prorated");
  await see("Visa ending in 3155");
  await see("From Starter, monthly to Starter, yearly");
  await expectAccessible(page);
  // All presses come before the first one's answer.
  const usual = owner.answers.changePlan!;
  const pressed = Promise.withResolvers<void>();
  owner.answers.changePlan = async (asked, state) => {
    await pressed.promise;
    return usual(asked, state);
  };
  await confirm.dblclick();
  // The button is smaller by now, so the second click may have missed it.
  await button("Changing…").dispatchEvent("click");
  pressed.resolve();
  await heading("You are on Starter");
  await open("/manage/billing");
  await see("$240 a year");
  const changes = section("Invoices").locator("tbody").getByRole("row").filter({ hasText: "Visa •••• 3155" });
  await expect.poll(() => changes.count()).toBe(2);
  expect(owner.sent("changePlan")).toEqual([{ planId: "starter-yearly", timing: "now", previewId: expect.any(String) }]);
});

test("an upgrade says that the workspace restarts with its new limits, and its invoice names it", async () => {
  await enterPaying("starter-yearly");
  await choose("pro-1-yearly");
  // n8n learns only when it starts that executions are kept for longer.
  await see("Your workspace restarts with its new limits.");
  await button(/^Pay \$[\d.,]+ USD and change$/).click();
  await heading("You are on Pro 10K");
  await expectAccessible(page);
  expect(owner.sent("changePlan")).toMatchObject([{ planId: "pro-1-yearly", timing: "now" }]);
  await link("Go to billing").click();
  await section("Invoices").getByText("Upgrade to Pro 10K").waitFor();
});

describe("on a plan that was upgraded", () => {
  beforeEach(async () => {
    await enterPaying("starter-yearly");
    await billing.changePlan("pro-1-yearly");
  });

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
    await see("2,500 executions a month (down from 10,000).");
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
    expect(owner.sent("changePlan")).toMatchObject([{ planId: "starter-yearly", timing: "period-end" }]);
    await link("Go to billing").click();
    await see(/^Your plan changes to Starter on /);
    await button("Undo change").click();
    await see("Your plan stays as it is.");
    await page.getByText(/^Your plan changes to Starter on /).waitFor({ state: "detached" });
    expect(owner.sent("cancelScheduledChange")).toHaveLength(1);
    await choose("starter-monthly");
    await button(/^Change on /).waitFor();
    await expect.poll(() => page.getByRole("radio", { name: /^Now/ }).count()).toBe(0);
  });

  test("each failure around plans has its promised message and a next step", async () => {
    owner.answers.listPlans = () => ({ plans: [] });
    await open("/account/change-plan");
    await see("failed to load plans");
    await expectAccessible(page);
    delete owner.answers.listPlans;
    await button("Try again").click();
    await heading("Compare plans");
    // A missing answer is given up after 3 s.
    await page.route(/\/api\/v1\/paddle\/plans$/, () => {});
    await page.reload();
    await see("failed to load plans");
    await restore();
    // Asked for again without a click.
    await heading("Compare plans");

    owner.answers.previewChange = refusal("plan_withdrawn");
    await choose("pro-2-yearly");
    await see("Something went wrong with your plan.");
    owner.answers.previewCustomChange = refusal("plan_withdrawn");
    await open("/account/change-plan?plan=custom-yearly&executions=60000&workflows=50");
    await see("Your quotas could not be changed.");

    owner.answers.getUserPlan = refusal("not_found");
    await open("/dashboard");
    await see("Could not load user plan meta");
  });

  test("a change that the bank refuses or wants confirmed says so; a changed price is shown again before it is charged", async () => {
    await choose("pro-2-yearly");
    const confirm = button(/^Pay \$[\d.,]+ USD and change$/);
    owner.answers.changePlan = refusal("payment_declined");
    await confirm.click();
    await see("Your plan could not be changed.");
    await button("Use another card").waitFor();
    await expectAccessible(page);
    owner.answers.changePlan = refusal("payment_action_required", `${panel.url}/sandbox/confirm/cnf_1`);
    await confirm.click();
    expect(await link("Confirm the payment").getAttribute("href")).toBe(`${panel.url}/sandbox/confirm/cnf_1`);
    owner.answers.changePlan = refusal("preview_stale");
    const usual = owner.answers.previewChange!;
    owner.answers.previewChange = async (asked, state) => {
      const { preview } = await usual(asked, state);
      return { preview: { ...preview, dueNow: { ...preview.dueNow, amount: 12_345 } } };
    };
    await confirm.click();
    await see("The price has changed. Please check it again.");
    await see(/^Due now: \$[\d.,]+ → \$123\.45$/);
    await button("Pay $123.45 USD and change").waitFor();
    expect(owner.sent("changePlan")).toHaveLength(3);
  });
});

test("cancelling requires the account's name, says what happens when, and can be undone", async () => {
  await enterPaying("pro-1-yearly", "5555555555554444");
  await open("/manage/billing");
  await button("Cancel subscription").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Type /).fill("somebody-else");
  await button("Cancel the subscription", dialog).click();
  await dialog.getByText("Type the name of your account exactly as shown.").waitFor();
  await expectAccessible(page);
  expect(owner.sent("cancelSubscription")).toEqual([]);
  const accountName = owner.state.user.account.name;
  await dialog.getByLabel(/^Type /).fill(accountName);
  await button("Cancel the subscription", dialog).click();
  await dialog.waitFor({ state: "detached" });
  expect(owner.sent("cancelSubscription")).toEqual([{ accountName }]);
  await see("Your subscription ends on ");
  await section("Plan")
    .getByText(/^Ends on /)
    .waitFor();
  await expect.poll(() => section("Plan").getByText("Active", { exact: true }).count()).toBe(0);
  await open("/dashboard");
  await see("Your subscription ends on ");
  await open("/manage/billing");
  const usual = owner.answers.resubscribe!;
  owner.answers.resubscribe = refusal("payment_declined");
  await button("Resubscribe").click();
  await dialog.getByText("Nothing is charged now, and nothing is deleted.").waitFor();
  await dialog.getByText("$0.00 USD").waitFor();
  await dialog.getByText("Mastercard ending in 4444").waitFor();
  await dialog.getByText(/^\$[\d,.]+ USD on \w+ \d+, \d+$/).waitFor();
  await expectAccessible(page);
  await button("Keep subscription", dialog).click();
  await dialog.getByText(/^Resubscribing failed\./).waitFor();
  owner.answers.resubscribe = usual;
  await button("Keep subscription", dialog).click();
  await see("You are subscribed again. Welcome back.");
  await button("Cancel subscription").waitFor();
});
