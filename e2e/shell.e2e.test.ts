/** What surrounds the pages, in a browser: addresses, guards, banners, help, missing chunks, unsaved input, keyboard, small screens. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";

const env: Record<string, string> = {
  STATUS_URL: "https://status.example.com/",
  IMPRESSUM_URL: "https://example.com/impressum",
  PRIVACY_URL: "https://example.com/privacy",
  TERMS_URL: "https://example.com/terms",
};
let database: TestDatabase;
let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: PageWatch;
let owner: Customer;
let visitor: Page;

const contextFor = async (token?: string): Promise<BrowserContext> => {
  const made = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  made.setDefaultTimeout(pageTimeoutMs);
  if (token) await made.addCookies(sessionCookies(token, slipway.url));
  return made;
};
const open = (path: string, where = page) => where.goto(slipway.url + path);
const headline = (where = page) => where.getByRole("heading", { level: 1 });
const banner = (where = page) => where.getByRole("region", { name: "Notices" });
const bill = (status: string) =>
  database.pool.query("update subscriptions set status = $1 where account_id = (select id from accounts where name = $2)", [
    status,
    owner.accountName,
  ]);

beforeAll(async () => {
  database = await createTestDatabase();
  env["DATABASE_URL"] = database.url;
  slipway = await startSlipway({ env });
  owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === instanceStatus.online);
  browser = await launchBrowser();
  context = await contextFor(owner.token);
  watch = await watchPages(context, `${slipway.url}/`);
  page = await context.newPage();
  await open("/dashboard");
  await headline().waitFor();
  visitor = await (await contextFor()).newPage();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
  await database?.close();
});

beforeEach(async () => {
  // Only in another order than this file's, where the test that switches them off is the last: a start takes seconds of processor time.
  if (env["INSTANCE_OPERATIONS"]) {
    delete env["INSTANCE_OPERATIONS"];
    await slipway.kill9();
    await slipway.start();
  }
  await bill("trialing");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null });
});
afterEach(expectNoTrouble);

function expectNoTrouble() {
  // The streams of the killed program end as errors.
  const expected = /ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET)/;
  const trouble = watch.trouble().splice(0);
  expect(
    trouble.filter((line) => !expected.test(line)),
    "nothing failed, and no other machine was called",
  ).toEqual([]);
}

test.each(["/nothing", "/manage/nothing", "/help/no-such-answer", "/help/%3Cscript%3E", "/help/a/b"])(
  "%s could not be found, and says so with a way home",
  async (path) => {
    const answer = await open(path);
    expect(answer?.status()).toBe(404);
    await page.getByRole("heading", { name: "This page could not be found" }).waitFor();
    // Set by an effect, which runs after the page is painted.
    await expect.poll(() => page.title()).toBe("Page not found · Slipway");
    await expect.poll(() => page.getByRole("main").count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Go to the start page" }).click();
    await page.waitForURL("**/dashboard");
  },
);

test.each([
  ["/manage", "/manage"],
  ["/manage/instance", "/manage/instance"],
  ["/manage/billing", "/manage"],
  ["/manage/export", "/manage/export"],
  ["/manage/backups", "/manage/backups"],
  ["/account/change-plan", "/account/change-plan"],
  ["/app-selection", "/dashboard"],
  ["/send-confirmation", "/dashboard"],
  ["/login", "/dashboard"],
  ["/account/setup", "/dashboard"],
])("a customer with a workspace who opens %s is redirected to %s", async (path, target) => {
  await open(path);
  await page.waitForURL(slipway.url + target);
  await headline().waitFor();
});

test("a visitor is led to the sign-in page with the way back; visitors with an account are told where to sign in", async () => {
  await open("/manage/billing?a=1", visitor);
  await visitor.waitForURL("**/login?returnPath=%2Fmanage%2Fbilling%3Fa%3D1");
  expect(await visitor.getByText("Already have an account?").count()).toBe(0);
  await open("/register", visitor);
  await visitor.getByText("Already have an account?").waitFor();
  await visitor.getByRole("link", { name: "Log in" }).click();
  await visitor.waitForURL("**/login");
  await open("/help", visitor);
  await visitor.getByRole("heading", { name: "New here?" }).waitFor();
});

