import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useLoaderData, useNavigate, useRevalidator } from "react-router";
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/onboarding/survey.ts";
import { useSingleKeys } from "../../features/palette/shortcuts.ts";
import { useOpenAiSurvey } from "../../features/survey/experiment.ts";
import { hasAiAnswer, isAboutAi, type Answers } from "../../features/survey/questions.ts";
import { SurveyQuestion } from "../../features/survey/survey-question.tsx";
import { useMoveOn } from "../../features/survey/use-move-on.ts";
import { useSurveyView } from "../../features/survey/use-survey-view.ts";
import { nextPath, rememberOnboarding } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { StepActions } from "../../features/sign-up/journey/step-actions.tsx";
import { StepCard } from "../../features/sign-up/journey/step-card.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { knownUser, useMaybeUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { Button } from "../../ui/button.tsx";
import { useChoiceKeys } from "../../ui/form/choice-keys.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "../../features/sign-up/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("survey.page") };

type Read<Answer> = Partial<Answer> | ApiError;

interface Loaded {
  personal: Read<PersonalizationAnswer>;
  ai: Read<AiAnswer>;
}

/** The earlier answers, from any device, or why they are not known. Then the step can be skipped. */
export async function loader(): Promise<Loaded> {
  const [personal, ai] = await Promise.all([readAnswer(callApi("getPersonalizationAnswer")), readAnswer(callApi("getAiAnswer"))]);
  return { personal, ai };
}

async function readAnswer<Answer extends object>(call: Promise<{ answer: Answer | null }>): Promise<Read<Answer>> {
  try {
    return (await call).answer ?? {};
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

export function Component() {
  const { personal, ai } = useLoaderData<Loaded>();
  if (personal instanceof ApiError) return <NotLoaded error={personal} title={t("survey.loadFailed")} />;
  if (ai instanceof ApiError) return <NotLoaded error={ai} title={t("aiSurvey.loadFailed")} />;
  return <Survey before={{ personal, ai }} />;
}

/** Saving replaces the earlier answers, so nothing can be answered before they are known. */
function NotLoaded({ error, title }: { error: ApiError; title: string }) {
  const { revalidate } = useRevalidator();
  return (
    <StepCard footer={<StepActions step="survey" />}>
      <JourneySteps current="survey" className="mb-6" />
      <h1 className="text-2xl font-semibold">{t("survey.title")}</h1>
      <ErrorNotice error={error} title={title} onRetry={() => void revalidate()} className="mt-5" />
    </StepCard>
  );
}

function Survey({ before }: { before: Answers }) {
  const user = useMaybeUser();
  const [answers, change, forget] = useDraft<Answers>(`survey.answers.${user?.id}`, before);
  const isVariant = useOpenAiSurvey();
  const [wasAnswered] = useState(hasAiAnswer(answers.ai));
  const { area, question, at, count, isLast, back, next, openAi } = useSurveyView(`view.survey.${user?.id}`, isVariant || wasAnswered);
  const save = useSaveSurvey(forget);
  useChoiceKeys(area, useSingleKeys());
  const move = useMoveOn(question, next);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of the fields inside
    <form
      ref={area}
      // An answer that is changed or taken back was not decided for.
      onKeyDown={({ key }) => void (/^(Arrow|Backspace|Delete)/.test(key) && move.stop())}
      onSubmit={(event) => {
        event.preventDefault();
        if (!move.isMeant()) return;
        move.stop();
        if (isLast) void save.run({ answers, withAi: wasAnswered });
        else next();
      }}
    >
      <StepCard
        footer={
          <StepActions
            step="survey"
            onSkip={move.stop}
            back={at > 0 ? () => (move.stop(), back()) : undefined}
            above={save.error ? <ErrorNotice error={save.error} title={t(`${save.saving}.saveFailed`)} className="mb-4" /> : null}
          >
            <Button type="submit" pending={save.pending} pendingText={t("survey.saving")}>
              {t("survey.submit")}
              <ArrowRight className="size-4" aria-hidden="true" />
            </Button>
          </StepActions>
        }
      >
        <JourneySteps current="survey" part={at / count} className="mb-6">
          <span aria-live="polite" className="tabular-nums">
            {t("survey.position", { position: at + 1, count })}
          </span>
        </JourneySteps>
        <h1 className="text-2xl font-semibold">{t(isAboutAi(question) ? "aiSurvey.title" : "survey.title")}</h1>
        <p className="mt-1 text-ink-soft">{t(isAboutAi(question) ? "aiSurvey.lead" : "survey.lead")}</p>
        <div key={question} data-question={question} className="mt-6 animate-appear">
          <SurveyQuestion question={question} answers={answers} onChange={change} onDecided={isLast ? undefined : move.soon} />
        </div>
        {isLast && !isAboutAi(question) ? <AiOffer onOpen={openAi} /> : null}
      </StepCard>
    </form>
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
