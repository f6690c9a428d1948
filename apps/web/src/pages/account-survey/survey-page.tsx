import { ArrowLeft, ArrowRight } from "lucide-react";
import { useState } from "react";
import { useLoaderData, useNavigate } from "react-router";
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/onboarding/survey.ts";
import { useSingleKeys } from "../../features/palette/shortcuts.ts";
import { useOpenAiSurvey } from "../../features/survey/experiment.ts";
import { hasAiAnswer, isAboutAi, type Answers } from "../../features/survey/questions.ts";
import { SurveyQuestion } from "../../features/survey/survey-question.tsx";
import { useSurveyView } from "../../features/survey/use-survey-view.ts";
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
import { useChoiceKeys } from "../../ui/form/choice-keys.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { ProgressBar } from "../../ui/progress/progress-bar.tsx";
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

/** The earlier answers, from any device. Without them the questions can still be answered. */
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
  const [answers, change, forget] = useDraft<Answers>(`survey-answers.${user?.id}`, { personal: survey.answer, ai: second.answer });
  const isVariant = useOpenAiSurvey();
  const [wasAnswered] = useState(hasAiAnswer(answers.ai));
  const { area, question, at, count, isLast, back, next, openAi } = useSurveyView(`survey-question.${user?.id}`, isVariant || wasAnswered);
  const save = useSaveSurvey(forget);
  useChoiceKeys(area, useSingleKeys());
  return (
    <div className="mx-auto max-w-2xl">
      <Card className="p-6 sm:p-8">
        <JourneySteps current="survey" className="mb-6" />
        <h1 className="text-2xl font-semibold">{t(isAboutAi(question) ? "aiSurvey.title" : "survey.title")}</h1>
        <p className="mt-1 text-ink-soft">{t(isAboutAi(question) ? "aiSurvey.lead" : "survey.lead")}</p>
        {survey.error ? <ErrorNotice error={survey.error} title={t("survey.loadFailed")} className="mt-5" /> : null}
        {second.error ? <ErrorNotice error={second.error} title={t("aiSurvey.loadFailed")} className="mt-5" /> : null}
        <form
          ref={area}
          className="mt-6"
          onSubmit={(event) => {
            event.preventDefault();
            if (isLast) void save.run({ answers, withAi: wasAnswered });
            else next();
          }}
        >
          <Progress at={at} count={count} />
          <div key={question} data-question={question} className="mt-6 animate-appear sm:min-h-72">
            <SurveyQuestion question={question} answers={answers} onChange={change} />
          </div>
          {isLast && !isAboutAi(question) ? <AiOffer onOpen={openAi} /> : null}
          {save.error ? <ErrorNotice error={save.error} title={t(`${save.saving}.saveFailed`)} className="mt-5" /> : null}
          <p className="mt-6 mb-4 text-[0.8125rem] text-ink-soft pointer-coarse:hidden">{t("survey.keys")}</p>
          <StepActions step="survey">
            {at > 0 ? (
              <Button tone="plain" onClick={back}>
                <ArrowLeft className="size-4" aria-hidden="true" />
                {t("survey.back")}
              </Button>
            ) : null}
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

function Progress({ at, count }: { at: number; count: number }) {
  const text = t("survey.position", { position: at + 1, count });
  return (
    <div>
      <p aria-live="polite" className="mb-1.5 text-[0.8125rem] font-medium text-ink-soft tabular-nums">
        {text}
      </p>
      <ProgressBar value={((at + 1) / count) * 100} label={t("survey.progress")} text={text} />
    </div>
  );
}

/** The second survey, folded: a line that opens it. */
function AiOffer({ onOpen }: { onOpen: () => void }) {
  return (
    <div className="mt-6 border-t border-line pt-5">
      <h2>
        <button
          type="button"
          onClick={onOpen}
          className="flex w-full items-center justify-between gap-4 rounded-lg text-left font-semibold hover:text-accent"
        >
          {t("aiSurvey.title")}
          <ArrowRight className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
        </button>
      </h2>
      <p className="mt-1 text-sm text-ink-soft">{t("aiSurvey.lead")}</p>
    </div>
  );
}

/** Saves both surveys, the one about AI only if it has or had an answer. `saving`: the words for a failure. */
function useSaveSurvey(onSaved: () => void) {
  const [saving, setSaving] = useState<"survey" | "aiSurvey">("survey");
  const navigate = useNavigate();
  const action = useAction(async ({ answers, withAi }: { answers: Answers; withAi: boolean }) => {
    if (withAi || hasAiAnswer(answers.ai)) {
      setSaving("aiSurvey");
      await callApi("saveAiAnswer", { body: answers.ai });
    }
    setSaving("survey");
    const { onboarding } = await callApi("savePersonalizationAnswer", { body: answers.personal });
    rememberOnboarding(onboarding);
    onSaved();
    await navigate(nextPath(knownUser()));
  });
  return { ...action, saving };
}
