/** The surveys, the choice of apps, and skipping a step. */
import type { AuditAction } from "#domain/audit/audit-actions.ts";
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/onboarding/survey.ts";
import { routes } from "#contract/routes.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { forgetTemplate, markOnboardingStep, readApps, saveApps } from "#domain/accounts/onboarding-store.ts";
import { readAnswer, saveAnswer } from "#domain/surveys/survey-store.ts";
import { tidyAiAnswer, tidyAnswer } from "#domain/surveys/tidy-answer.ts";
import type { Connection } from "#platform/database.ts";
import type { Mount, Services } from "../services.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import { onboardingAfter, saveAnswers, type AnswersSaved } from "./save-answers.ts";

export function onboardingRoutes(mount: Mount, services: Services): void {
  const { db, clock } = services;

  mount(routes.getPersonalizationAnswer, async ({ signedIn }) => ({
    answer: await readAnswer<PersonalizationAnswer>(db, signedIn.accountId, "personalization"),
  }));
  mount(routes.savePersonalizationAnswer, async ({ signedIn, body, address }) => {
    const answer = tidyAnswer(body);
    const saved = { survey: "personalization", action: "survey.answered", answer, address } as const;
    return { answer, onboarding: await saveSurvey(services, signedIn, "survey", saved) };
  });

  mount(routes.getAiAnswer, async ({ signedIn }) => ({ answer: await readAnswer<AiAnswer>(db, signedIn.accountId, "ai") }));
  mount(routes.saveAiAnswer, async ({ signedIn, body, address }) => {
    const answer = tidyAiAnswer(body);
    await saveSurvey(services, signedIn, null, { survey: "ai", action: "survey.ai-answered", answer, address });
    return { answer };
  });

  mount(routes.getSelectedApps, async ({ signedIn }) => ({ apps: await readApps(db, signedIn.accountId) }));
  mount(routes.saveSelectedApps, async ({ signedIn, body, address }) => {
    const apps = [...new Set(body.apps)];
    const change: AnswersSaved = { action: "apps.selected", before: (tx) => readApps(tx, signedIn.accountId), after: apps, address };
    return { apps, onboarding: await saveAnswers(services, signedIn, "apps", (tx) => saveApps(tx, signedIn.accountId, apps), change) };
  });

  mount(routes.skipOnboardingStep, async ({ signedIn, body, address }) => {
    const { accountId, userId } = signedIn;
    await db.transaction(async (tx) => {
      await markOnboardingStep(tx, accountId, body.step, "skipped");
      await writeAudit(
        tx,
        { accountId, userId, action: "onboarding.skipped", before: signedIn.onboardingSteps[body.step], after: body.step, address },
        clock.now(),
      );
    });
    return { onboarding: onboardingAfter(signedIn, body.step, "skipped") };
  });

  // Opening it in two tabs counts once, and a template chosen in between is still to be opened.
  mount(routes.forgetTemplate, ({ signedIn: { accountId, userId }, params, address }) =>
    db.transaction(async (tx) => {
      if (await forgetTemplate(tx, accountId, params.id))
        await writeAudit(tx, { accountId, userId, action: "template.opened", before: params.id, address }, clock.now());
    }),
  );
}

interface SurveySaved {
  survey: "personalization" | "ai";
  action: AuditAction;
  answer: PersonalizationAnswer | AiAnswer;
  address: string;
}

/** Saves the answer; its survey is the onboarding's `step`, unless it is null. */
function saveSurvey(services: Services, current: CurrentUser, step: "survey" | null, { survey, action, answer, address }: SurveySaved) {
  const { accountId } = current;
  return saveAnswers(services, current, step, (tx, now) => saveAnswer(tx, accountId, survey, answer, now), {
    action,
    before: (tx: Connection) => readAnswer(tx, accountId, survey),
    after: answer,
    address,
  });
}
