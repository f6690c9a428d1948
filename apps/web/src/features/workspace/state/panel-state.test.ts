import { expect, test } from "vitest";
import { onboardingSteps } from "#contract/accounts/account-values.ts";
import { billingStatus, type User } from "#contract/accounts/account.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus, launchSteps, troubleCauses } from "#contract/workspaces/workspace-values.ts";
import { buildAccount, buildPlanSpec } from "#testing/accounts/build-account.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { currentBanners } from "../../banner/current-banner.ts";
import { panelState, type PanelFacts } from "./panel-state.ts";
import { places, shown, standingRows, workspaceRows, type NoticeName } from "./state-table.ts";
import { stateHeadlines } from "./words.ts";

type Account = User["account"];
const nowMs = Date.parse("2026-11-21T12:00:00Z");
const inDays = (days: number) => new Date(nowMs + days * 86_400_000);

const base = buildAccount();
const statuses = billingStatus.options;

/** Every value that the contract allows for what the state depends on, with days on both sides of each threshold. */
function* everything(): Generator<PanelFacts> {
  const plans = [null, ...[-1, 1, 5, 6, 13].flatMap((days) => ["trial-1", "pro-1"].map((id) => buildPlanSpec(id, inDays(days))))];
  const billings: Account["billing"][] = [
    null,
    ...statuses.flatMap((status) =>
      [null, inDays(3), inDays(400)].flatMap((cancelAt) =>
        [true, false].map((isArranged) => ({
          status,
          planId: "pro-1-monthly",
          updateUrl: null,
          cancelAt: cancelAt?.toISOString() ?? null,
          isArranged,
        })),
      ),
    ),
  ];
  for (const planSpec of plans)
    for (const billing of billings)
      for (const instance of instances)
        for (const isOverQuota of [true, false])
          for (const isRestoring of [true, false])
            for (const isFirstDay of [true, false])
              yield { account: { ...base, planSpec, billing, instance }, isOverQuota, isRestoring, isFirstDay, nowMs };
  for (const next of onboardingSteps)
    yield {
      account: { ...base, isSetup: false, planSpec: null, instance: null, onboarding: { next, steps: [] } },
      isOverQuota: false,
      isRestoring: false,
      isFirstDay: false,
      nowMs,
    };
}

const instances: (Instance | null)[] = [
  null,
  ...Object.values(instanceStatus).flatMap((status) =>
    [true, false].flatMap((isNew) =>
      [
        {},
        { isBeingDeleted: true },
        { deletionAt: inDays(4).toISOString() },
        { asleepSince: inDays(-1).toISOString() },
        { runningVersion: "2.38.7" },
        ...launchSteps.map((step) => ({ progress: { step, label: "", percent: 50 } })),
        ...troubleCauses.map((cause) => ({ cause })),
      ].map((changes) => buildInstance({ status, isNew, ...changes })),
    ),
  ),
];

/** The notices that bring a button, and whose it is. */
const offeredBy: Partial<Record<NoticeName, string>> = { "over-quota": "see-plans", ending: "resubscribe" };

test("every state the contract allows has one headline and at most one primary action, whose button is on the page", () => {
  const seen = { rows: new Set<string>(), standings: new Set<string>(), headlines: new Set<string>() };
  const met = new Set<string>();
  for (const facts of everything()) {
    const state = panelState(facts);
    // What follows depends on no more than this.
    const key = [state.row, state.standing, facts.account.billing?.status].join();
    if (met.has(key)) continue;
    met.add(key);
    const { primary, others, notices, headline } = shown(state);
    const said = JSON.stringify({ ...state, billing: facts.account.billing });
    expect(stateHeadlines[headline], said).toBeTruthy();
    seen.rows.add(state.row);
    seen.standings.add(state.standing);
    seen.headlines.add(headline);
    expect(others, said).not.toContain(primary);
    expect(new Set(others).size, said).toBe(others.length);
    // The banner's button is primary on every page.
    const banners = currentBanners({
      sessionExpired: false,
      instanceOperations: true,
      billingStatus: facts.account.billing?.status ?? null,
    });
    const isInBanner = primary !== null && places[primary] === "banner";
    expect(isInBanner, said).toBe(banners.length > 0);
    if (primary && places[primary] === "notice")
      expect(
        notices.map((name) => offeredBy[name]),
        said,
      ).toContain(primary);
    if (primary && places[primary] === "checklist") expect(facts.account.isSetup, said).toBe(false);
  }
  expect([...seen.rows].toSorted()).toEqual(Object.keys(workspaceRows).toSorted());
  expect([...seen.standings].toSorted()).toEqual(Object.keys(standingRows).toSorted());
  expect([...seen.headlines].toSorted()).toEqual(Object.keys(stateHeadlines).toSorted());
});

