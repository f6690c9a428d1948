/** What a page sends to Turnstile, PostHog, the tag manager and Sentry, and when; PostHog and Sentry are a small server of the test. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";
import { buildAccount } from "#testing/accounts/build-account.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createPanelScene, type Opened } from "#testing/panel/panel-scene.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";
import { buildNewcomer, signUpAnswers } from "#testing/panel/sign-up-answers.ts";

interface Received {
  path: string;
  body: string;
}

let outside: Server;
let outsideUrl: string;
let received: Received[] = [];
/** Addresses of the outside server that the page requested, whether they have arrived or not. */
let sent: string[];
/** Addresses on other machines that the page requested. */
let asked: string[];
let page: Page;

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
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  outsideUrl = `http://localhost:${(outside.address() as AddressInfo).port}`;
});
afterAll(() => void outside?.close());

const analytics = () => ({ postHog: { key: "phc_test", host: outsideUrl }, tagManager: { id: "GTM-TEST1" } });
const dsn = () => `${outsideUrl.replace("//", "//key@")}/7`;
const scene = createPanelScene(() => ({
  panel: { asksConsent: true },
  outside: { challenge: "turnstile", analytics: analytics(), sentryDsn: dsn() },
}));

/** Everything outside is on. */
function configure(person: PanelPerson): PanelPerson {
  Object.assign(person.state.config, { analytics: analytics(), errorReports: { dsn: dsn(), environment: "development" } });
  return person;
}

beforeEach(() => {
  [received, sent, asked] = [[], [], []];
  configure(scene.panel.visitor).answers.getChallenge = () => ({ kind: "turnstile", siteKey: "site" });
});

async function openPage(opened: Opened = {}): Promise<void> {
  page = await scene.pageOf(undefined, { size: { width: 1440, height: 1000 }, ...opened });
  await page.context().route(/^https:/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/javascript", body: route.request().url().includes("turnstile") ? widget : "" });
  });
  page.context().on("request", (request) => void (request.url().startsWith(outsideUrl) && sent.push(request.url())));
}

const open = (path: string) => page.goto(scene.panel.url + path);

/** What the page has requested so far is known: a later request of its own has been answered. */
const requestsKnown = () => page.evaluate(() => fetch(location.href).then(() => undefined));

/** Longer than the delay of any event, by the page's clock, once everything that sends events has been fetched. */
async function passTime(): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.clock.fastForward(10_000);
  await requestsKnown();
}

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

const refuseField = (path: string, code: FieldCode) =>
  new AppError("validation_failed", { errors: [{ path, code, message: fieldMessage(code) }] });

