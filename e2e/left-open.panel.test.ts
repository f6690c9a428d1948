/** The panel left open: without a network, over a restart of the service, in many tabs, for a week. */
import type { Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { createPanelScene } from "#testing/panel/panel-scene.ts";
import type { PanelPerson } from "#testing/panel/serve-panel.ts";

const scene = createPanelScene();
let owner: PanelPerson;

beforeEach(() => {
  owner = scene.panel.signIn();
  owner.state.user.account.instance = buildInstance({ url: "http://ada.localhost:3000", timezone: "Europe/Berlin" });
});

afterEach(() => scene.panel.start());

const headline = (page: Page) => page.getByRole("heading", { level: 1 });
const unreachable = (page: Page) =>
  page.locator(".toasts").getByText("We could not reach the service. Check your connection and try again.", { exact: true });
/** Chromium's own error pages have no address of ours. */
const isOurs = (page: Page) => page.evaluate(() => location.protocol.startsWith("http") && document.querySelector("#root") !== null);

async function openDashboard(): Promise<Page> {
  const page = await scene.pageOf(owner, { hasTrouble: true });
  await page.goto(`${scene.panel.url}/dashboard`);
  await headline(page).getByText("Ada").waitFor();
  // Fetched once the page is painted.
  await page.getByRole("region", { name: "Recent events" }).getByRole("listitem").first().waitFor();
  return page;
}

test.each(["the network is gone", "the service restarts"])(
  "while %s, a page not yet visited leaves the open one in place, says why, and opens once it can be fetched",
  async (what) => {
    const page = await openDashboard();
    const isNetwork = what === "the network is gone";
    await (isNetwork ? page.context().setOffline(true) : scene.panel.stop());
    await page.getByRole("link", { name: "Invite teammates" }).click();
    await unreachable(page).waitFor();
    expect(await isOurs(page)).toBe(true);
    await headline(page).getByText("Ada").waitFor();
    await (isNetwork ? page.context().setOffline(false) : scene.panel.start());
    await headline(page).getByText("Invite").waitFor();
    await expect.poll(() => unreachable(page).count()).toBe(0);
  },
);

test("without a network a dialog not yet opened leaves the page as it is, and opens once it can be fetched", async () => {
  const page = await openDashboard();
  await page.context().setOffline(true);
  await page.keyboard.press("?");
  await unreachable(page).waitFor();
  await headline(page).getByText("Ada").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("a page that failed does not give way to the browser's own error page, and is drawn once the service is back", async () => {
  const page = await scene.pageOf(owner, { hasTrouble: true });
  await page.route(/\/api\/auth\/me$/, (route) => route.abort());
  await page.goto(`${scene.panel.url}/dashboard`);
  await page.getByText("Could not load user data").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Reload the page" }).click();
  await page.getByRole("link", { name: "Go to the start page" }).click();
  await page.getByRole("button", { name: "Reload the page" }).waitFor();
  expect(await isOurs(page)).toBe(true);
  await page.context().setOffline(false);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Reload the page" }).click();
  await headline(page).getByText("Ada").waitFor();
});

/** What the panel asked the service since the last time, by name. */
const callsOf = (person: PanelPerson) => {
  const counts: Record<string, number> = {};
  for (const { name } of person.calls.splice(0)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

const heapOf = async (page: Page): Promise<number> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  await devtools.detach();
  return usedSize;
};

test("a payment that fails, a pause, and a workspace that the service deletes are shown on an open dashboard without a reload", async () => {
  // Browsers log the 404 that says that there is no workspace any more.
  const page = await scene.pageOf(owner, { hasTrouble: true });
  await page.clock.install();
  await page.goto(`${scene.panel.url}/dashboard`);
  await page.getByRole("region", { name: "Recent events" }).getByRole("listitem").first().waitFor();
  let loads = 0;
  page.on("load", () => (loads += 1));
  const banner = page.getByRole("region", { name: "Notices" });
  const { account } = owner.state.user;
  const billing = { planId: "pro-1-monthly", updateUrl: null, cancelAt: null, isArranged: false };

  account.billing = { ...billing, status: "past_due" };
  await page.clock.runFor(31_000);
  await banner.getByText("payment", { exact: false }).first().waitFor();

  account.billing = { ...billing, status: "paused" };
  owner.workspaceIs({ status: instanceStatus.stopped, deletionAt: new Date(Date.now() + 3 * 86_400_000).toISOString() });
  await page.clock.runFor(31_000);
  await banner.getByRole("button", { name: "Resubscribe" }).waitFor();
  expect(await page.getByRole("main").getByRole("link", { name: "Choose a plan" }).count()).toBe(0);

  account.billing = null;
  account.instance = null;
  owner.notify();
  await page.clock.runFor(31_000);
  await page.getByText("No active workspace").first().waitFor();
  expect(loads).toBe(0);
});

test("eight tabs left open for a week: only the visible one calls, all tell the truth on return, and memory stays flat", async () => {
  const first = await scene.pageOf(owner, { hasTrouble: true });
  const context = first.context();
  const pages = [first, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))];
  const paths = ["/dashboard", "/manage", "/manage/billing", "/manage/members", "/manage/backups", "/help", "/account/profile", "/manage"];
  for (const [at, page] of pages.entries()) {
    await page.clock.install();
    // Every page of a headless browser counts as visible.
    await page.addInitScript(() => {
      let state: DocumentVisibilityState = "visible";
      Object.defineProperty(document, "visibilityState", { get: () => state });
      Object.assign(globalThis, {
        turn: (next: DocumentVisibilityState) => {
          state = next;
          document.dispatchEvent(new Event("visibilitychange"));
        },
      });
    });
    await page.goto(scene.panel.url + paths[at]!);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.clock.runFor(3_000);
    if (at > 0) await turn(page, "hidden");
  }
  // Typed on the profile, and never saved.
  const profile = pages[6]!;
  await profile.getByLabel("Name", { exact: false }).first().fill("Ada K.");
  callsOf(owner);
  // The clock is the same for all tabs.
  for (let at = 0; at < 20; at += 1) {
    await first.clock.runFor(30_000);
    await settled(first);
  }
  const calls = callsOf(owner);
  const heapBefore = await heapOf(first);

  // Seven days of events: restarts and naps come by the stream, and the machine is closed at night.
  for (let day = 0; day < 7; day += 1) {
    for (let event = 0; event < 40; event += 1) owner.workspaceIs({ timezone: event % 2 ? "Europe/Berlin" : "Europe/Vienna" });
    await first.clock.runFor(60_000);
    await first.clock.fastForward("23:59:00");
    await settled(first);
  }
  const heapAfter = await heapOf(first);
  const week = callsOf(owner);
  console.info(
    `eight tabs: in ten minutes ${JSON.stringify(calls)}, in seven days of 280 events ${JSON.stringify(week)}; dashboard ${heapBefore} → ${heapAfter} bytes`,
  );
  // Each half minute, in the visible tab alone; a hidden one may fetch the end of its own page once.
  // Nothing was counted, so the workspace is asked for its usage.
  for (const name of ["me", "getFirstDays", "getInstance"]) expect(calls[name], name).toBeLessThanOrEqual(20);
  expect(calls["me"]).toBeGreaterThan(0);
  expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(60 + 4);
  // One reading of the journal for all events of three seconds.
  expect(week["getInstanceJournal"]).toBeLessThanOrEqual(7 * 2);
  expect(heapAfter).toBeLessThan(heapBefore * 1.5);

  // The laptop sleeps, the service restarts, and everything is there again.
  await scene.panel.stop();
  await scene.panel.start();
  await turn(first, "hidden");
  owner.state.user.account.billing = { status: "past_due", planId: "pro-1-monthly", updateUrl: null, cancelAt: null, isArranged: false };
  for (const page of pages) await turn(page, "visible");
  for (const page of pages.slice(0, 2)) await page.getByRole("region", { name: "Notices" }).waitFor();
  expect(await profile.getByLabel("Name", { exact: false }).first().inputValue()).toBe("Ada K.");

  // The session is ended elsewhere: every tab leads to the sign-in page by itself, and what was typed waits there for its user.
  owner.endSession();
  for (const page of pages) await page.clock.runFor(31_000);
  for (const page of pages) await page.waitForURL(/\/(login|help)/);
});

/** The page has sent what was due, and has the answers. */
const settled = (page: Page) =>
  page
    .waitForLoadState("networkidle")
    .then(() => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve))).catch(() => undefined));

const turn = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((next) => (globalThis as unknown as { turn: (state: string) => void }).turn(next), state);
