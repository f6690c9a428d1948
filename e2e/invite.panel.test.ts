/** Inviting teammates before there is a workspace: what the page makes of a list, shows, sends and keeps. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Invitation } from "#contract/accounts/invitation.ts";
import { newId } from "#platform/ids.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import type { PageWatch } from "#testing/browser/watch-page.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import type { Answers } from "#testing/panel/panel-answers.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";
import { buildNewcomer, markStep } from "#testing/panel/sign-up-answers.ts";

const team = ["bob@example.com", "jane@example.com", "carl@example.com"];
/** Of a trial. */
const usersLimit = 5;

let panel: PanelServer;
let browser: Browser;
let context: BrowserContext & { watch: PageWatch };
let page: Page;
let person: PanelPerson;
let owner: PanelPerson["state"]["user"];
let invitations: Invitation[];
/** What the pages of the test may do wrong, in the words of the watch. */
let expectedTrouble: unknown[];

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
// A new customer in a new browser, so that each test is independent.
beforeEach(async () => {
  person = panel.signIn({ user: buildNewcomer({ steps: { survey: "skipped", apps: "skipped" } }) });
  owner = person.state.user;
  invitations = [];
  person.answers = answers;
  context = await panel.contextFor(browser, person);
  expectedTrouble = [];
  page = await context.newPage();
});
afterEach(async () => {
  try {
    await expectTrouble();
    expectAnswered(panel);
  } finally {
    await context?.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});

async function expectTrouble(): Promise<void> {
  await expect.poll(() => context.watch.trouble()).toEqual(expectedTrouble);
}

function save(emails: readonly string[]): void {
  const invitedAt = new Date().toISOString();
  invitations = [
    ...invitations,
    ...emails.map((email) => ({
      id: newId(),
      email,
      state: "waiting" as const,
      invitedAt,
      sentAt: null,
      acceptedAt: null,
      resendInSeconds: 60,
    })),
  ];
}

/** Until there is a workspace, invitations are only stored. */
const answers: Answers = {
  listInvitations: () => ({ invitations, usersLimit }),
  inviteMembers({ body }, state) {
    save(body.emails);
    markStep(state, "invite", "done");
  },
  revokeInvitation({ params }) {
    invitations = invitations.filter(({ id }) => id !== params.id);
  },
};

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

const open = () => page.goto(`${panel.url}/invite-teammate`);
const room = (more: number) => page.getByText(`Your plan allows 5 people, including you. You can invite ${more} more.`).waitFor();
const isSent = (...lists: string[][]) => expect(person.sent("inviteMembers")).toEqual(lists.map((emails) => ({ emails })));

/** The page of an owner who has invited the team. */
async function openWithTeam(): Promise<void> {
  save(team);
  markStep(person.state, "invite", "done");
  await open();
  await room(1);
}

/** Bob and Jane, and three addresses that cannot be invited. */
async function enterMixedList(): Promise<void> {
  await paste(`Bob Builder <Bob@example.com>; "Doe, Jane" <jane@example.com>,\n carl@\nbob@example.com`);
  await page.keyboard.type(`${owner.email},`);
  await page.keyboard.type("left-over@example");
  await page.getByRole("button", { name: "Invite 2 people" }).click();
  await expect.poll(problems).toHaveLength(3);
}

test("a pasted list becomes people; each wrong address is named, and no entry is lost", async () => {
  await open();
  await room(4);
  expect(await page.getByRole("region", { name: "Invited people" }).count()).toBe(0);
  await expectAccessible(page);
  await enterMixedList();
  await expect
    .poll(problems)
    .toEqual([
      "carl@: Enter a valid email address",
      `${owner.email}: This is your own address.`,
      "left-over@example: Enter a valid email address",
    ]);
  isSent();
  await expectAccessible(page);
  await page.reload();
  await page.getByRole("button", { name: "Edit carl@" }).waitFor();
  await expect.poll(problems).toHaveLength(3);
});

test("by keyboard alone an address is corrected, others are removed, and the rest are invited", async () => {
  await open();
  await room(4);
  await enterMixedList();
  await page.getByRole("button", { name: `Remove ${owner.email}` }).press("Enter");
  await page.getByRole("button", { name: "Remove left-over@example" }).press("Enter");
  await page.getByRole("button", { name: "Edit carl@" }).press("Enter");
  const edited = () => field().evaluate((input: HTMLInputElement) => input === document.activeElement && input.value);
  await expect.poll(edited).toBe("carl@");
  await page.keyboard.type("example.com");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("Your invitations are saved").waitFor();
  isSent(team);
  for (const email of team) await row(email).getByText("Will be sent once the workspace is online.").waitFor();
  await expectAccessible(page);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Continue");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/verify-email");
  await open();
  await room(1);
  await expect.poll(() => page.getByRole("list", { name: "Addresses to invite" }).count()).toBe(0);
});

test("an address added while the others are being sent stays to be sent", async () => {
  await openWithTeam();
  const { promise: held, resolve: goOn } = Promise.withResolvers<undefined>();
  person.answers = { ...answers, inviteMembers: () => held };
  await paste("dora@example.com,");
  await page.getByRole("button", { name: "Invite 1 person" }).click();
  await field().fill("eve@example.com,");
  await page.getByRole("button", { name: "Edit eve@example.com" }).waitFor();
  goOn(undefined);
  await page.getByRole("button", { name: "Edit dora@example.com" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit eve@example.com" }).waitFor();
  isSent(["dora@example.com"]);
});

test("more people than the plan allows are refused before anything is sent", async () => {
  await openWithTeam();
  await paste("dora@example.com, eve@example.com");
  await page.getByText("That is 1 more person than your plan allows.").waitFor();
  await page.getByRole("button", { name: "Invite 2 people" }).click();
  await expect.poll(() => field().evaluate((input) => input === document.activeElement)).toBe(true);
  for (const email of ["eve@example.com", "dora@example.com"]) await page.getByRole("button", { name: `Edit ${email}` }).waitFor();
  isSent();
});

test("a failed call is explained, and the addresses stay", async () => {
  await openWithTeam();
  const path = "**/api/account/invite-members";
  await page.route(path, (route) => route.abort());
  expectedTrouble = [expect.stringContaining("net::ERR_FAILED")];
  await field().fill("dora@example.com");
  await page.getByRole("button", { name: "Send invitations" }).click();
  await page.getByText("Could not save users to invite").waitFor();
  await page.unroute(path);
  await expect.poll(() => page.getByRole("button", { name: "Edit dora@example.com" }).count()).toBe(1);
});

test("an invitation that was withdrawn before it was sent comes back with Undo", async () => {
  await openWithTeam();
  await page.getByRole("button", { name: "Withdraw the invitation for carl@example.com" }).click();
  await page.getByRole("button", { name: "Withdraw invitation", exact: true }).click();
  await row("carl@example.com").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await row("carl@example.com").getByText("Will be sent once the workspace is online.").waitFor();
  isSent(["carl@example.com"]);
});

test("nothing is wider than a phone", async () => {
  await openWithTeam();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});
