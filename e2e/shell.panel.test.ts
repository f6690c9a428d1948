/** What surrounds the pages, in a browser: addresses, guards, banners, help, missing chunks, keyboard, small screens. */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { buildAccount, buildPlanSpec } from "#testing/accounts/build-account.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { liveIn } from "#testing/panel/lived-in-answers.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";
import { unsolvedChallenge } from "#testing/panel/unsolved-challenge.ts";

const links = {
  status: "https://status.example.com/",
  impressum: "https://example.com/impressum",
  privacy: "https://example.com/privacy",
  terms: "https://example.com/terms",
};
const phone = { width: 390, height: 844 };
const workspaceUrl = "http://ada.localhost:3000";
const scene = createPanelScene({ panel: { links } });
let owner: PanelPerson;

beforeEach(() => {
  owner = scene.panel.signIn();
  owner.state.config.links = links;
  owner.state.user.account.instance = buildInstance({ url: workspaceUrl, timezone: "Europe/Berlin" });
});

const open = (page: Page, path: string) => page.goto(scene.panel.url + path);
const headline = (page: Page) => page.getByRole("heading", { level: 1 });
const banner = (page: Page) => page.getByRole("region", { name: "Notices" });

/** The owner pays for a plan, and the provider says this of the subscription. */
function bill(status: "past_due" | "paused"): void {
  const planId = "pro-1-monthly";
  const periodEndsAt = new Date(owner.state.now.getTime() + 18 * 86_400_000).toISOString();
  const { account } = owner.state.user;
  account.planSpec = buildPlanSpec("pro-1", new Date(periodEndsAt));
  account.billing = { status, planId, updateUrl: null, cancelAt: null, isArranged: false };
  owner.answers.getSubscription = () => ({
    subscription: {
      status,
      planId,
      planName: "Pro",
      billingPeriod: { unit: "month", count: 1 },
      currency: "USD",
      quotas: null,
      periodEndsAt,
      cancelAt: null,
      changesCloseAt: null,
      isArranged: false,
      scheduledChange: null,
      retries: [{ at: owner.state.now.toISOString(), outcome: "failed" }],
      pausedAt: status === "paused" ? owner.state.now.toISOString() : null,
      deletionAt: null,
      credit: null,
    },
  });
}

test.each(["/nothing", "/manage/nothing", "/help/no-such-answer", "/help/%3Cscript%3E", "/help/a/b"])(
  "%s could not be found, and says so with a way home",
  async (path) => {
    const page = await scene.pageOf(owner);
    const answer = await open(page, path);
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
  ["/manage/settings#variables", "/manage#variables"],
  ["/manage/billing", "/manage"],
  ["/manage/export", "/manage/export"],
  ["/manage/backups", "/manage/backups"],
  ["/account/change-plan", "/account/change-plan"],
  ["/app-selection", "/dashboard"],
  ["/send-confirmation", "/dashboard"],
  ["/login", "/dashboard"],
  ["/account/setup", "/dashboard"],
])("a customer with a workspace who opens %s is redirected to %s", async (path, target) => {
  const page = await scene.pageOf(owner);
  await open(page, path);
  await page.waitForURL(scene.panel.url + target);
  await headline(page).waitFor();
});

test("a visitor is led to the sign-in page with the way back; visitors with an account are told where to sign in", async () => {
  // The browser logs the refused call for the user as an error.
  const visitor = await scene.pageOf(undefined, { hasTrouble: true });
  await open(visitor, "/manage/billing?a=1");
  await visitor.waitForURL("**/login?returnPath=%2Fmanage%2Fbilling%3Fa%3D1");
  expect(await visitor.getByText("Already have an account?").count()).toBe(0);
  await open(visitor, "/register");
  await visitor.getByText("Already have an account?").waitFor();
  await visitor.getByRole("link", { name: "Log in" }).click();
  await visitor.waitForURL("**/login");
  await open(visitor, "/help");
  await visitor.getByRole("heading", { name: "New here?" }).waitFor();
});

