/** Inviting teammates in a browser, from a pasted list to a joined member; the workspace is a small engine in n8n's place. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Invitation } from "#contract/accounts/invitation.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";

let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: PageWatch;
let owner: Customer;

beforeAll(async () => {
  slipway = await startSlipway();
  owner = await slipway.register();
  for (const step of ["survey", "apps"]) await slipway.call("POST", "/api/account/onboarding/skip", { token: owner.token, body: { step } });
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  watch = await watchPages(context, `${slipway.url}/`);
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

const field = () => page.getByLabel("Email addresses");
const row = (email: string) => page.getByRole("region", { name: "Invited people" }).getByRole("listitem").filter({ hasText: email });
const problems = () => page.getByRole("list", { name: "Check these addresses" }).getByRole("listitem").allInnerTexts();

async function paste(text: string): Promise<void> {
  await field().focus();
  await field().evaluate((input, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", data);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test("a pasted list becomes people; each wrong address is named, and no entry is lost", async () => {
  await page.goto(`${slipway.url}/invite-teammate`);
  await page.getByText("Your plan allows 5 people, including you. You can invite 4 more.").waitFor();
  expect(await page.getByRole("region", { name: "Invited people" }).count()).toBe(0);
  await expectAccessible(page);
  await paste(`Bob Builder <Bob@example.com>; "Doe, Jane" <jane@example.com>,\n carl@\nbob@example.com`);
  await page.keyboard.type(`${owner.email},`);
  await page.keyboard.type("left-over@example");
  await page.getByRole("button", { name: "Invite 2 people" }).click();
  await expect
    .poll(problems)
    .toEqual([
      "carl@: Enter a valid email address",
      `${owner.email}: This is your own address.`,
      "left-over@example: Enter a valid email address",
    ]);
  await expectAccessible(page);
  await page.reload();
  await page.getByRole("button", { name: "Edit carl@" }).waitFor();
  await expect.poll(problems).toHaveLength(3);
});

test("by keyboard alone an address is corrected, others are removed, and the rest are invited", async () => {
  await page.getByRole("button", { name: `Remove ${owner.email}` }).press("Enter");
  await page.getByRole("button", { name: "Remove left-over@example" }).press("Enter");
  await page.getByRole("button", { name: "Edit carl@" }).press("Enter");
  const edited = () => field().evaluate((input: HTMLInputElement) => input === document.activeElement && input.value);
  await expect.poll(edited).toBe("carl@");
  await page.keyboard.type("example.com");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("Your invitations are saved").waitFor();
  for (const email of ["bob@example.com", "jane@example.com", "carl@example.com"])
    await row(email).getByText("Will be sent once the workspace is online.").waitFor();
  await expectAccessible(page);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Continue");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/verify-email");
  await page.goto(`${slipway.url}/invite-teammate`);
  await page.getByText("Your plan allows 5 people, including you. You can invite 1 more.").waitFor();
  await expect.poll(() => page.getByRole("list", { name: "Addresses to invite" }).count()).toBe(0);
});

test("an address added while the others are being sent stays to be sent", async () => {
  const path = "**/api/account/invite-members";
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await held;
    await route.fulfill({ json: { invitations: [], usersLimit: 5 } });
  });
  await paste("dora@example.com,");
  await page.getByRole("button", { name: "Invite 1 person" }).click();
  await field().fill("eve@example.com,");
  await page.getByRole("button", { name: "Edit eve@example.com" }).waitFor();
  goOn();
  await page.getByRole("button", { name: "Edit dora@example.com" }).waitFor({ state: "detached" });
  await page.unroute(path);
  await page.getByRole("button", { name: "Remove eve@example.com" }).click();
});

test("more people than the plan allows are refused before anything is sent", async () => {
  await paste("dora@example.com, eve@example.com");
  await page.getByText("That is 1 more person than your plan allows.").waitFor();
  await page.getByRole("button", { name: "Invite 2 people" }).click();
  await expect.poll(() => field().evaluate((input) => input === document.activeElement)).toBe(true);
  await page.getByRole("button", { name: "Remove eve@example.com" }).click();
  await page.getByRole("button", { name: "Remove dora@example.com" }).click();
});

