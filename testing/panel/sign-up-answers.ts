/** A customer who is still signing up, and what the API answers to the steps of the sign-up: each is saved, and the next one named. */
import { firstDaySteps, skippableSteps, type SkippableStep } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";
import type { Onboarding } from "#contract/accounts/onboarding/onboarding.ts";
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/onboarding/survey.ts";
import { onboardingView } from "#domain/journeys/signed-in/onboarding-view.ts";
import { tidyAiAnswer, tidyAnswer } from "#domain/surveys/tidy-answer.ts";
import { newId } from "#platform/ids.ts";
import { buildAccount } from "../accounts/build-account.ts";
import type { Answers, PanelState } from "./panel-answers.ts";

type Marks = Partial<Record<SkippableStep, "done" | "skipped">>;

interface Newcomer extends Partial<Omit<User, "account">> {
  /** The steps that are behind them. */
  steps?: Marks;
  templateId?: string | null;
}

let people = 0;

/** A person who has registered and has no workspace yet, different each time. */
export function buildNewcomer({ steps = {}, templateId = null, ...changes }: Newcomer = {}): User {
  people += 1;
  const username = changes.username ?? `ada-${people}`;
  const confirmed = changes.confirmed ?? false;
  return {
    id: newId(),
    email: `${username}@example.com`,
    fullName: "Ada Lovelace",
    hasPassword: true,
    profile: { language: null, timezone: null, mutedMails: [], revision: "profile-1" },
    ...changes,
    username,
    confirmed,
    account: buildAccount({
      name: username,
      isSetup: false,
      planSpec: null,
      instance: null,
      templateId,
      isFirstDay: true,
      firstDays: firstDaySteps.map((name) => ({ name, isDone: false })),
      onboarding: onboardingOf(steps, confirmed),
    }),
  };
}

const onboardingOf = (onboardingSteps: Marks, confirmed: boolean): Onboarding =>
  onboardingView({ onboardingSteps, confirmedAt: confirmed ? new Date() : null, setUpAt: null, workspace: null });

/** The onboarding once this step is done or skipped; one that is done stays done. For a user who has not set up the workspace yet. */
export function markStep({ user }: PanelState, step: SkippableStep, mark: "done" | "skipped"): Onboarding {
  const { account, confirmed } = user;
  const before = Object.fromEntries(account.onboarding.steps.map(({ name, state }) => [name, state]));
  const marks = Object.fromEntries(skippableSteps.flatMap((name) => (before[name] === "todo" ? [] : [[name, before[name]]]))) as Marks;
  account.onboarding = onboardingOf({ ...marks, [step]: before[step] === "done" ? "done" : mark }, confirmed);
  return account.onboarding;
}

interface Saved {
  personalization?: PersonalizationAnswer | null;
  ai?: AiAnswer | null;
  apps?: string[];
}

/** Answers of the surveys, the choice of apps and a skipped step; `saved` is what was saved earlier, and keeps what is saved. */
export function signUpAnswers(saved: Saved = {}): Answers {
  return {
    getPersonalizationAnswer: () => ({ answer: saved.personalization ?? null }),
    savePersonalizationAnswer({ body }, state) {
      saved.personalization = tidyAnswer(body);
      return { answer: saved.personalization, onboarding: markStep(state, "survey", "done") };
    },
    getAiAnswer: () => ({ answer: saved.ai ?? null }),
    saveAiAnswer({ body }) {
      saved.ai = tidyAiAnswer(body);
      return { answer: saved.ai };
    },
    getSelectedApps: () => ({ apps: saved.apps ?? [] }),
    saveSelectedApps({ body }, state) {
      saved.apps = [...new Set(body.apps)];
      return { apps: saved.apps, onboarding: markStep(state, "apps", "done") };
    },
    skipOnboardingStep: ({ body }, state) => ({ onboarding: markStep(state, body.step, "skipped") }),
  };
}
