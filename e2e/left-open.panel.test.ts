/** The panel left open: without a network, over a restart of the service, in many tabs, for a week. */
import type { Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
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
  page.setDefaultTimeout(20_000);
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
