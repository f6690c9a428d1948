/**
 * What reaches Turnstile, the service of leaked passwords, PostHog, the tag manager and Sentry, and when; each is a small server of the
 * test.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { startRangeService, type RangeService } from "#testing/network/start-range-service.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

interface Received {
  path: string;
  body: string;
}

let outside: Server;
let ranges: RangeService;
let received: Received[] = [];
let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Addresses on other machines that the page requested. */
let asked: string[];

beforeAll(async () => {
  outside = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (request.method !== "OPTIONS") received.push({ path: request.url ?? "", body });
      response.writeHead(200, {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "*",
        "content-type": "application/json",
      });
      response.end(JSON.stringify({ success: new URLSearchParams(body).get("response")?.startsWith("good") }));
    });
  });
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  ranges = await startRangeService();
  slipway = await startSlipway({
    env: {
      CHALLENGE: "turnstile",
      TURNSTILE_SITE_KEY: "site",
      TURNSTILE_SECRET_KEY: "secret",
      TURNSTILE_VERIFY_URL: `${url}/siteverify`,
      BREACHED_PASSWORDS_URL: `${ranges.url}/`,
      POSTHOG_KEY: "phc_test",
      POSTHOG_HOST: url,
      GTM_ID: "GTM-TEST1",
      SENTRY_DSN: url.replace("//", "//key@").concat("/7"),
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
  outside?.close();
  await ranges?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  received = [];
  asked = [];
  context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.route(/^https:/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/javascript", body: route.request().url().includes("turnstile") ? widget : "" });
  });
  page = await context.newPage();
});
afterEach(() => context.close());

/** The part of Cloudflare's script that the panel calls: a button that gives a valid token, or the one that the test sets. */
const widget = `window.turnstile = {
  render(box, { callback }) {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = "Verify you are human";
    button.onclick = () => callback(window.nextToken ?? "good-token");
    box.replaceChildren(button);
    return "widget";
  },
  reset() { window.resets = (window.resets ?? 0) + 1; },
  remove() {},
};`;

const eventsAt = (path: string) => received.filter((request) => request.path.startsWith(path));
const captured = () =>
  eventsAt("/i/v0/e/").map(
    ({ body }) => JSON.parse(body) as { event: string; api_key: string; distinct_id: string; properties: Record<string, unknown> },
  );
const names = () => captured().map(({ event }) => event);

async function fillRegistration(name: string): Promise<void> {
  const values = {
    "Full name": "Grace Hopper",
    "Account name": name,
    Email: `${name}@example.com`,
    "Confirm email": `${name}@example.com`,
    Password: "correct horse battery",
  };
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
}

