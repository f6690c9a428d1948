/** The surveys, the choice of apps, and skipping a step. */
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/survey.ts";
import { routes } from "#contract/routes.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { forgetTemplate, markOnboardingStep, readApps, saveApps } from "#domain/accounts/onboarding-store.ts";
import { readAnswer, saveAnswer } from "#domain/surveys/survey-store.ts";
import { tidyAiAnswer, tidyAnswer } from "#domain/surveys/tidy-answer.ts";
import type { Connection } from "#platform/database.ts";
import type { Mount, Services } from "../services.ts";
import { changeProfile, onboardingAfter } from "./change-profile.ts";

export function onboardingRoutes(mount: Mount, services: Services): void {
  const { db, clock } = services;

  mount(routes.getPersonalizationAnswer, async ({ signedIn }) => ({
    answer: await readAnswer<PersonalizationAnswer>(db, signedIn.accountId, "personalization"),
  }));
  mount(routes.savePersonalizationAnswer, async ({ signedIn, body, address }) => {
    const answer = tidyAnswer(body);
    const change = {
      action: "survey.answered",
      before: (tx: Connection) => readAnswer(tx, signedIn.accountId, "personalization"),
      after: answer,
      address,
    };
    const onboarding = await changeProfile(
      services,
      signedIn,
      "survey",
      (tx, now) => saveAnswer(tx, signedIn.accountId, "personalization", answer, now),
      change,
    );
    return { answer, onboarding };
  });

  mount(routes.getAiAnswer, async ({ signedIn }) => ({ answer: await readAnswer<AiAnswer>(db, signedIn.accountId, "ai") }));
  mount(routes.saveAiAnswer, async ({ signedIn, body, address }) => {
    const answer = tidyAiAnswer(body);
    const change = {
      action: "survey.ai-answered",
      before: (tx: Connection) => readAnswer(tx, signedIn.accountId, "ai"),
      after: answer,
      address,
    };
    await changeProfile(services, signedIn, null, (tx, now) => saveAnswer(tx, signedIn.accountId, "ai", answer, now), change);
    return { answer };
  });

  mount(routes.getSelectedApps, async ({ signedIn }) => ({ apps: await readApps(db, signedIn.accountId) }));
  mount(routes.saveSelectedApps, async ({ signedIn, body, address }) => {
    const apps = [...new Set(body.apps)];
    const change = { action: "apps.selected", before: (tx: Connection) => readApps(tx, signedIn.accountId), after: apps, address };
    return { apps, onboarding: await changeProfile(services, signedIn, "apps", (tx) => saveApps(tx, signedIn.accountId, apps), change) };
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

  // Opening it in two tabs counts once, and a template chosen meanwhile is still to be opened.
  mount(routes.forgetTemplate, ({ signedIn: { accountId, userId }, params, address }) =>
    db.transaction(async (tx) => {
      if (await forgetTemplate(tx, accountId, params.id))
        await writeAudit(tx, { accountId, userId, action: "template.opened", before: params.id, address }, clock.now());
    }),
  );
}
