/** A workspace that sleeps, as its owner sees it: the dashboard says so without waking it, and "Open" wakes it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { closeByEscape } from "#testing/browser/close-by-escape.ts";
import { watchPages } from "#testing/browser/watch-page.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { openRows } from "../tools/chaos/checks/rows.ts";
import { putToSleep } from "../tools/chaos/round/let-rest.ts";

let slipway: Slipway;
let browser: Browser;
let owner: Customer;

beforeAll(async () => {
  const env = { WORKSPACE_ZRAM_MB: "1024" };
  [slipway, browser] = await Promise.all([startSlipway({ env }), launchBrowser()]);
  owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === instanceStatus.online);
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

const events = async () => (await slipway.journal(owner)).map(({ event }) => event);

test("a sleeping workspace keeps sleeping while its owner looks at the dashboard and opens the palette, and Open wakes it", async ({
  skip,
}) => {
  skip(!slipway.output().includes("idle workspaces are frozen"), "this host cannot freeze workspaces");
  await putToSleep({ rows: openRows(slipway.dataDir) }, 120_000);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  const watch = await watchPages(context, slipway.url);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  const page = await context.newPage();
  const badge = page.getByText("Asleep", { exact: true });
  await page.goto(`${slipway.url}/dashboard`);
  await badge.first().waitFor();
  await expectAccessible(page);
  await page.getByText("Asleep because of inactivity. The next request wakes it in a moment.").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Open workspace" }).waitFor();
  await page.getByRole("combobox", { name: "Search pages, actions and help" }).fill("version");
  await page
    .getByRole("option", { name: /^Version \d/ })
    .first()
    .waitFor();
  await closeByEscape(page.getByRole("dialog", { name: "Search and commands" }));
  expect(asked).not.toContain("/api/account/members");
  expect((await events()).at(-1)).toBe("asleep");
  const [opened] = await Promise.all([context.waitForEvent("page"), page.getByRole("button", { name: "Open workspace" }).click()]);
  await opened.getByText('"instance"').waitFor();
  await expect.poll(events).toContain("woken");
  await expect.poll(() => badge.count()).toBe(0);
  await page.getByText("Online", { exact: true }).first().waitFor();
  expect(watch.trouble()).toEqual([]);
  await context.close();
});