test("the manage page shows the workspace as it is", async () => {
  await open("/manage");
  const facts = page.getByRole("region", { name: "Workspace settings" });
  await facts.getByText("Online", { exact: true }).waitFor();
  for (const fact of ["Europe/Berlin", new URL(slipway.workspaceUrl(owner.accountName)).host]) await facts.getByText(fact).waitFor();
  await expectAccessible(page);
  for (const [place, section] of [
    ["Monitoring", "Memory"],
    ["Monitoring", "Crash history"],
    ["Logs", "Output"],
    ["Settings", "General"],
    ["Versions", "Version and updates"],
    ["Danger zone", "Delete this workspace"],
  ] as const) {
    await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: place, exact: true }).click();
    await page.getByRole("region", { name: section, exact: true }).waitFor();
    await page.getByRole("heading", { level: 1, name: place, exact: true }).waitFor();
    // Set by an effect, which runs after the page is painted.
    await expect.poll(() => page.title()).toBe(`${place} · Slipway`);
  }
  await expectAccessible(page);
});

test("a failed payment is shown on every page and leads to billing; a paused subscription is more urgent; no notice when all is well", async () => {
  await bill("past_due");
  await open("/dashboard");
  await banner().getByText("Your last payment failed").waitFor();
  await expectAccessible(page);
  await banner().getByRole("link", { name: "Go to billing" }).click();
  await page.waitForURL("**/manage/billing");
  await page.getByText("Past due", { exact: true }).waitFor();
  await expectAccessible(page);
  await bill("paused");
  await open("/help");
  await banner().getByText("Your subscription is paused").waitFor();
  await page.getByRole("region", { name: "About your account" }).getByText("Your subscription is paused").waitFor();
  await banner().getByRole("button", { name: "Resubscribe" }).waitFor();
  await banner().getByRole("link", { name: "Go to billing" }).click();
  await page.waitForURL("**/manage/billing");
  await page.getByText("Paused", { exact: true }).waitFor();
  await bill("trialing");
  await open("/manage");
  await headline().waitFor();
  await expect.poll(() => banner().count()).toBe(0);
});