test("without a permission nothing is sent, on any page", async () => {
  await openPage();
  await page.clock.install();
  await open("/login");
  await page.getByRole("region", { name: "Analytics" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("region", { name: "Analytics" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Help", exact: true }).click();
  await page.waitForURL("**/help");
  await passTime();
  await open("/login");
  await page.getByLabel("Account name or email").waitFor();
  await passTime();
  expect([asked, sent, received]).toEqual([[], [], []]);
  expect(await page.getByRole("region", { name: "Analytics" }).count()).toBe(0);
});

test("with a permission the events arrive, by path and without the query; withdrawing it stops them", async () => {
  const customer = { accountName: "counted", email: "counted@example.com", password: "correct horse battery" };
  const person = configure(scene.panel.signIn({ user: { username: customer.accountName, email: customer.email, confirmed: false } }));
  scene.panel.visitor.answers.logIn = ({ body }) => {
    if (body.login !== customer.accountName || body.password !== customer.password) throw new AppError("invalid_credentials");
    return { token: person.token, user: person.state.user };
  };
  await openPage();
  await page.clock.install();
  await open("/login?returnPath=/help&secret=not-for-others");
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
  // Until those on their way have arrived.
  await passTime();
  await expect.poll(() => received.length).toBe(sent.length);
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("region", { name: "Analytics" }).waitFor({ state: "detached" });
  [received, sent] = [[], []];
  await passTime();
  await open("/help");
  await page.getByRole("heading", { name: "Help", level: 1 }).waitFor();
  await passTime();
  expect([sent, received]).toEqual([[], []]);
});

test("an experiment that is on the screen is recorded once the visitor allows analytics, and only once", async () => {
  const newcomer = configure(scene.panel.signIn({ user: buildNewcomer() }));
  newcomer.answers = signUpAnswers();
  page = await scene.pageOf(newcomer, { size: { width: 1440, height: 1000 } });
  await page.context().route(/^https:/, (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  const exposures = () => captured().filter(({ event }) => event === "User is part of experiment");
  await open("/account/survey");
  await page.getByRole("group", { name: "Which area do you work in?" }).waitFor();
  await requestsKnown();
  expect(received).toEqual([]);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect.poll(exposures).toMatchObject([{ properties: { name: "026_easy_ai_workflow", variant: "control" } }]);
  const { distinct_id: person } = captured().find(({ event }) => event === "$identify")!;
  expect(exposures()[0]!.distinct_id).toBe(person);
  [received, sent] = [[], []];
  await page.reload();
  await expect.poll(names).toContain("$pageview");
  expect(exposures()).toEqual([]);
});

test("Turnstile's script is loaded for the registration alone, and its token is sent with it", async () => {
  const account = buildAccount({ isSetup: false, planSpec: null, instance: null });
  const newcomer = configure(scene.panel.signIn({ user: { account, confirmed: false } }));
  const { visitor } = scene.panel;
  visitor.answers.register = ({ body }) => {
    if (!String(body.challenge).startsWith("good")) throw refuseField("challenge", "challenge.invalid");
    return { token: newcomer.token, user: newcomer.state.user };
  };
  // The browser logs the refused call as an error.
  await openPage({ hasTrouble: true });
  await open("/login");
  await page.getByLabel("Account name or email").waitFor();
  await requestsKnown();
  expect(asked).toEqual([]);
  await open("/register");
  await page.getByRole("button", { name: "Decline" }).click();
  await fillRegistration("by-turnstile");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Please check the checkbox.").waitFor();
  expect(visitor.sent("register")).toEqual([]);
  await page.evaluate(() => void ((window as { nextToken?: string }).nextToken = "bad-token"));
  await page.getByRole("button", { name: "Verify you are human" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("The verification failed. Please check the checkbox again.").waitFor();
  await expect.poll(() => page.evaluate(() => (window as { resets?: number }).resets)).toBe(1);
  await page.evaluate(() => void ((window as { nextToken?: string }).nextToken = "good-token-2"));
  await page.getByRole("button", { name: "Verify you are human" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL((url) => url.pathname !== "/register");
  expect(visitor.sent("register")).toMatchObject([{ challenge: "bad-token" }, { challenge: "good-token-2" }]);
  expect(asked).toEqual(["https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit"]);
});

test("a leaked password is refused at its field, and what was typed stays", async () => {
  scene.panel.visitor.answers.register = () => Promise.reject(refuseField("password", "password.breached"));
  // The browser logs the refused call as an error.
  await openPage({ hasTrouble: true });
  await open("/register");
  await fillRegistration("leaked");
  await page.evaluate(() => void ((window as { nextToken?: string }).nextToken = "good-token-3"));
  await page.getByRole("button", { name: "Verify you are human" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("This password has appeared in a data breach. Please choose another.").waitFor();
  expect(await page.getByLabel("Account name", { exact: true }).inputValue()).toBe("leaked");
});

test("a script that does not come within 15 s is given up, with a way out", async () => {
  await openPage();
  await page.clock.install();
  await page.context().route(/turnstile/, () => undefined);
  await page.addInitScript(() =>
    new MutationObserver((_changes, watching) => {
      if (!document.querySelector("script[src*=turnstile]")) return;
      watching.disconnect();
      Object.assign(globalThis, { askedAtMs: Date.now() });
    }).observe(document, { subtree: true, childList: true }),
  );
  await open("/register");
  const askedAtMs = () => page.evaluate(() => (globalThis as { askedAtMs?: number }).askedAtMs);
  await expect.poll(askedAtMs).toBeDefined();
  // The page's time stands still then, however long a busy machine takes to look.
  await page.clock.pauseAt((await askedAtMs())! + 14_000);
  expect(await page.getByText("The check could not be loaded").count()).toBe(0);
  await page.clock.fastForward(1_100);
  await page.getByText("The check could not be loaded").waitFor();
  await page.clock.resume();
  await page.context().unroute(/turnstile/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Verify you are human" }).waitFor();
});

test("a page that crashes is reported once, without its query", async () => {
  await openPage({ hasTrouble: true });
  await open("/login?token=a-secret-of-somebody");
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
  await requestsKnown();
  expect(sent).toHaveLength(1);
});

test("an error before the panel's settings arrive is reported once they do", async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  scene.panel.visitor.answers.frontEndConfig = async (_asked, { config }) => {
    await held;
    return config;
  };
  await openPage({ hasTrouble: true });
  await open("/login");
  await page.getByLabel("Account name or email").waitFor();
  await Promise.all([
    page.waitForEvent("pageerror"),
    page.evaluate(
      () =>
        void setTimeout(() => {
          throw new TypeError("broken early");
        }),
    ),
  ]);
  await requestsKnown();
  expect(sent).toEqual([]);
  letGo();
  await expect.poll(() => eventsAt("/api/7/envelope/").length).toBe(1);
  expect(eventsAt("/api/7/envelope/")[0]!.body).toContain("broken early");
});