test("without a permission nothing is sent, on any page", async () => {
  await page.goto(`${slipway.url}/login`);
  await page.getByRole("region", { name: "Analytics" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("region", { name: "Analytics" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Help", exact: true }).click();
  await page.waitForURL("**/help");
  await page.goto(`${slipway.url}/login`);
  // Longer than the delay of any event.
  await page.waitForTimeout(1000);
  expect([asked, received]).toEqual([[], []]);
  expect(await page.getByRole("region", { name: "Analytics" }).count()).toBe(0);
});

test("with a permission the events arrive, by path and without the query; withdrawing it stops them", async () => {
  const customer = { accountName: "counted", email: "counted@example.com", password: "correct horse battery" };
  const body = buildRegistration({ ...customer, emailConfirmation: customer.email, challenge: "good-token" });
  expect((await slipway.call("POST", "/api/auth/register", { body })).status).toBe(201);
  received = [];
  await page.goto(`${slipway.url}/login?returnPath=/help&secret=not-for-others`);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByLabel("Account name or email").fill(customer.accountName);
  await page.getByLabel("Password", { exact: true }).fill(customer.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname === "/help");
  // A slow sign-in page is counted as a view of its own.
  const viewOfHelp = () => captured().find(({ event, properties }) => event === "$pageview" && properties["$pathname"] === "/help");
  await expect.poll(names).toEqual(expect.arrayContaining(["User signed in", "$identify", "$pageview"]));
  await expect.poll(viewOfHelp).toBeDefined();
  const identified = captured().find(({ event }) => event === "$identify")!;
  expect(identified).toMatchObject({
    api_key: "phc_test",
    properties: { $set: { username: customer.accountName, name: "Ada Lovelace", email: customer.email, confirmed: false } },
  });
  expect(viewOfHelp()).toMatchObject({ distinct_id: identified.distinct_id });
  expect(JSON.stringify(received)).not.toContain("not-for-others");
  expect(asked).toEqual(["https://www.googletagmanager.com/gtm.js?id=GTM-TEST1"]);
  const layer = () =>
    page.evaluate(() =>
      (window as unknown as { dataLayer: { event?: string; "content-name"?: string }[] }).dataLayer.map((entry) => entry.event ?? ""),
    );
  await expect.poll(layer).toEqual(expect.arrayContaining(["gtm.js", "User signed in", "content-view"]));

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect.poll(names).toContain("User signed out");
  await page.getByRole("button", { name: "Analytics choices" }).click();
  await page.getByRole("button", { name: "Decline" }).click();
  // Until those on their way have arrived.
  const arriving = async () => {
    const before = received.length;
    await page.waitForTimeout(3000);
    return received.length - before;
  };
  await expect.poll(arriving).toBe(0);
  received = [];
  await page.goto(`${slipway.url}/help`);
  await page.waitForTimeout(1000);
  expect(received).toEqual([]);
});

test("Turnstile's script is loaded for the registration alone, and its token opens one", async () => {
  await page.goto(`${slipway.url}/login`);
  expect(asked).toEqual([]);
  await page.goto(`${slipway.url}/register`);
  await page.getByRole("button", { name: "Decline" }).click();
  await fillRegistration("by-turnstile");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Please check the checkbox.").waitFor();
  await page.evaluate(() => void ((window as { nextToken?: string }).nextToken = "bad-token"));
  await page.getByRole("button", { name: "Verify you are human" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("The verification failed. Please check the checkbox again.").waitFor();
  await expect.poll(() => page.evaluate(() => (window as { resets?: number }).resets)).toBe(1);
  await page.evaluate(() => void ((window as { nextToken?: string }).nextToken = "good-token-2"));
  await page.getByRole("button", { name: "Verify you are human" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL((url) => url.pathname !== "/register");
  expect(eventsAt("/siteverify")[0]!.body).toContain("secret=secret");
});

test("a leaked password is refused at its field, and only five digits of its hash are sent", async () => {
  ranges.leaked.add("correct horse battery");
  await page.goto(`${slipway.url}/register`);
  await fillRegistration("leaked");
  await page.evaluate(() => void ((window as { nextToken?: string }).nextToken = "good-token-3"));
  await page.getByRole("button", { name: "Verify you are human" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("This password has appeared in a data breach. Please choose another.").waitFor();
  expect(await page.getByLabel("Account name", { exact: true }).inputValue()).toBe("leaked");
  expect(ranges.asked.at(-1)?.path).toMatch(/^\/range\/[0-9A-F]{5}$/);
  ranges.leaked.clear();
});

test("a script that does not come within 15 s is given up, with a way out", async () => {
  await page.clock.install();
  await context.route(/turnstile/, () => undefined);
  await page.addInitScript(() =>
    new MutationObserver((_changes, watching) => {
      if (!document.querySelector("script[src*=turnstile]")) return;
      watching.disconnect();
      Object.assign(globalThis, { askedAtMs: Date.now() });
    }).observe(document, { subtree: true, childList: true }),
  );
  await page.goto(`${slipway.url}/register`);
  const askedAtMs = () => page.evaluate(() => (globalThis as { askedAtMs?: number }).askedAtMs);
  await expect.poll(askedAtMs).toBeDefined();
  // The page's time stands still then, however long a busy machine takes to look.
  await page.clock.pauseAt((await askedAtMs())! + 14_000);
  expect(await page.getByText("The check could not be loaded").count()).toBe(0);
  await page.clock.fastForward(1_100);
  await page.getByText("The check could not be loaded").waitFor();
  await page.clock.resume();
  await context.unroute(/turnstile/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Verify you are human" }).waitFor();
});

test("a page that crashes is reported once, without its query", async () => {
  await page.goto(`${slipway.url}/login?token=a-secret-of-somebody`);
  await page.getByLabel("Account name or email").waitFor();
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new TypeError("broken for grace@example.com");
      }),
  );
  await expect.poll(() => eventsAt("/api/7/envelope/").length).toBe(1);
  const { body } = eventsAt("/api/7/envelope/")[0]!;
  expect(body).toContain("broken for [email]");
  expect(body).toContain("TypeError");
  expect(body).not.toContain("a-secret-of-somebody");
});

test("an error before the panel's settings arrive is reported once they do", async () => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await context.route(/\/fe\/config/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${slipway.url}/login`);
  await page.getByLabel("Account name or email").waitFor();
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new TypeError("broken early");
      }),
  );
  await page.waitForTimeout(300);
  expect(eventsAt("/api/7/envelope/")).toEqual([]);
  letGo();
  await expect.poll(() => eventsAt("/api/7/envelope/").length).toBe(1);
  expect(eventsAt("/api/7/envelope/")[0]!.body).toContain("broken early");
});
