/** The product's story, as a visitor experiences it: from the registration page to their own running n8n, and back the next day. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
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

test("a visitor is led from the front page to a running n8n, and a workflow published in its editor answers through the gateway, also after Ctrl-C and a new start", async () => {
  const accountName = "acme-works";
  const email = "ada@acme.example.com";
  const password = "correct horse battery";
  await panel.goto(slipway.url);
  await panel.waitForURL("**/login");
  await expectAccessible(panel);
  await panel.getByRole("link", { name: "Create an account" }).click();
  await panel.waitForURL("**/register");
  await panel.getByLabel("Full name").fill("Ada Lovelace");
  await panel.getByLabel("Account name").fill(accountName);
  await panel.getByLabel("Email", { exact: true }).fill(email);
  await panel.getByLabel("Confirm email").fill(email);
  await panel.getByLabel("Password", { exact: true }).fill(password);
  await panel.getByLabel("I am human").check();
  await expectAccessible(panel);
  await panel.getByRole("button", { name: "Create account" }).click();
  // The address changes before the page: until its heading appears, the button is still the previous step's.
  for (const [step, heading] of [
    ["account/survey", "Tell us about you"],
    ["account/apps", "Which apps do you want to connect?"],
    ["invite-teammate", "Invite teammates"],
  ] as const) {
    await panel.waitForURL(`**/${step}`);
    await panel.getByRole("heading", { name: heading }).waitFor();
    await panel.getByRole("button", { name: "Skip", exact: true }).click();
  }
  await panel.waitForURL("**/verify-email");
  await panel.getByText(email).first().waitFor();
  await expectAccessible(panel);

  // The confirmation mail is in the development inbox, and opening its link lets the waiting page continue.
  const inbox = await context.newPage();
  await inbox.goto(`${slipway.url}/dev/inbox`);
  await inbox.getByRole("list", { name: "Messages" }).getByText(email).click();
  await expectAccessible(inbox);
  await inbox.getByRole("list", { name: "Links in this message" }).getByRole("link").first().click();
  await inbox.waitForURL(/account\/setup|confirm-email/);
  await panel.waitForURL("**/account/setup");
  await inbox.close();

  // The timezone is guessed, the launch is watched, and the workspace is online.
  await expect.poll(() => panel.getByRole("combobox", { name: "Timezone" }).innerText()).toContain("Europe/Berlin");
  await expectAccessible(panel);
  await panel.getByRole("button", { name: "Launch workspace" }).click();
  await panel.waitForURL("**/account/launching");
  await panel.getByRole("progressbar", { name: "Launch progress" }).waitFor();
  await expectAccessible(panel);
  await panel.getByRole("heading", { name: "Your workspace is now online." }).waitFor({ timeout: bootTimeoutMs });
  await expectAccessible(panel);

  // Open leads into the real editor, signed in as its owner.
  const [editor] = await Promise.all([context.waitForEvent("page"), panel.getByRole("button", { name: "Open workspace" }).click()]);
  await editor.waitForURL(`${slipway.workspaceUrl(accountName)}/home/**`);
  const me = await editor.evaluate(async () => (await fetch("/rest/login")).json() as Promise<{ data: { email: string; role: string } }>);
  expect(me.data).toMatchObject({ email, role: "global:owner" });
  const settings = await editor.evaluate(async () => (await fetch("/rest/settings")).json() as Promise<{ data: Record<string, unknown> }>);
  expect(settings.data).toMatchObject({
    timezone: "Europe/Berlin",
    urlBaseWebhook: `${slipway.workspaceUrl(accountName)}/`,
    telemetry: { enabled: false },
  });

  // A workflow with a Webhook trigger is built and published there.
  await editor.goto(`${slipway.workspaceUrl(accountName)}/workflow/new`);
  const at = (id: string) => editor.locator(`[data-test-id="${id}"]`);
  await at("canvas-add-button").click();
  await at("node-creator-search-bar").or(at("node-creator")).first().waitFor();
  await editor.keyboard.type("webhook");
  await at("item-iterator-item").filter({ hasText: "Webhook" }).first().click();
  await at("parameter-input-path").locator("input").fill("hello");
  await at("parameter-input-httpMethod").click();
  await editor.getByRole("option", { name: "POST" }).click();
  await at("ndv-close-button").click();
  await at("workflow-open-publish-modal-button").click();
  await at("workflow-publish-button").click();
  const callWebhook = () => ask(`${slipway.workspaceUrl(accountName)}/webhook/hello`, { method: "POST" });
  await expect.poll(async () => (await callWebhook()).status, { timeout: 60_000 }).toBe(200);
  expect((await callWebhook()).json()).toEqual({ message: "Workflow was started" });
  // An open page complains as soon as the program stops.
  expect(watch.trouble()).toEqual([]);

  // The same workspace comes back with the workflow in it.
  expect(await slipway.signal("SIGINT")).toEqual({ code: 0, signal: null });
  await expect(callWebhook()).rejects.toThrow();
  await slipway.start();
  await panel.goto(`${slipway.url}/dashboard`);
  await panel.getByRole("region", { name: "Workspace" }).getByText("Online", { exact: true }).waitFor({ timeout: bootTimeoutMs });
  // The gateway holds a call for half a minute; on a busy machine n8n boots for longer.
  const answer = async () => (await callWebhook()).json<object>();
  await expect.poll(answer, { timeout: bootTimeoutMs }).toEqual({ message: "Workflow was started" });

  // Saves the next test a launch.
  const { value: token } = (await context.cookies(slipway.url)).find(({ name }) => name === "token")!;
  launched ??= { accountName, email, password, token };
});

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
