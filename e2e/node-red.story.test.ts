/** The product's story with Node-RED: from the first page to a flow that answers, a payment, an update, an export, and back after a restart. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { exportWorkflows, launch, openWorkspace, payForStarter, signUp, updateTo } from "#testing/browser/owner-steps.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";
import { hello } from "#testing/engines/node-red/hello-flow.ts";
import { installReleases } from "#testing/engines/prepare-engines.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

const visitor = { accountName: "ada-flows", email: "ada@flows.example.com", password: "correct horse battery" };

let newer: string;
let older: string;
let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let panel: Page;
let watch: PageWatch;

beforeAll(async () => {
  [newer, older] = (await installReleases("node-red")) as [string, string];
  [slipway, browser] = await Promise.all([startSlipway({ engine: "node-red" }), launchBrowser()]);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Berlin" });
  context.setDefaultTimeout(pageTimeoutMs);
  watch = await watchPages(context, `${slipway.url}/`);
  panel = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

test("a visitor is led from the front page to a running Node-RED; a flow deployed in its editor answers through the gateway, after a payment, an update, a stop and a new start, and is exported", async () => {
  await signUp(panel, slipway.url, visitor);
  await launch(panel, older);
  const editor = await openWorkspace(panel);
  await editor.locator("#red-ui-header-button-deploy").waitFor();
  expect(new URL(editor.url()).searchParams.get("access_token"), "the token does not stay in the address").toBeNull();

  await editor.evaluate(async (flows) => {
    const { access_token: token } = JSON.parse(localStorage.getItem("auth-tokens")!) as { access_token: string };
    const answer = await fetch("/flows", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(flows),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }, hello);
  const callHello = async () => (await ask(`${slipway.workspaceUrl(visitor.accountName)}/hello`)).text;
  const answers = () => expect.poll(callHello, { timeout: 120_000 }).toBe("1 o’clock");
  await answers();

  await payForStarter(panel, slipway.url);
  // A new major version is offered to owners who want the newest releases.
  await updateTo(panel, slipway.url, newer, "newest");
  await answers();
  const files = await exportWorkflows(panel, slipway.url);
  expect([...files.values()].some((content) => content.includes("o’clock"))).toBe(true);
  // An open page complains as soon as the program stops.
  expect(watch.trouble()).toEqual([]);

  await slipway.signal("SIGINT");
  await slipway.start();
  await answers();
  await editor.reload();
  await editor.locator("#red-ui-header-button-deploy").waitFor();
});
