/** What the panel shows of usage: executions and workflows, the checklist of the first days, webhooks, and a quota that is used up. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { FirstDayStep } from "#contract/accounts/account-values.ts";
import { firstDaySteps } from "#contract/accounts/account-values.ts";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import type { WebhookFigures } from "#contract/workspaces/monitoring/monitoring.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import { buildAccount } from "#testing/accounts/build-account.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { expectAccessible } from "#testing/browser/expect-accessible.ts";
import { expectAnswered } from "#testing/panel/expect-answered.ts";
import { servePanel, type PanelPerson, type PanelServer } from "#testing/panel/serve-panel.ts";

let panel: PanelServer;
let browser: Browser;
let owner: PanelPerson;
let page: Page;

beforeAll(async () => {
  [panel, browser] = await Promise.all([servePanel(), launchBrowser()]);
});
beforeEach(() => enter(panel.signIn()));
afterEach(async () => {
  await page.context().close();
  expectAnswered(panel);
});
afterAll(async () => {
  await browser?.close();
  await panel?.[Symbol.asyncDispose]();
});

async function enter(person: PanelPerson): Promise<void> {
  owner = person;
  page = await (await panel.contextFor(browser, person)).newPage();
}

const open = (path: string) => page.goto(panel.url + path);
const region = (name: string) => page.getByRole("region", { name });
const fitsPhone = async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
};

/** The owner's usage, all of it today and in one active workflow. */
function used(executions: number, limits: UsedLimits["limits"] = { executions: 1000, activeWorkflows: 5 }): UsedLimits {
  const { now } = owner.state;
  return {
    executions,
    activeWorkflows: 1,
    timeframe: { startsAt: after(now, -2 * dayMs).toISOString(), endsAt: after(now, 12 * dayMs).toISOString() },
    limits,
    history: Array.from({ length: 30 }, (_, index) => ({
      date: after(now, (index - 29) * dayMs)
        .toISOString()
        .slice(0, 10),
      executions: index === 29 ? executions : 0,
      failed: 0,
    })),
    workflows: [{ id: "1", name: "counted", executions, failed: 0 }],
    countedAt: now.toISOString(),
  };
}

test("before anything is counted, no call ends in an error that the browser would report; the first figures appear by themselves", async () => {
  const reported: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() >= 400) reported.push(`${answer.status()} ${answer.url()}`);
  });
  await page.clock.install();
  await open("/dashboard");
  await region("Usage").waitFor();
  const asked = () => owner.calls.filter(({ name }) => name === "getInstance").length;
  const before = asked();
  await expect.poll(async () => (await page.clock.runFor(5_000), asked())).toBeGreaterThan(before);
  expect(owner.calls.filter(({ name }) => name === "getUsedLimits")).toEqual([]);
  owner.state.usage = used(3);
  await expect.poll(async () => (await page.clock.runFor(5_000), region("Usage").getByText("3 of 1,000").isVisible())).toBe(true);
  expect(reported).toEqual([]);
});

test("the dashboard shows how much of the plan is used, by day and by workflow", async () => {
  owner.state.usage = used(3);
  await open("/dashboard");
  const usage = region("Usage");
  await usage.getByText("3 of 1,000").waitFor();
  await usage.getByText("1 of 5").waitFor();
  await usage.getByRole("img", { name: "3 executions in the last 30 days, 0 of them failed." }).waitFor();
  await usage.getByText("By workflow, this period").click();
  await usage.getByRole("listitem").filter({ hasText: "counted" }).getByText("3 executions").waitFor();
  await expectAccessible(page);
});