const pays = (status: (typeof statuses)[number], cancelAt: Date | null = null): Partial<Account> => ({
  billing: { status, planId: "pro-1-monthly", updateUrl: null, cancelAt: cancelAt?.toISOString() ?? null, isArranged: false },
  planSpec: buildPlanSpec("pro-1", inDays(10)),
});
const trial = (days: number): Partial<Account> => ({ planSpec: buildPlanSpec("trial-1", inDays(days)) });
const has = (changes: Partial<Instance>): Partial<Account> => ({ instance: buildInstance(changes) });
const { offline, pending, stopped } = instanceStatus;

test.each<[title: string, account: Partial<Account>, headline: keyof typeof stateHeadlines, primary: string | null]>([
  ["all is well", pays("active"), "online", "open"],
  ["the trial has long to go", trial(12), "online", "open"],
  ["the trial ends soon", trial(5), "trial-ending", "choose-plan"],
  ["the trial is over", trial(-1), "trial-over", "choose-plan"],
  ["it sleeps", { ...pays("active"), ...has({ asleepSince: inDays(-1).toISOString() }) }, "asleep", "open"],
  ["a payment failed", pays("past_due"), "online", "pay"],
  ["a payment failed, and it is offline", { ...pays("past_due"), ...has({ status: offline }) }, "offline", "pay"],
  ["payments failed for good", { ...pays("paused"), ...has({ status: stopped }) }, "paused", "resubscribe-paused"],
  ["it was cancelled", pays("active", inDays(3)), "expiring", "resubscribe"],
  ["it was cancelled, and is offline", { ...pays("active", inDays(3)), ...has({ status: offline }) }, "offline", "resubscribe"],
  [
    "it will be deleted",
    { ...trial(-1), ...has({ status: stopped, deletionAt: inDays(3).toISOString() }) },
    "scheduled-for-deletion",
    "choose-plan",
  ],
  ["it was deleted, and another is allowed", { ...pays("active"), instance: null }, "none", "create"],
  ["it was deleted, and none is allowed", { ...trial(-1), instance: null }, "ended", "choose-plan"],
  ["it is offline", { ...pays("active"), ...has({ status: offline }) }, "offline", "restart"],
  [
    "it is offline, which is not the owner's to do",
    { ...pays("active"), ...has({ status: offline, cause: "not-installed" }) },
    "offline-for-us",
    null,
  ],
  ["its launch is retried", { ...trial(14), ...has({ status: offline, isNew: true }) }, "launch-delayed", "watch-launch"],
  ["it is updated", { ...pays("active"), ...has({ status: pending, runningVersion: "2.38.7" }) }, "updating", null],
  [
    "its mail is unconfirmed",
    { isSetup: false, planSpec: null, instance: null, onboarding: { next: "verify", steps: [] } },
    "unconfirmed",
    "confirm-mail",
  ],
])("%s", (_title, account, headline, primary) => {
  const state = panelState({ account: buildAccount(account), isOverQuota: false, isRestoring: false, isFirstDay: false, nowMs });
  expect(shown(state)).toMatchObject({ headline, primary });
});

test.each([
  ["used up", trial(12), "see-plans"],
  ["used up, and the trial ends soon", trial(3), "choose-plan"],
])("executions are %s", (_title, account, primary) => {
  const state = panelState({ account: buildAccount(account), isOverQuota: true, isRestoring: false, isFirstDay: false, nowMs });
  expect(shown(state)).toMatchObject({ headline: "over-quota", primary, notices: ["over-quota"] });
});