test("help is searched while typing, by keyboard alone, and each answer has its address", async () => {
  await open("/help");
  await page.getByRole("heading", { name: "Your workspace is online" }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press("/");
  await page.keyboard.type("timezone");
  await page
    .getByText("1 answer found")
    .or(page.getByText(/\d answers found/))
    .first()
    .waitFor();
  // Also in answers that are still closed, and once the whole word was searched for.
  const marked = async () => new Set((await page.locator("mark").allTextContents()).map((text) => text.toLowerCase()));
  await expect.poll(marked).toEqual(new Set(["timezone"]));
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("The one you chose during setup.").waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Open Workspace settings");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/help/timezone");
  const asked = page.getByLabel("Search the answers");
  // Only once the new page has the focus can it be returned.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  await expect
    .poll(async () => {
      await page.keyboard.press("Escape");
      return asked.evaluate((input) => input === document.activeElement);
    })
    .toBe(true);
  await asked.fill("zebra <b>");
  await page.getByRole("button", { name: "Clear search" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear search" }).press("Enter");
  await open("/help/trial-end");
  await page.getByText("The workspace stops, and its data is kept for 7 days").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("What happens when the trial ends?");
  expect(await page.getByRole("link", { name: "support@example.com" }).getAttribute("href")).toContain("mailto:support@example.com");
});

test("help understands whole sentences, leads straight to the place, and on a phone shows its subjects first", async () => {
  await open("/help");
  await page.getByLabel("Search the answers").fill("where do I put environment variables for zebra");
  await page.getByText(/^No answer has all these words/).waitFor();
  const answer = page.locator("details").first();
  await answer.locator("summary").click();
  await answer.getByRole("link", { name: "Open Workspace settings" }).click();
  await page.waitForURL("**/manage/settings#variables");
  await expect
    .poll(() => page.evaluate(() => document.querySelector("#variables")?.getBoundingClientRect().bottom ?? 9_999))
    .toBeLessThan(900);
  await page.setViewportSize({ width: 390, height: 844 });
  await open("/help");
  const subject = page.getByRole("button", { name: "Your workspace" });
  await subject.waitFor();
  expect(await page.locator("summary").evaluateAll((all) => all.filter((each) => each.checkVisibility()).length)).toBe(0);
  await subject.click();
  await page.getByText("What happens when I restart my workspace?").waitFor();
  await expectAccessible(page);
  // An address of an answer opens its subject.
  await open("/help/trial-end");
  await page.getByText("The workspace stops, and its data is kept for 7 days").waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("header and account menu are walked through by keyboard", async () => {
  await open("/dashboard");
  await headline().waitFor();
  // The last of the header's links: it appears with the plan, which is fetched after the first paint.
  await page.getByRole("banner").getByRole("link", { name: "Upgrade plan" }).waitFor();
  const reached: string[] = [];
  for (let stop = 0; stop < 10; stop += 1) {
    await page.keyboard.press("Tab");
    reached.push(
      await page.evaluate(() => (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim()),
    );
  }
  expect(reached.slice(0, 7)).toEqual([
    "Skip to content",
    "Slipway, home",
    "Dashboard",
    "Manage",
    "Help",
    "Upgrade plan",
    "Search and commands",
  ]);
  expect(reached[9]).toBe("Sign out");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await expectAccessible(page);
  await closeByEscape(page.getByRole("menu"));
});

test("on 390 px nothing scrolls sideways", async () => {
  await bill("past_due");
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [
    "/dashboard",
    "/manage",
    "/manage/settings",
    "/manage/backups",
    "/manage/billing",
    "/help",
    "/help/launch",
    "/nothing",
    "/invite-teammate",
  ]) {
    await open(path);
    await headline().waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path }).toBeLessThanOrEqual(390);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await bill("trialing");
});

test("a lost session is shown in the same place, and can be closed", async () => {
  const other = await slipway.register();
  const its = await (await contextFor(other.token)).newPage();
  await open("/dashboard", its);
  await headline(its).waitFor();
  await slipway.call("GET", "/api/auth/logout", { token: other.token });
  await its.getByRole("link", { name: "Help" }).click();
  await banner(its).getByText("Session expired").waitFor();
  await its.waitForURL("**/login?returnPath=%2F*");
  await expectAccessible(its);
  await banner(its).getByRole("button", { name: "Dismiss" }).click();
  await banner(its).waitFor({ state: "detached" });
});

test("a missing chunk reloads the page once; a second time within the minute it says so", async () => {
  const its = await (await contextFor(owner.token)).newPage();
  await its.route("**/assets/invite-page-*.js", (route) => route.abort());
  await open("/dashboard", its);
  const link = its.getByRole("link", { name: "Invite teammates" });
  await link.waitFor();
  await Promise.all([its.waitForEvent("load"), link.click()]);
  await link.waitFor();
  await link.click();
  await its.getByText("A new version is available. Reload the page to continue.").waitFor();
  await its.unroute("**/assets/invite-page-*.js");
  await its.getByRole("button", { name: "Reload the page" }).click();
  await headline(its).getByText("Invite").waitFor();
});

test("parts of the dashboard that cannot be fetched leave the rest as it is, without a reload, and are fetched when tried again", async () => {
  const its = await (await contextFor(owner.token)).newPage();
  // The chunks are recognized by their content, because their names change with each build.
  await its.route("**/assets/*.js", async (route) => {
    const answer = await route.fetch();
    const isLate = /\b(?:usage\.whatCounts|journal\.showMore)\b/.test(await answer.text());
    await (isLate ? route.abort() : route.fulfill({ response: answer }));
  });
  let loads = 0;
  its.on("load", () => (loads += 1));
  await open("/dashboard", its);
  await its.getByText("The events could not be loaded").waitFor();
  await its.getByText("Your usage could not be loaded").waitFor();
  await headline(its).getByText("Ada").waitFor();
  await its.getByRole("link", { name: "Help" }).waitFor();
  await expectAccessible(its);
  expect(loads).toBe(1);
  await its.unrouteAll({ behavior: "wait" });
  const events = its.getByRole("region", { name: "Recent events" });
  await events.getByRole("button", { name: "Try again" }).click();
  await events.getByRole("listitem").first().waitFor();
  await its.context().close();
});

test("an old tab whose calls are gone after a release reloads once, and says what is wrong if that does not help", async () => {
  const its = await (await contextFor()).newPage();
  // The chunk is recognized by its content, because its name changes with each build.
  let loads = 0;
  await its.route("**/assets/*.js", async (route) => {
    const answer = await route.fetch();
    if (!(await answer.text()).includes("/instance/used-limits")) return route.fulfill({ response: answer });
    loads += 1;
    await route.fulfill({ status: 404, body: "" });
  });
  await open("/login", its);
  await headline(its).waitFor();
  expect(loads).toBe(0);
  await Promise.all([its.waitForEvent("load"), its.getByRole("link", { name: "Create an account" }).click()]);
  await expect.poll(() => loads).toBe(2);
  await its.getByText("The check could not be loaded").waitFor();
  // Chunks are still fetched while the page is idle.
  await its.unrouteAll({ behavior: "wait" });
  await its.reload();
  await its.getByRole("checkbox").waitFor();
  expect(loads).toBe(2);
});

test("the API's reference opens as the README links it, in both themes, and on a phone", async () => {
  await page.goto(`${slipway.url}/api/docs`);
  await headline().getByText("Slipway API").waitFor();
  await page.getByText("/api/auth/login", { exact: true }).click();
  await page.getByRole("link", { name: "invalid_credentials" }).first().click();
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("#invalid_credentials");
  await page.setViewportSize({ width: 390, height: 844 });
  // The sections are one line that stays in view and is swiped.
  const sections = page.getByRole("navigation", { name: "Sections" });
  await expect.poll(async () => (await sections.boundingBox())?.height).toBeLessThan(60);
  await sections.getByRole("link", { name: "Error codes" }).click();
  await expect.poll(async () => (await sections.boundingBox())?.y).toBe(57);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: null });
});

test("the reference speaks German to a German reader, shows this panel's address in its examples, and copies them as text", async () => {
  const german = await browser.newContext({ locale: "de-DE", viewport: { width: 390, height: 844 } });
  german.setDefaultTimeout(pageTimeoutMs);
  await german.grantPermissions(["clipboard-read", "clipboard-write"], { origin: slipway.url });
  const reader = await german.newPage();
  await open("/api/docs", reader);
  await reader.getByRole("heading", { name: "Erster Aufruf" }).waitFor();
  const example = reader.locator("#first-call .curl .sample");
  await expect.poll(() => example.locator("pre").textContent()).toContain(`SLIPWAY=${slipway.url.replace(/\/$/, "")}\n`);
  await example.getByRole("button", { name: "Kopieren" }).click();
  await example.getByRole("button", { name: "Kopiert" }).waitFor();
  expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(await example.locator("pre").textContent());
  await expect.poll(() => reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(reader);
  await german.close();
});

test("the reference finds a call and sends it with the reader's own session, and one that changes something only after a tick", async () => {
  const reader = await (await contextFor(owner.token)).newPage();
  await reader.goto(`${slipway.url}/api/docs#get-api-auth-me`);
  const me = reader.locator("#get-api-auth-me");
  await me.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => me.getByRole("status").textContent()).toMatch(/^200 after \d+ ms.*"email"/s);
  await reader.getByLabel("Find a call").fill("sessions delete");
  await expect.poll(() => reader.locator("details:visible").count()).toBe(2);
  const end = reader.locator("#delete-api-auth-sessions-id-");
  await end.locator("summary").click();
  await end.getByLabel("id (path)").fill("0b0a4ad2-64c1-4f0e-9d5b-0c6a3b0f6f11");
  await end.getByRole("button", { name: "Send" }).click();
  expect(await end.getByRole("status").textContent()).toBe("");
  await end.getByRole("checkbox").check();
  await end.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => end.getByRole("status").textContent()).toMatch(/^404 after/);
  await expectAccessible(reader);
});

