import { ArrowRight } from "lucide-react";
import { useLoaderData, useNavigate } from "react-router";
import type { AiAnswer, PersonalizationAnswer } from "#contract/survey.ts";
import { AiQuestions } from "../../features/survey/ai-questions.tsx";
import { useAiSurvey } from "../../features/survey/experiment.ts";
import { PersonalizationQuestions } from "../../features/survey/personalization-questions.tsx";
import { nextPath, rememberOnboarding } from "../../features/sign-up/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey-steps.tsx";
import { StepActions } from "../../features/sign-up/step-actions.tsx";
import { callApi } from "../../lib/api-client.ts";
import { ApiError } from "../../lib/api-error.ts";
import { knownUser, useMaybeUser } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import "../../words/add-onboarding-words.ts";
import { t } from "../../words/words.ts";

interface Loaded {
  answer: PersonalizationAnswer;
  ai: AiAnswer;
  error: ApiError | null;
}

/** What was answered before, on whatever device. Without it the questions can still be answered. */
export async function loader(): Promise<Loaded> {
  try {
    const [first, second] = await Promise.all([callApi("getPersonalizationAnswer"), callApi("getAiAnswer")]);
    return { answer: first.answer ?? {}, ai: second.answer ?? {}, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { answer: {}, ai: {}, error };
  }
}

export function Component() {
  const loaded = useLoaderData<Loaded>();
  const user = useMaybeUser();
  const [answer, change, forget] = useDraft(`survey.${user?.id}`, loaded.answer);
  const [ai, changeAi, forgetAi] = useDraft(`ai-survey.${user?.id}`, loaded.ai);
  const asksForAi = useAiSurvey();
  const navigate = useNavigate();
  const save = useAction(async () => {
    if (asksForAi) await callApi("saveAiAnswer", { body: ai });
    const { onboarding } = await callApi("savePersonalizationAnswer", { body: answer });
    rememberOnboarding(onboarding);
    forget();
    forgetAi();
    await navigate(nextPath(knownUser()));
  });
  return (
    <div className="mx-auto max-w-2xl">
      <JourneySteps current="survey" className="mb-6" />
      <Card className="p-6 sm:p-8">
        <h1 className="text-2xl font-semibold">{t("survey.title")}</h1>
        <p className="mt-1 text-ink-soft">{t("survey.lead")}</p>
        {loaded.error ? <ErrorNotice error={loaded.error} title={t("survey.loadFailed")} className="mt-5" /> : null}
        <form
          className="mt-7 space-y-7"
          onSubmit={(event) => {
            event.preventDefault();
            void save.run();
          }}
        >
          <PersonalizationQuestions answer={answer} onChange={change} />
          {asksForAi ? <AiQuestions answer={ai} onChange={changeAi} /> : null}
          {save.error ? <ErrorNotice error={save.error} title={t("survey.saveFailed")} /> : null}
          <StepActions step="survey">
            <Button type="submit" pending={save.pending} pendingText={t("survey.saving")}>
              {t("survey.submit")}
              <ArrowRight className="size-4" aria-hidden="true" />
            </Button>
          </StepActions>
        </form>
      </Card>
    </div>
  );
}
