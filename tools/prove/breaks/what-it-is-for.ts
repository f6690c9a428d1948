/** "What the product is for" of docs/coverage.md. */
import type { Break } from "../break.ts";

export const whatItIsForBreaks: Break[] = [
  {
    row: "the order of the sign-up",
    file: "domain/journeys/signed-in/onboarding-view.ts",
    line: 'return confirmedAt ? "done" : "todo";',
    by: 'return setUpAt ? "done" : "todo";',
    test: "domain/journeys/signed-in/onboarding-view.test.ts",
    title: "the steps are in the order of the sign-up, each with its state",
  },
  {
    row: "a free trial of 14 days",
    file: "contract/billing/plans/plan-days.ts",
    line: "trialDays = 14",
    by: "trialDays = 15",
    test: "domain/journeys/launch/launch.test.ts",
    title: "setting up starts the trial and requests a workspace that is pending",
  },
  {
    row: "plans Starter, Pro and Enterprise",
    file: "domain/plans/read-plans.ts",
    line: "usd(one) - usd(other)",
    by: "usd(other) - usd(one)",
    test: "domain/journeys/choose-plan/choose-plan.test.ts",
    title: "plans are listed for any visitor, cheapest first by USD, without the trial and withdrawn plans",
  },
  {
    row: "experiment '026_easy_ai_workflow'",
    file: "domain/experiments/experiments.ts",
    line: "percent: 50",
    by: "percent: 30",
    test: "domain/experiments/flags.test.ts",
    title: "the experiment has two variants, each for half of the people",
  },
  {
    row: "two surveys: personalization and AI",
    file: "domain/journeys/onboarding/route.ts",
    line: 'survey: "ai", action',
    by: 'survey: "personalization", action',
    test: "domain/journeys/onboarding/onboarding.test.ts",
    title: "the AI survey is stored beside the first one",
  },
  {
    row: "English is the default language",
    file: "apps/web/src/lib/browser/language.ts",
    line: "365 * 24 * 60 * 60",
    by: "36 * 24 * 60 * 60",
    test: "apps/web/src/lib/browser/language.test.ts",
    title: "the language is remembered for 365 days, on https only there",
  },
  {
    row: "owners sign in by magic link",
    file: "domain/journeys/login-code/request-magic-link.ts",
    line: "status: workspaceStatus(workspace),",
    by: "status: 1 as const,",
    test: "domain/journeys/login-code/login-code.test.ts",
    title: "is mailed to the owner, states the workspace's status, and signs in once",
  },
];