test("the profile says what is not saved, discards it, and asks before leaving it", async () => {
  await open("/account/profile");
  const [save, name] = [page.getByRole("button", { name: "Save profile" }), page.getByLabel("Full name")];
  const before = await name.inputValue();
  await expect.poll(() => save.isDisabled()).toBe(true);
  await name.fill("Ada King");
  await page.getByText("1 unsaved change").waitFor();
  await expect.poll(() => save.isDisabled()).toBe(false);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Notifications" }).click();
  await page.getByText("Leave without saving?").waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  await page.getByText("Leave without saving?").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByText("All changes saved").waitFor();
  expect(await name.inputValue()).toBe(before);
  await name.fill("Ada King");
  await save.click();
  await page.getByText("Profile saved.").waitFor();
  await page.getByText("All changes saved").waitFor();
  await page.getByRole("link", { name: "Notifications" }).click();
  await headline().getByText("Notifications").waitFor();
});

test("the footer keeps the operator's links when the settings cannot be fetched", async () => {
  const its = await (await contextFor(owner.token)).newPage();
  await its.route(/\/api\/fe\/config/, (route) => route.abort());
  await open("/dashboard", its);
  for (const name of ["Status", "Impressum", "Privacy", "Terms"]) await its.getByRole("contentinfo").getByRole("link", { name }).waitFor();
});

