/** The promised messages for calls that fail, to the letter, on the page that makes the call: each call is made to fail in the browser. */
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { AppError } from "#platform/app-error.ts";
import { buildAccount } from "#testing/accounts/build-account.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { workspaceOf } from "#testing/panel/panel-answers.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";

let panel: PanelServer;
let browser: Browser;
let owner: PanelPerson;
let page: Page;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  owner = panel.signIn();
  await openAs(owner);
});
afterEach(async () => {
  await page.context().close();
  expectAnswered(panel);
});

async function openAs(person: PanelPerson): Promise<void> {
  page = await (await panel.contextFor(browser, person)).newPage();
}

const instanceCall = /\/api\/instance$/;
const open = (path: string) => page.goto(panel.url + path);
/** On the page at least once, because the journal may repeat a notice. */
const see = (words: string) => page.getByText(words, { exact: true }).first().waitFor();
const tryAgain = () => page.getByRole("button", { name: "Try again" }).click();
const fail = (call: RegExp) => page.route(call, (route) => route.abort());
const answer = (call: RegExp, status: number, json: unknown) => page.route(call, (route) => route.fulfill({ status, json }));

/** Opens a page that can only poll, because its event stream never arrives, and that has not polled yet. */
async function openPolling(path: string): Promise<void> {
  await page.clock.install();
  await answer(/\/api\/instance\/events$/, 503, {});
  await answer(instanceCall, 200, { ...workspaceOf(owner.state), status: instanceStatus.pending });
  await Promise.all([page.waitForResponse(instanceCall), page.waitForResponse(/\/api\/instance\/events$/), open(path)]);
  await page
    .getByText(path === "/dashboard" ? "Pending" : "Elapsed", { exact: path === "/dashboard" })
    .first()
    .waitFor();
}

test.each([503, 0])("when the user cannot be loaded (%d), the page says so and comes back once they can", async (status) => {
  const me = /\/api\/auth\/me$/;
  await (status === 0 ? fail(me) : answer(me, status, {}));
  await open("/dashboard");
  await see("Could not load user data");
  await page.getByRole("heading", { name: "Something went wrong..." }).waitFor();
  await expectAccessible(page);
  await page.unroute(me);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { name: "Hello, Ada Lovelace" }).waitFor();
});

test.each(["/dashboard", "/manage"])("when the workspace cannot be loaded, %s says so and shows it once it can", async (path) => {
  await fail(/\/api\/instance(\/events)?$/);
  await open(path);
  await see("Could not load workspaces");
  await expectAccessible(page);
  await page.unroute(/\/api\/instance(\/events)?$/);
  // A poll or a reopened stream may bring the workspace, and take the button away, just before the click.
  const online = page.getByText("Online", { exact: true });
  await page.getByRole("button", { name: "Try again" }).or(online).first().click();
  await online.waitFor();
  await expect.poll(() => page.getByText("Could not load workspaces").count()).toBe(0);
});

test.each(["/dashboard", "/account/launching"])(
  "when polling fails, %s says so, keeps what it knew, and starts over when asked",
  async (path) => {
    await openPolling(path);
    await fail(instanceCall);
    await page.clock.fastForward(5_100);
    await see("Could not refresh workspace status, please try again.");
    await expectAccessible(page);
    await page.unrouteAll();
    await tryAgain();
    await page
      .getByText(path === "/dashboard" ? "Online" : "Your workspace is now online.", { exact: true })
      .first()
      .waitFor();
    await expect.poll(() => page.getByText("Could not refresh workspace status").count()).toBe(0);
  },
);

test("a 404 while polling is read as a status: there is no workspace, and nothing has failed", async () => {
  await openPolling("/dashboard");
  await answer(instanceCall, 404, { status: 404, code: "workspace_not_found", title: "There is no workspace yet." });
  await page.clock.fastForward(5_100);
  await see("No active workspace");
  expect(await page.getByText("Could not refresh workspace status").count()).toBe(0);
});

test("after 28 polls without an end the launch says that polling timed out, stops polling, and starts over on request", async () => {
  // From the first one on: by the page's clock, a busy machine may need longer to open it than the first poll waits.
  let calls = 0;
  let ended = 0;
  page.on("request", (request) => void (instanceCall.test(request.url()) && (calls += 1)));
  const end = (request: Request) => void (instanceCall.test(request.url()) && (ended += 1));
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  await openPolling("/account/launching");
  const timedOut = page.getByText("New instance status polling timed out", { exact: true });
  const passTime = async () => {
    // By the page's clock, a call that is still under way would soon have taken too long.
    if (ended === calls) await page.clock.fastForward(15_000);
    return timedOut.count();
  };
  await expect.poll(passTime, { timeout: 60_000, interval: 20 }).toBe(1);
  // The page's own call, and 28 polls.
  expect(calls).toBe(1 + 28);
  await page.clock.fastForward(60_000);
  expect(calls).toBe(1 + 28);
  await expectAccessible(page);
  await page.unrouteAll();
  await tryAgain();
  await see("Your workspace is now online.");
});

