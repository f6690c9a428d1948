import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useLoaderData, useNavigate } from "react-router";
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/survey.ts";
import { AiQuestions } from "../../features/survey/ai-questions.tsx";
import { useOpenAiSurvey } from "../../features/survey/experiment.ts";
import { PersonalizationQuestions } from "../../features/survey/personalization-questions.tsx";
import { nextPath, rememberOnboarding } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { StepActions } from "../../features/sign-up/journey/step-actions.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { knownUser, useMaybeUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "../../features/sign-up/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("survey.page") };

interface Read<Answer> {
  answer: Partial<Answer>;
  error: ApiError | null;
}

interface Loaded {
  survey: Read<PersonalizationAnswer>;
  ai: Read<AiAnswer>;
}

/** What was answered before, on whatever device. Without it the questions can still be answered. */
export async function loader(): Promise<Loaded> {
  const [survey, ai] = await Promise.all([readAnswer(callApi("getPersonalizationAnswer")), readAnswer(callApi("getAiAnswer"))]);
  return { survey, ai };
}

async function readAnswer<Answer extends object>(call: Promise<{ answer: Answer | null }>): Promise<Read<Answer>> {
  try {
    return { answer: (await call).answer ?? {}, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { answer: {}, error };
  }
}

export function Component() {
  const { survey, ai: second } = useLoaderData<Loaded>();
  const user = useMaybeUser();
  const [answer, change, forget] = useDraft(`survey.${user?.id}`, survey.answer);
  const [ai, changeAi, forgetAi] = useDraft(`ai-survey.${user?.id}`, second.answer);
  const isVariant = useOpenAiSurvey();
  const [wasAnswered] = useState(hasAnswer(ai));
  /** Whose words a failure has. */
  const [saving, setSaving] = useState<"survey" | "aiSurvey">("survey");
  const navigate = useNavigate();
  const save = useAction(async () => {
    if (wasAnswered || hasAnswer(ai)) {
      setSaving("aiSurvey");
      await callApi("saveAiAnswer", { body: ai });
    }
    setSaving("survey");
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
        {survey.error ? <ErrorNotice error={survey.error} title={t("survey.loadFailed")} className="mt-5" /> : null}
        {second.error ? <ErrorNotice error={second.error} title={t("aiSurvey.loadFailed")} className="mt-5" /> : null}
        <form
          className="mt-7 space-y-7"
          onSubmit={(event) => {
            event.preventDefault();
            void save.run();
          }}
        >
          <PersonalizationQuestions answer={answer} onChange={change} />
          <AiQuestions answer={ai} onChange={changeAi} isOpen={isVariant || wasAnswered} />
          {save.error ? <ErrorNotice error={save.error} title={t(`${saving}.saveFailed`)} /> : null}
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

const hasAnswer = ({ uses = [], experience, goal = "" }: AiAnswer): boolean =>
  uses.length > 0 || experience !== undefined || goal.trim() !== "";