test("what is printed is the page's content, without the panel around it", async () => {
  await open("/dashboard");
  await headline().waitFor();
  for (const part of ["header", "footer"]) await page.locator(part).first().waitFor();
  const isShown = (selector: string) => page.locator(selector).first().isVisible();
  await page.emulateMedia({ media: "print" });
  await expect.poll(async () => [await isShown("header"), await isShown("footer"), await isShown("main h1")]).toEqual([false, false, true]);
  await page.emulateMedia({ media: null });
});

test.each([
  ["/login", "dark"],
  ["/dashboard", "dark"],
  ["/help", undefined],
])("a visitor's first paint of %s has the backdrop of the page that follows", async (path, splash) => {
  const its = await (await contextFor()).newPage();
  await its.route("**/assets/*.js", () => {});
  await its.goto(slipway.url + path, { waitUntil: "commit" });
  await its.locator(".splash").waitFor();
  expect(await its.evaluate(() => document.documentElement.dataset["splash"])).toBe(splash);
  const [splashColour, deep] = await its.evaluate(() => {
    const root = getComputedStyle(document.documentElement);
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = root.getPropertyValue("--color-deep");
    return [getComputedStyle(document.querySelector(".splash")!).backgroundColor, getComputedStyle(probe).color];
  });
  expect(splashColour === deep).toBe(splash === "dark");
});

test("a signed-in user's first paint of a page behind the sign-in has no backdrop", async () => {
  const its = await (await contextFor(owner.token)).newPage();
  await its.route("**/assets/*.js", () => {});
  await its.goto(`${slipway.url}/dashboard`, { waitUntil: "commit" });
  await its.locator(".splash").waitFor();
  expect(await its.evaluate(() => document.documentElement.dataset["splash"])).toBeUndefined();
});

test.each(["/dashboard", "/manage", "/account/change-plan"])(
  "the first paint of %s waits for one call, and no other comes before it",
  async (path) => {
    const where = await context.newPage();
    await where.addInitScript(() => {
      const early: string[] = [];
      Object.assign(globalThis, { early });
      let isPainted = false;
      const paint = () => (isPainted = true);
      const watching = new MutationObserver(() => {
        if (!document.querySelector("h1")) return;
        watching.disconnect();
        // This frame has its heading; the page's own count of frames began a moment earlier.
        requestAnimationFrame(paint);
        // On a machine that paints this late, the page does not wait for it.
        setTimeout(paint, 450);
      });
      watching.observe(document, { subtree: true, childList: true });
      const note = (address: string) => (isPainted ? undefined : early.push(new URL(address, location.origin).pathname));
      const { fetch, EventSource } = globalThis;
      globalThis.fetch = (input, init) => {
        note(input instanceof Request ? input.url : String(input));
        return fetch(input, init);
      };
      globalThis.EventSource = class extends EventSource {
        constructor(address: string | URL) {
          note(String(address));
          super(address);
        }
      };
    });
    // From before the page is opened: it may answer before the heading is found.
    const later = where.waitForResponse((answer) => answer.url().endsWith("/api/user/plan"));
    await open(path, where);
    await headline(where).waitFor();
    await later;
    expect(await where.evaluate(() => (globalThis as unknown as { early: string[] }).early)).toEqual(["/api/auth/me"]);
    await where.close();
  },
);

test("a fault of the service ends at a page that says so, with the request number to report", async () => {
  const its = await (await contextFor(owner.token)).newPage();
  await its.route("**/api/auth/me", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({ code: "internal_error", title: "x", requestId: "req-42" }),
    }),
  );
  await open("/dashboard", its);
  await its.getByRole("heading", { name: "Something went wrong..." }).waitFor();
  await its.getByText("Request number req-42").waitFor();
  // Set by an effect, which runs after the page is painted.
  await expect.poll(() => its.title()).toBe("Something went wrong · Slipway");
  await expectAccessible(its);
});

