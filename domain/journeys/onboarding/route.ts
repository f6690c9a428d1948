/** The surveys, the choice of apps, and leaving a step out. */
import type { AiAnswer, PersonalizationAnswer } from "#contract/survey.ts";
import { routes } from "#contract/routes.ts";
import { markOnboardingStep, readApps, saveApps } from "#domain/accounts/onboarding-store.ts";
import { readAnswer, saveAnswer } from "#domain/surveys/survey-store.ts";
import { tidyAiAnswer, tidyAnswer } from "#domain/surveys/tidy-answer.ts";
import type { Mount, Services } from "../services.ts";
import { after, changeProfile } from "./change-profile.ts";

export function onboardingRoutes(mount: Mount, services: Services): void {
  const { db } = services;

  mount(routes.getPersonalizationAnswer, async ({ signedIn }) => ({ answer: await readAnswer<PersonalizationAnswer>(db, signedIn.accountId, "personalization") }));
  mount(routes.savePersonalizationAnswer, async ({ signedIn, body }) => {
    const answer = tidyAnswer(body);
    const onboarding = await changeProfile(services, signedIn, "survey", (tx, now) => saveAnswer(tx, signedIn.accountId, "personalization", answer, now));
    return { answer, onboarding };
  });

  mount(routes.getAiAnswer, async ({ signedIn }) => ({ answer: await readAnswer<AiAnswer>(db, signedIn.accountId, "ai") }));
  mount(routes.saveAiAnswer, async ({ signedIn, body }) => {
    const answer = tidyAiAnswer(body);
    await changeProfile(services, signedIn, null, (tx, now) => saveAnswer(tx, signedIn.accountId, "ai", answer, now));
    return { answer };
  });

  mount(routes.getSelectedApps, async ({ signedIn }) => ({ apps: await readApps(db, signedIn.accountId) }));
  mount(routes.saveSelectedApps, async ({ signedIn, body }) => {
    const apps = [...new Set(body.apps)];
    return { apps, onboarding: await changeProfile(services, signedIn, "apps", (tx) => saveApps(tx, signedIn.accountId, apps)) };
  });

  mount(routes.skipOnboardingStep, async ({ signedIn, body }) => {
    await markOnboardingStep(db, signedIn.accountId, body.step, "skipped");
    return { onboarding: after(signedIn, body.step, "skipped") };
  });
}