test("the manage page shows the workspace as it is, above its settings", async () => {
  liveIn(owner);
  const page = await scene.pageOf(owner);
  await open(page, "/manage");
  const status = page.getByRole("region", { name: "Status", exact: true });
  await status.getByText("Online", { exact: true }).waitFor();
  await status.getByText(new URL(workspaceUrl).host).waitFor();
  await page.getByRole("region", { name: "General" }).getByText("Europe/Berlin").waitFor();
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
  const page = await scene.pageOf(owner);
  bill("past_due");
  await open(page, "/dashboard");
  await banner(page).getByText("Your last payment failed").waitFor();
  await expectAccessible(page);
  await banner(page).getByRole("link", { name: "Go to billing" }).click();
  await page.waitForURL("**/manage/billing");
  await page.getByText("Past due", { exact: true }).waitFor();
  await expectAccessible(page);
  bill("paused");
  await open(page, "/help");
  await banner(page).getByText("Your subscription is paused").waitFor();
  await page.getByRole("region", { name: "About your account" }).getByText("Your subscription is paused").waitFor();
  await banner(page).getByRole("button", { name: "Resubscribe" }).waitFor();
  await banner(page).getByRole("link", { name: "Go to billing" }).click();
  await page.waitForURL("**/manage/billing");
  await page.getByText("Paused", { exact: true }).waitFor();
  owner.state.user.account = buildAccount();
  owner.answers = {};
  await open(page, "/manage");
  await headline(page).waitFor();
  await expect.poll(() => banner(page).count()).toBe(0);
});

test("help is searched while typing, by keyboard alone, and each answer has its address", async () => {
  const page = await scene.pageOf(owner);
  await open(page, "/help");
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
  await open(page, "/help/trial-end");
  await page.getByText("The workspace stops, and its data is kept for 7 days").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("What happens when the trial ends?");
  expect(await page.getByRole("link", { name: "support@example.com" }).getAttribute("href")).toContain("mailto:support@example.com");
});

test("help understands whole sentences, leads straight to the place, and on a phone shows its subjects first", async () => {
  const page = await scene.pageOf(owner);
  await open(page, "/help");
  await page.getByLabel("Search the answers").fill("where do I put environment variables for zebra");
  await page.getByText(/^No answer has all these words/).waitFor();
  const answer = page.locator("details").first();
  await answer.locator("summary").click();
  await answer.getByRole("link", { name: "Open Workspace settings" }).click();
  await page.waitForURL("**/manage#variables");
  await expect
    .poll(() => page.evaluate(() => document.querySelector("#variables")?.getBoundingClientRect().bottom ?? 9_999))
    .toBeLessThan(900);
  await page.setViewportSize(phone);
  await open(page, "/help");
  const subject = page.getByRole("button", { name: "Your workspace" });
  await subject.waitFor();
  expect(await page.locator("summary").evaluateAll((all) => all.filter((each) => each.checkVisibility()).length)).toBe(0);
  await subject.click();
  await page.getByText("What happens when I restart my workspace?").waitFor();
  await expectAccessible(page);
  // An address of an answer opens its subject.
  await open(page, "/help/trial-end");
  await page.getByText("The workspace stops, and its data is kept for 7 days").waitFor();
});

test("header and account menu are walked through by keyboard", async () => {
  const page = await scene.pageOf(owner);
  await open(page, "/dashboard");
  await headline(page).waitFor();
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

test("for a reader who wants less motion nothing fades, so a new color scheme is whole with its first frame", async () => {
  const page = await scene.pageOf(owner);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await open(page, "/manage");
  await page.getByRole("region", { name: "Environment variables" }).waitFor();
  await page.evaluate(() => document.addEventListener("transitionrun", () => (document.title = "fades")));
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const colors = () => page.evaluate(() => ["h1", "h2"].map((name) => getComputedStyle(document.querySelector(name)!).color));
  expect([await colors(), await page.title()]).toEqual([["rgb(232, 240, 240)", "rgb(232, 240, 240)"], "Settings · Slipway"]);
});

test("on 390 px nothing scrolls sideways", async () => {
  liveIn(owner);
  bill("past_due");
  const page = await scene.pageOf(owner, { size: phone });
  for (const path of [
    "/dashboard",
    "/manage",
    "/manage/backups",
    "/manage/billing",
    "/help",
    "/help/launch",
    "/nothing",
    "/invite-teammate",
  ]) {
    await open(page, path);
    await headline(page).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path }).toBeLessThanOrEqual(390);
  }
});

test("a lost session is shown in the same place, and can be closed", async () => {
  // The browser logs the refused call as an error.
  const its = await scene.pageOf(owner, { hasTrouble: true });
  await open(its, "/dashboard");
  await headline(its).waitFor();
  owner.endSession();
  // The page asks again, whichever of its calls is refused first. A click on a link could overtake the way to the sign-in page.
  await its.evaluate(() => dispatchEvent(new Event("online")));
  await its.waitForURL("**/login?returnPath=%2F*");
  await banner(its).getByText("Session expired").waitFor();
  await expectAccessible(its);
  await banner(its).getByRole("button", { name: "Dismiss" }).click();
  await banner(its).waitFor({ state: "detached" });
});