/** A page with the profile, whose saves wait until they are let through. */
async function openProfile() {
  const person = await slipway.register();
  const its = await (await contextFor(person.token)).newPage();
  const held: (() => void)[] = [];
  let answer: "continue" | "abort" = "continue";
  await its.route("**/api/account/profile", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route[answer]();
  });
  await open("/account/profile", its);
  return {
    its,
    name: its.getByLabel("Full name"),
    save: async () => {
      await its.getByRole("button", { name: "Save profile" }).click();
      await expect.poll(() => held.length).toBe(1);
    },
    letThrough: (how: typeof answer) => {
      answer = how;
      held.shift()?.();
    },
    question: its.getByRole("alertdialog", { name: "Leave without saving?" }),
    kept: async () =>
      (await slipway.call("GET", "/api/auth/me", { token: person.token })).json<{ user: { fullName: string } }>().user.fullName,
  };
}

test("what is typed while the profile is being saved stays, unsaved", async () => {
  const { its, name, save, letThrough, kept } = await openProfile();
  await name.fill("Ada K");
  await save();
  await name.fill("Ada King");
  letThrough("continue");
  await its.getByText("Profile saved.").waitFor();
  await its.getByText("1 unsaved change").waitFor();
  expect(await name.inputValue()).toBe("Ada King");
  await expect.poll(() => its.getByText("Your profile has changed").count()).toBe(0);
  await save();
  letThrough("continue");
  await its.getByText("All changes saved").waitFor();
  expect(await kept()).toBe("Ada King");
  await its.context().close();
});

test("undoing a saved profile does not overwrite what was saved elsewhere since, and says so", async () => {
  const person = await slipway.register();
  const its = await (await contextFor(person.token)).newPage();
  await open("/account/profile", its);
  const [name, save] = [its.getByLabel("Full name"), its.getByRole("button", { name: "Save profile" })];
  const before = await name.inputValue();
  await name.fill("Ada King");
  await save.click();
  await its.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => name.inputValue()).toBe(before);
  await name.fill("Ada King");
  await save.click();
  await its.getByText("All changes saved").waitFor();
  await slipway.call("PATCH", "/api/account/profile", { token: person.token, body: { fullName: "Ada Byron" } });
  await its.getByRole("button", { name: "Undo" }).click();
  await its.getByText(/^This could not be undone\. It was changed in another tab/).waitFor();
  await expect.poll(() => name.inputValue()).toBe("Ada Byron");
  await its.context().close();
});

test("leaving while the profile is being saved asks, keeps the input if that fails, and continues once it is saved", async () => {
  const { its, name, save, letThrough, question, kept } = await openProfile();
  await name.fill("Ada King");
  await save();
  const help = its.getByRole("link", { name: "Help" }).first();
  await help.click();
  await question.waitFor();
  letThrough("abort");
  await question.getByRole("button", { name: "Stay" }).click();
  await its.getByText("The profile could not be saved").waitFor();
  expect(await name.inputValue()).toBe("Ada King");
  await save();
  await help.click();
  await question.waitFor();
  letThrough("continue");
  await its.waitForURL("**/help");
  await question.waitFor({ state: "detached" });
  expect(await kept()).toBe("Ada King");
  await its.context().close();
});

test("signing out with unsaved changes asks first, from the header and from the palette", async () => {
  const { its, name } = await openProfile();
  const question = its.getByRole("alertdialog", { name: "Sign out without saving?" });
  await name.fill("Ada King");
  const signOut = its.getByRole("button", { name: "Sign out" });
  await signOut.click();
  await question.getByText("Not saved yet: profile.", { exact: false }).waitFor();
  await expectAccessible(its);
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await question.waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Ada King");
  await its.keyboard.press("ControlOrMeta+k");
  await its.getByRole("dialog", { name: "Search and commands" }).getByRole("combobox").fill("Sign out");
  await its.keyboard.press("Enter");
  await closeByEscape(question);
  expect(await name.inputValue()).toBe("Ada King");
  await signOut.click();
  await question.getByRole("button", { name: "Discard and sign out" }).click();
  await its.waitForURL("**/login");
  await its.getByText("Logout succeeded").waitFor();
  await its.context().close();
});

