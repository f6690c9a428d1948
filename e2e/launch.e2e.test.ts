/** The ways between the panel and a running n8n: a template, a code of the editor, the dashboard. Their story is e2e/n8n.story.test.ts. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { loginLink } from "#testing/engines/n8n/n8n-owner.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { startTemplateGallery, type TemplateGallery } from "#testing/network/template-gallery.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";

/** A workspace boots in 10 s on a quiet machine, in a minute on a busy one. */
const bootTimeoutMs = 240_000;

let gallery: TemplateGallery;
let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let panel: Page;
let watch: PageWatch;
let launched: Customer | undefined;

beforeAll(async () => {
  gallery = await startTemplateGallery();
  slipway = await startSlipway({ engine: "n8n", env: { TEMPLATES_URL: gallery.url } });
  browser = await launchBrowser();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Berlin" });
  context.setDefaultTimeout(pageTimeoutMs);
  watch = await watchPages(context, `${slipway.url}/`);
  panel = await context.newPage();
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
  await gallery?.[Symbol.asyncDispose]();
});

/** The owner of an online workspace, signed in to the panel: one for all tests, because n8n boots for so long. */
async function signedInOwner(): Promise<Customer> {
  if (!launched) {
    const owner = await slipway.launch();
    await slipway.until(owner, ({ status }) => status === instanceStatus.online, bootTimeoutMs);
    launched = owner;
  }
  await context.addCookies(sessionCookies(launched.token, slipway.url));
  return launched;
}

test("a link with a template leads to that template in the editor, signed in", async () => {
  const { accountName } = await signedInOwner();
  await panel.goto(`${slipway.url}/dashboard?templateId=1954`);
  await panel.waitForURL(new RegExp(`^${slipway.workspaceUrl(accountName)}/workflow/.*templateId=1954`));
  await panel.locator('[data-test-id="inline-edit-preview"]').filter({ hasText: gallery.templateName }).waitFor();
  await panel.locator('[data-test-id="canvas-node"]').filter({ hasText: "Webhook" }).waitFor();
  expect(watch.trouble()).toEqual([]);
});

test("a code that the editor requests signs its owner in to the panel, once, at the page that the editor names", async () => {
  const owner = await signedInOwner();
  const editor = await context.newPage();
  // It need not be drawn to request a code.
  await editor.goto(await loginLink(slipway, owner), { waitUntil: "commit" });
  const { code } = await editor.evaluate(async () => (await fetch("/rest/cloud/proxy/login/code")).json() as Promise<{ code: string }>);
  const elsewhere = await browser.newContext();
  elsewhere.setDefaultTimeout(pageTimeoutMs);
  const page = await elsewhere.newPage();
  await page.goto(`${slipway.url}/login?code=${code}&returnPath=/help`);
  await page.getByRole("button", { name: `Continue as ${owner.accountName}` }).click();
  await page.waitForURL(`${slipway.url}/help`);
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
  await elsewhere.clearCookies();
  await page.goto(`${slipway.url}/login?code=${code}`);
  await page.getByText("Could not log in user with authentication code").waitFor();
  await elsewhere.close();
  expect(watch.trouble()).toEqual([]);
});

test("the dashboard shows the workspace, its trial and what happened", async () => {
  await signedInOwner();
  await panel.goto(`${slipway.url}/dashboard`);
  await panel.getByRole("heading", { name: "Hello, Ada Lovelace" }).waitFor();
  await panel.getByRole("main").getByText("14 days left in trial").waitFor();
  await panel.getByRole("region", { name: "Recent events" }).getByText("Your workspace is now online.").first().waitFor();
  await expectAccessible(panel);
  for (const width of [768, 390]) {
    await panel.setViewportSize({ width, height: 844 });
    await expect
      .poll(() => panel.evaluate(() => document.documentElement.scrollWidth <= innerWidth), {
        message: `no sideways scrolling at ${width}`,
      })
      .toBe(true);
    await expectAccessible(panel);
  }
  expect(watch.trouble()).toEqual([]);
});