test("a missing chunk reloads the page once; a second time within the minute it says so", async () => {
  const its = await scene.pageOf(owner, { hasTrouble: true });
  await its.route("**/assets/invite-page-*.js", (route) => route.abort());
  await open(its, "/dashboard");
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
  const its = await scene.pageOf(owner, { hasTrouble: true });
  // The chunks are recognized by their content, because their names change with each build.
  await its.route("**/assets/*.js", async (route) => {
    const answer = await route.fetch();
    const isLate = /\b(?:usage\.whatCounts|journal\.showMore)\b/.test(await answer.text());
    await (isLate ? route.abort() : route.fulfill({ response: answer }));
  });
  let loads = 0;
  its.on("load", () => (loads += 1));
  await open(its, "/dashboard");
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
});

test("an old tab whose calls are gone after a release reloads once, and says what is wrong if that does not help", async () => {
  scene.panel.visitor.answers.getChallenge = () => ({ kind: "altcha", challenge: unsolvedChallenge });
  const its = await scene.pageOf(undefined, { hasTrouble: true });
  // The chunk is recognized by its content, because its name changes with each build.
  let loads = 0;
  await its.route("**/assets/*.js", async (route) => {
    const answer = await route.fetch();
    if (!(await answer.text()).includes("/instance/used-limits")) return route.fulfill({ response: answer });
    loads += 1;
    await route.fulfill({ status: 404, body: "" });
  });
  await open(its, "/login");
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

test("the footer keeps the operator's links when the settings cannot be fetched", async () => {
  const its = await scene.pageOf(owner, { hasTrouble: true });
  await its.route(/\/api\/fe\/config/, (route) => route.abort());
  await open(its, "/dashboard");
  for (const name of ["Status", "Impressum", "Privacy", "Terms"]) await its.getByRole("contentinfo").getByRole("link", { name }).waitFor();
});

test("what is printed is the page's content, without the panel around it", async () => {
  const page = await scene.pageOf(owner);
  await open(page, "/dashboard");
  await headline(page).waitFor();
  for (const part of ["header", "footer"]) await page.locator(part).first().waitFor();
  const isShown = (selector: string) => page.locator(selector).first().isVisible();
  await page.emulateMedia({ media: "print" });
  await expect.poll(async () => [await isShown("header"), await isShown("footer"), await isShown("main h1")]).toEqual([false, false, true]);
});

test.each([
  ["/login", "dark"],
  ["/dashboard", "dark"],
  ["/help", undefined],
])("a visitor's first paint of %s has the backdrop of the page that follows", async (path, splash) => {
  const its = await scene.pageOf();
  await its.route("**/assets/*.js", () => {});
  await its.goto(scene.panel.url + path, { waitUntil: "commit" });
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
  const its = await scene.pageOf(owner);
  await its.route("**/assets/*.js", () => {});
  await its.goto(`${scene.panel.url}/dashboard`, { waitUntil: "commit" });
  await its.locator(".splash").waitFor();
  expect(await its.evaluate(() => document.documentElement.dataset["splash"])).toBeUndefined();
});

test.each(["/dashboard", "/manage", "/account/change-plan"])(
  "the first paint of %s waits for one call, and no other comes before it",
  async (path) => {
    const where = await scene.pageOf(owner);
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
    await open(where, path);
    await headline(where).waitFor();
    await later;
    expect(await where.evaluate(() => (globalThis as unknown as { early: string[] }).early)).toEqual(["/api/auth/me"]);
  },
);

test("a fault of the service ends at a page that says so, with the request number to report", async () => {
  const its = await scene.pageOf(owner, { hasTrouble: true });
  await its.route("**/api/auth/me", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({ code: "internal_error", title: "x", requestId: "req-42" }),
    }),
  );
  await open(its, "/dashboard");
  await its.getByRole("heading", { name: "Something went wrong..." }).waitFor();
  await its.getByText("Request number req-42").waitFor();
  // Set by an effect, which runs after the page is painted.
  await expect.poll(() => its.title()).toBe("Something went wrong · Slipway");
  await expectAccessible(its);
});

test("while operations are off a banner says so, and the buttons explain", async () => {
  bill("paused");
  owner.state.config.instanceOperations = false;
  owner.state.user.account.instance!.status = instanceStatus.online;
  const page = await scene.pageOf(owner);
  await open(page, "/manage");
  await banner(page).getByText("We are having technical issues").waitFor();
  await banner(page).getByText("Your subscription is paused").waitFor();
  const restart = page.getByRole("button", { name: "Restart" });
  await expect.poll(() => restart.isDisabled()).toBe(true);
  await page.getByText("Currently unavailable because of technical issues.").first().waitFor();
  await expectAccessible(page);
});