test("signing out asks about input that was left on other pages; signing out in another tab keeps it until its user is back", async () => {
  const { email, password } = owner;
  const { token } = (await slipway.call("POST", "/api/auth/login", { body: { login: email, password } })).json<{ token: string }>();
  const itsContext = await contextFor(token);
  const its = await itsContext.newPage();
  const invited = its.getByLabel("Email addresses");
  const question = its.getByRole("alertdialog", { name: "Sign out without saving?" });
  await open("/account/security?account=change-email", its);
  await its.getByLabel("New email").fill("ada@example.com");
  await open("/manage/members", its);
  await invited.fill("bob@example.com");
  await open("/help", its);
  const signOut = its.getByRole("button", { name: "Sign out" });
  await signOut.click();
  await question.getByText(/^Not saved yet: .*invitations.*\. Signing out discards what you entered\.$/).waitFor();
  await question.getByText("new email address", { exact: false }).waitFor();
  await question.getByRole("button", { name: "Stay signed in" }).click();
  await question.waitFor({ state: "detached" });
  await open("/manage/members", its);
  await expect.poll(() => invited.inputValue()).toBe("bob@example.com");

  await signOut.click();
  await question.waitFor();

  // This tab has nothing unsaved, and asks nothing. The question in the other one ends with the session.
  const other = await itsContext.newPage();
  await open("/dashboard", other);
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.waitForURL("**/login");
  await its.waitForURL("**/login?**");
  await its.getByText("You were signed out in another tab. What you entered here is kept", { exact: false }).waitFor();
  await question.waitFor({ state: "detached" });
  await its.getByLabel("Account name or email").fill(email);
  await its.getByLabel("Password", { exact: true }).fill(password);
  await its.getByRole("button", { name: "Sign in" }).click();
  await its.waitForURL("**/manage/members");
  await expect.poll(() => invited.inputValue()).toBe("bob@example.com");
  await open("/manage/settings", its);
  await its.getByLabel("Executions to keep").fill("500");
  await signOut.click();
  await question.getByText("settings", { exact: false }).waitFor();
  await question.getByRole("button", { name: "Discard and sign out" }).click();
  await its.waitForURL("**/login");
  await its.getByText("Logout succeeded").waitFor();
  expect(await its.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("slipway.draft.")))).toEqual([]);
  await itsContext.close();
});

test("signing out says that it failed if its question cannot be fetched, and asks after a reload", async () => {
  const { its, name } = await openProfile();
  // The dialog's chunk is recognized by its content, because its name changes with each build.
  await its.context().route("**/assets/*.js", async (route) => {
    const answer = await route.fetch();
    await (/confirmLabel:\w+,cancelLabel:\w+,/.test(await answer.text()) ? route.abort() : route.fulfill({ response: answer }));
  });
  await its.reload();
  // Without this, the missing part would reload the page first.
  await its.evaluate(() => sessionStorage.setItem("slipway.reloaded-at", String(Date.now())));
  await name.fill("Ada King");
  const signOut = its.getByRole("button", { name: "Sign out" });
  await signOut.click();
  await its.getByText("You are still signed in because the service could not be reached.", { exact: false }).waitFor();
  await its.context().unrouteAll({ behavior: "wait" });
  // The browser keeps that it could not be fetched until the page is loaded again, which the button may do a minute later.
  await its.evaluate(() => sessionStorage.removeItem("slipway.reloaded-at"));
  await Promise.all([its.waitForEvent("load"), signOut.click()]);
  await its.getByText("1 unsaved change").waitFor();
  await signOut.click();
  await its.getByRole("alertdialog", { name: "Sign out without saving?" }).getByRole("button", { name: "Stay signed in" }).click();
  expect(await name.inputValue()).toBe("Ada King");
  await its.context().close();
});

test("while operations are off a banner says so, the buttons explain, and a call is refused", async () => {
  await slipway.kill9();
  env["INSTANCE_OPERATIONS"] = "off";
  await slipway.start();
  await bill("paused");
  await open("/manage");
  await banner().getByText("We are having technical issues").waitFor();
  await banner().getByText("Your subscription is paused").waitFor();
  const restart = page.getByRole("button", { name: "Restart" });
  await expect.poll(() => restart.isDisabled()).toBe(true);
  await page.getByText("Currently unavailable because of technical issues.").first().waitFor();
  await expectAccessible(page);
  expect((await slipway.call("PUT", "/api/instance/restart", { token: owner.token })).json()).toMatchObject({
    status: 503,
    code: "instance_operations_off",
  });
});