test("without the stream each change is polled to its end, which is shown: online, timed out, or failed", async () => {
  await page.clock.install();
  let status: number = instanceStatus.online;
  let polls = 0;
  let endingPolls = 0;
  await answer(/\/api\/instance\/events$/, 503, {});
  // Without figures, the usage beside it asks for the workspace as well.
  const usedLimits = { executions: 0, activeWorkflows: 0 };
  // Counted once it is answered; from then on its answer may change.
  await page.route(instanceCall, async (route) => {
    const said = status;
    await route.fulfill({ json: { ...workspaceOf(owner.state), usedLimits, status: said } });
    polls += 1;
    if (said === instanceStatus.online) endingPolls += 1;
  });
  await page.route(/\/api\/instance\/restart$/, (route) =>
    route.fulfill({ json: { ...workspaceOf(owner.state), usedLimits, status: (status = instanceStatus.pending) } }),
  );
  await Promise.all([page.waitForResponse(instanceCall), open("/dashboard")]);
  await page.getByText("Online", { exact: true }).waitFor();
  // A poll that falls due beside the page's own call shares its answer and would not be counted.
  await page.waitForLoadState("networkidle");
  // The polling that the page load started ends with its first poll.
  await page.clock.fastForward(5_100);
  await expect.poll(() => polls).toBe(2);
  await page.clock.fastForward(60_000);
  const restart = async () => {
    // The page's time goes on: on a busy machine the first poll may fall due before the test moves it.
    [polls, endingPolls] = [0, 0];
    await page.getByRole("button", { name: "Restart", exact: true }).click();
    await page.getByRole("button", { name: "Restart workspace", exact: true }).click();
    await page.getByText("Pending", { exact: true }).waitFor();
  };

  await restart();
  await page.clock.fastForward(5_100);
  await expect.poll(() => polls).toBeGreaterThanOrEqual(1);
  expect(endingPolls).toBe(0);
  status = instanceStatus.online;
  await page.clock.fastForward(5_100);
  // The journal below repeats this once it has loaded.
  await page.getByRole("status").getByText("Your workspace is now online.", { exact: true }).waitFor();
  await page.clock.fastForward(60_000);
  await expect.poll(() => endingPolls).toBe(1);

  await restart();
  const timedOut = page.getByText("New instance status polling timed out", { exact: true });
  const passTime = async () => {
    await page.clock.fastForward(15_000);
    return timedOut.count();
  };
  await expect.poll(passTime, { timeout: 60_000, interval: 20 }).toBe(1);
  await expect.poll(() => polls).toBe(28);
  status = instanceStatus.online;
  await tryAgain();
  await page.getByText("Online", { exact: true }).waitFor();

  await restart();
  expect(await timedOut.count()).toBe(0);
  await fail(instanceCall);
  await page.clock.fastForward(5_100);
  await see("Could not refresh workspace status, please try again.");
});

test.each(["/verify-email", "/confirm-email?token=not-a-token"])(
  "when the confirmation cannot be sent again, %s says so and can be asked again",
  async (path) => {
    const account = buildAccount({ isSetup: false, planSpec: null, instance: null });
    const newcomer = panel.signIn({ user: { account, confirmed: false } });
    const { email } = newcomer.state.user;
    newcomer.answers = {
      resendConfirmation: () => Promise.reject(new AppError("unavailable")),
      confirmEmail: () => Promise.reject(new AppError("link_invalid")),
    };
    await page.context().close();
    await openAs(newcomer);
    await open("/verify-email");
    await page.getByText(email).first().waitFor();
    if (path !== "/verify-email") await open(path);
    await page.getByRole("button", { name: "Send the email again" }).click();
    await see("Could not resend confirmation");
    await see("The email confirmation could not be sent. Please check the email address.");
    await expectAccessible(page);
    newcomer.answers.resendConfirmation = () => undefined;
    await page.getByRole("button", { name: "Send the email again" }).click();
    await see(`We sent a new email to ${email}.`);
    await expect.poll(() => page.getByText("Could not resend confirmation").count()).toBe(0);
    expect(newcomer.sent("resendConfirmation")).toHaveLength(2);
  },
);