test("a failed call is explained, and the addresses stay", async () => {
  const path = "**/api/account/invite-members";
  await page.route(path, (route) => route.abort());
  await field().fill("dora@example.com");
  await page.getByRole("button", { name: "Send invitations" }).click();
  await page.getByText("Could not save users to invite").waitFor();
  await page.unroute(path);
  await expect.poll(() => page.getByRole("button", { name: "Edit dora@example.com" }).count()).toBe(1);
  await page.getByRole("button", { name: "Remove dora@example.com" }).click();
});

test("an invitation that was withdrawn before it was sent comes back with Undo", async () => {
  await page.getByRole("button", { name: "Withdraw the invitation for carl@example.com" }).click();
  await page.getByRole("button", { name: "Withdraw invitation", exact: true }).click();
  await row("carl@example.com").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await row("carl@example.com").getByText("Will be sent once the workspace is online.").waitFor();
});

test("nothing is wider than a phone", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("once the workspace is online everyone is mailed, opening the link joins, and the page updates automatically", async () => {
  await slipway.confirm(owner);
  await slipway.setUp(owner);
  await slipway.until(owner, ({ status }) => status === 1);
  for (const email of ["bob@example.com", "jane@example.com", "carl@example.com"]) await row(email).getByText("Email sent").waitFor();
  const link = await slipway.newestLink("bob@example.com");
  expect(link).toMatch(new RegExp(`^${slipway.workspaceUrl(owner.accountName)}/signup\\?token=`));
  expect((await ask(link)).status).toBe(200);
  await row("bob@example.com").getByText("Joined", { exact: true }).waitFor();
  await expectAccessible(page);
});

test("an invitation shows when it may be sent again, and is withdrawn after a confirmation", async () => {
  await page.reload();
  // A minute after the first mail, which a busy machine may have used up, it may be sent again.
  const again = row("carl@example.com").getByRole("button", { name: /^Send again/ });
  const waits = async () => {
    if (await again.isEnabled()) await again.click();
    return again
      .and(page.locator(":disabled"))
      .filter({ hasText: /^Send again in \d+ s$/ })
      .count();
  };
  await expect.poll(waits).toBe(1);
  await row("jane@example.com").getByRole("button", { name: "Withdraw the invitation for jane@example.com" }).press("Enter");
  await page.getByRole("alertdialog").getByText("jane@example.com can no longer join with the link.").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Withdraw invitation", exact: true }).press("Enter");
  await row("jane@example.com").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Invited people");
  await vi.waitFor(() => expect(members().map(({ email }) => email)).toEqual(["bob@example.com", "carl@example.com"]), { timeout: 60_000 });
  await expect.poll(() => row("bob@example.com").getByRole("button").count()).toBe(0);
});

test("no page logged an error, except for the call that was cut off, or called another host", async () => {
  expect(watch.trouble()).toEqual([expect.stringContaining("net::ERR_FAILED")]);
  // The rest happens without a page, which would log errors while the program is killed.
  await context.close();
});

interface Member {
  email: string;
  joined: boolean;
}

/** The users in the workspace's own file. */
function members(): Member[] {
  const workspaces = join(slipway.dataDir, "workspaces");
  const files = readdirSync(workspaces, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("members.json"));
  return JSON.parse(readFileSync(join(workspaces, files[0]!), "utf8")) as Member[];
}

test("the program is killed while the workspace adds a person: one person, one mail", async () => {
  const email = "slow@example.com";
  await slipway.call("POST", "/api/account/invite-members", { token: owner.token, body: { emails: [email] } });
  await vi.waitFor(() => expect(members().some((member) => member.email === email)).toBe(true), { timeout: 60_000, interval: 20 });
  await slipway.kill9();
  await slipway.start();
  await vi.waitFor(
    async () => {
      const { invitations } = (await slipway.call("GET", "/api/account/invitations", { token: owner.token })).json<{
        invitations: Invitation[];
      }>();
      expect(invitations.find((invitation) => invitation.email === email)?.state).toBe("sent");
    },
    { timeout: 60_000, interval: 200 },
  );
  await slipway.newestLink(email);
  const { messages } = (await slipway.call("GET", "/api/dev/inbox")).json<{ messages: { to: string }[] }>();
  expect(messages.filter(({ to }) => to === email)).toHaveLength(1);
  expect(members().filter((member) => member.email === email)).toHaveLength(1);
});
