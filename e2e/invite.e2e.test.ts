/** Inviting teammates in a browser, from a pasted list to a joined member; the workspace is a small engine in n8n's place. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Invitation } from "#contract/accounts/invitation.ts";
import { ask } from "#testing/ask.ts";
import { launchBrowser, pageTimeoutMs } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { watchPages, type PageWatch } from "#testing/browser/watch-page.ts";
import { openRows } from "../tools/chaos/checks/rows.ts";

const team = ["bob@example.com", "jane@example.com", "carl@example.com"];

let slipway: Slipway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: PageWatch;
let owner: Customer;

beforeAll(async () => {
  slipway = await startSlipway();
  browser = await launchBrowser();
});
// A new customer in a new browser, so that each test is independent.
beforeEach(async () => {
  owner = await slipway.register();
  for (const step of ["survey", "apps"]) await slipway.call("POST", "/api/account/onboarding/skip", { token: owner.token, body: { step } });
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies(sessionCookies(owner.token, slipway.url));
  watch = await watchPages(context, `${slipway.url}/`);
  page = await context.newPage();
});
afterEach(async () => {
  try {
    expectNoTrouble();
  } finally {
    await context?.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await slipway?.close();
});

function expectNoTrouble(): void {
  expect(watch.trouble()).toEqual([]);
}
const row = (email: string) => page.getByRole("region", { name: "Invited people" }).getByRole("listitem").filter({ hasText: email });
const open = () => page.goto(`${slipway.url}/invite-teammate`);
const room = (more: number) => page.getByText(`Your plan allows 5 people, including you. You can invite ${more} more.`).waitFor();
const invite = (emails: string[]) => slipway.call("POST", "/api/account/invite-members", { token: owner.token, body: { emails } });

/** The page of an owner who has invited the team. */
async function openWithTeam(): Promise<void> {
  await invite(team);
  await open();
  await room(1);
}

async function goOnline(): Promise<void> {
  await slipway.confirm(owner);
  await slipway.setUp(owner);
  await slipway.until(owner, ({ status }) => status === 1);
}

const stateOf = (email: string) => async () => {
  const answer = await slipway.call("GET", "/api/account/invitations", { token: owner.token });
  return answer.json<{ invitations: Invitation[] }>().invitations.find((invitation) => invitation.email === email)?.state;
};

/** Opens the link of the newest mail to this address, once it is one of this owner's workspace: each test invites the same people. */
async function joinByMail(email: string): Promise<void> {
  const link = await vi.waitFor(
    async () => {
      const newest = await slipway.newestLink(email);
      expect(newest).toMatch(new RegExp(`^${slipway.workspaceUrl(owner.accountName)}/signup\\?token=`));
      return newest;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect((await ask(link)).status).toBe(200);
}

test("once the workspace is online everyone is mailed, opening the link joins, and the page updates automatically", async () => {
  await openWithTeam();
  await goOnline();
  for (const email of team) await row(email).getByText("Email sent").waitFor();
  await joinByMail("bob@example.com");
  await row("bob@example.com").getByText("Joined", { exact: true }).waitFor();
  await expectAccessible(page);
});

test("an invitation shows when it may be sent again, and is withdrawn after a confirmation", async () => {
  await invite(team);
  await goOnline();
  await joinByMail("bob@example.com");
  await expect.poll(stateOf("bob@example.com"), { interval: 200 }).toBe("accepted");
  await expect.poll(stateOf("jane@example.com"), { interval: 200 }).toBe("sent");
  const members = await workspaceMembers();
  await open();
  // A minute after the first mail, which a busy machine may have used up, it may be sent again.
  const again = row("carl@example.com").getByRole("button", { name: /^Send again/ });
  const waits = async () => {
    if (await again.isEnabled()) await again.click();
    return again
      .and(page.locator(":disabled"))
      .filter({ hasText: /^Send again in \d+ seconds?$/ })
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

interface Member {
  email: string;
  joined: boolean;
}

/** A function that reads the users in the file of the owner's workspace. */
async function workspaceMembers(): Promise<() => Member[]> {
  const [workspace] = await openRows(slipway.dataDir).ask<{ id: string }>(
    "select w.id from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [owner.accountName],
  );
  const folder = join(slipway.dataDir, "workspaces", workspace!.id);
  return () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("members.json"));
    return JSON.parse(readFileSync(join(folder, files[0]!), "utf8")) as Member[];
  };
}

test("the program is killed while the workspace adds a person: one person, one mail", async () => {
  const email = "slow@example.com";
  await goOnline();
  const members = await workspaceMembers();
  await invite([email]);
  await vi.waitFor(() => expect(members().some((member) => member.email === email)).toBe(true), { timeout: 60_000, interval: 20 });
  await slipway.kill9();
  await slipway.start();
  await expect.poll(stateOf(email), { interval: 200 }).toBe("sent");
  await slipway.newestLink(email);
  const { messages } = (await slipway.call("GET", "/api/dev/inbox")).json<{ messages: { to: string }[] }>();
  expect(messages.filter(({ to }) => to === email)).toHaveLength(1);
  expect(members().filter((member) => member.email === email)).toHaveLength(1);
});