test("the checklist of the first days follows what was done, and a hidden one is shown again when that is undone", async () => {
  const steps = (...done: FirstDayStep[]) => firstDaySteps.map((name) => ({ name, isDone: done.includes(name) }));
  await page.context().close();
  await enter(
    panel.signIn({
      user: { account: buildAccount({ firstDays: steps("open"), isFirstDay: true }) },
      firstDays: { steps: steps("open"), isOver: false },
    }),
  );
  owner.answers.dismissFirstDays = (_asked, state) => void (state.firstDays.isOver = true);
  owner.answers.restoreFirstDays = (_asked, state) => void (state.firstDays.isOver = false);
  await page.clock.install();
  await open("/dashboard");
  const list = region("Your first days");
  await list.getByText("1 of 6 done").waitFor();
  await page.getByRole("heading", { name: "Your workspace is ready for its first workflow" }).waitFor();
  await expectAccessible(page);
  owner.state.firstDays = { steps: steps("open", "workflow", "publish"), isOver: false };
  // The list is requested four times a minute.
  await page.clock.fastForward(15_100);
  await list.getByText("3 of 6 done").waitFor();
  await list.getByRole("button", { name: "Hide this list" }).click();
  await list.waitFor({ state: "detached" });
  await expect.poll(() => owner.sent("dismissFirstDays").length).toBe(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await list.getByText("3 of 6 done").waitFor();
  expect(owner.sent("restoreFirstDays")).toHaveLength(1);
});

test("calls of webhooks, their failures and times are shown on the dashboard, and with the load on the workspace in monitoring", async () => {
  const { now } = owner.state;
  owner.state.usage = used(3);
  const figures: WebhookFigures = { calls: 43, clientErrors: 40, failed: 0, waited: 0, medianMs: 12, p95Ms: 80 };
  const at = (minutes: number) => after(now, -minutes * minuteMs).toISOString();
  owner.answers.getInstanceWebhooks = ({ query: { range } }) => {
    const [length, spanMinutes] = range === "1h" ? [60, 1] : [24 * 60, 15];
    return { from: at(length), to: at(0), spanMinutes, total: figures, points: [{ ...figures, at: at(30) }] };
  };
  owner.answers.getInstanceMonitoring = ({ query: { range } }) => ({
    from: at(range === "1h" ? 60 : 24 * 60),
    to: at(0),
    limitMb: 1024,
    cpuLimitPercent: 100,
    diskLimitMb: 5120,
    plannedMb: 1024,
    samples: [31, 1].map((minutes) => ({ at: at(minutes), memoryMb: 312, cpuPercent: 8, diskMb: 40 })),
    marks: [],
  });
  await open("/dashboard");
  const usage = region("Usage");
  await usage.getByText(/^Webhooks: 100% answered, [\d,.]+ m?s at the median, last 24 hours\./).waitFor();
  await usage.getByRole("link", { name: "Monitoring" }).click();
  await page.waitForURL("**/manage/monitoring");
  await region("Memory")
    .getByText(/^Now [1-9][\d,]* MB, peak [1-9][\d,]* MB at .*, limit [1-9][\d,]* MB$/)
    .waitFor();
  const webhooks = region("Webhooks");
  await webhooks.getByRole("img", { name: "43 calls, 0 of them failed." }).waitFor();
  await webhooks.getByRole("slider").focus();
  await expect.poll(() => webhooks.getByRole("slider").getAttribute("aria-valuetext")).toMatch(/ m?s$/);
  await page.getByRole("button", { name: "1 hour" }).click();
  await webhooks.getByText("Show as a table").click();
  await expect.poll(() => webhooks.getByRole("row").count()).toBeGreaterThan(1);
  await expectAccessible(page);
  await fitsPhone();
});

test("a used-up quota is explained, with a link to the plans, also on a phone", async () => {
  owner.state.usage = used(6, { executions: 6, activeWorkflows: 1 });
  await open("/dashboard");
  await page.getByRole("alert").filter({ hasText: "You have used all your executions, so workflows have stopped" }).waitFor();
  await page.getByRole("link", { name: "See plans" }).first().waitFor();
  await expectAccessible(page);
  await fitsPhone();
  await expectAccessible(page);
});
