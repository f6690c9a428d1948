/** The developer bar of the payment sandbox: what a tester sees of it, and what it asks the service to do. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { RouteAnswer } from "#contract/api/route.ts";
import type { routes } from "#contract/routes.ts";
import { stepFrom } from "#domain/journeys/move-clock/move-clock.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";

let panel: PanelServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let tester: PanelPerson;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel({ panel: { sandbox: true } }), launchBrowser()]);
});
beforeEach(async () => {
  tester = panel.signIn();
  Object.assign(tester.state.config, { sandbox: true });
  const sandbox: RouteAnswer<(typeof routes)["getSandbox"]> = {
    webhooks: { delaySeconds: 0, duplicate: false, reorder: false, drop: false, waiting: 0, dropped: 2, lastError: null },
  };
  tester.answers = {
    getSandbox: () => sandbox,
    changeSandbox({ body }) {
      Object.assign(sandbox.webhooks, body.webhooks, body.send === "dropped" ? { dropped: 0 } : {});
      return sandbox;
    },
    moveClock({ body: { advance } }, state) {
      const aheadMs = state.config.clockAheadMs + stepFrom(state.now, advance).getTime() - state.now.getTime();
      state.now = stepFrom(state.now, advance);
      Object.assign(state.config, { now: state.now.toISOString(), clockAheadMs: aheadMs });
      return { now: state.config.now, aheadMs, settled: true };
    },
  };
  context = await panel.contextFor(browser, tester, { width: 390, height: 844 });
  page = await context.newPage();
  await page.goto(`${panel.url}/dashboard`);
});
afterEach(async () => {
  await context?.close();
  expectAnswered(panel);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});

const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
const bar = () => page.getByRole("complementary", { name: "Sandbox" });

test("the developer bar explains a wrong step, moves the service's time, and shows how far it is ahead; the tester stays signed in", async () => {
  await bar().getByText("Service time").click();
  await bar().getByRole("heading", { name: "Move the clock forward" }).waitFor();
  expect(await widthOf()).toBe(390);
  await expectAccessible(page);
  // Also those that the frame of the API refuses.
  let moves = 0;
  page.on("request", (request) => void (request.url().endsWith("/api/dev/clock") && (moves += 1)));
  await bar().getByLabel("Other step").fill("next week");
  await bar().getByRole("button", { name: "Move", exact: true }).click();
  await bar().getByText("Enter a number and d, h, m or mo, such as 7d.").waitFor();
  expect(moves).toBe(0);
  await bar().getByRole("button", { name: "+1 month" }).click();
  await bar()
    .getByText(/^It is now .*\.$/)
    .waitFor();
  await bar().getByText("ahead of now").waitFor();
  expect(tester.sent("moveClock")).toEqual([{ advance: "1mo" }]);
  await expect.poll(() => page.getByRole("link", { name: "Dashboard" }).count()).toBeGreaterThan(0);
  await page.reload();
  await bar().getByText("ahead of now").waitFor();
});

test("the developer bar drops webhooks, and sends those that were dropped", async () => {
  await bar().getByText("Service time").click();
  const drop = bar().getByLabel("Never arrive");
  await drop.click();
  await expect.poll(() => drop.isChecked()).toBe(true);
  await drop.click();
  await expect.poll(() => drop.isChecked()).toBe(false);
  await bar().getByRole("button", { name: "Send dropped webhooks" }).click();
  await expect
    .poll(() => tester.sent("changeSandbox"))
    .toEqual([{ webhooks: { drop: true } }, { webhooks: { drop: false } }, { send: "dropped" }]);
});
