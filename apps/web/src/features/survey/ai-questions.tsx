import { aiExperiences, aiUses, type AiAnswer } from "#contract/survey.ts";
import { ChoiceChips } from "../../ui/choice-chips.tsx";
import "../../words/add-onboarding-words.ts";
import { t } from "../../words/words.ts";
import { OwnWords } from "./personalization-questions.tsx";

/** The second survey, for those whom the experiment shows it. */
export function AiQuestions({ answer, onChange }: { answer: AiAnswer; onChange: (answer: AiAnswer) => void }) {
  const { uses = [], experience, goal } = answer;
  return (
    <section className="border-t border-line pt-6" aria-labelledby="ai-survey">
      <h2 id="ai-survey" className="text-lg font-semibold">
        {t("aiSurvey.title")}
      </h2>
      <p className="mt-1 mb-5 text-sm text-ink-soft">{t("aiSurvey.lead")}</p>
      <div className="space-y-7">
        <ChoiceChips
          several
          label={t("aiSurvey.uses")}
          hint={t("survey.chosenSeveral")}
          options={aiUses.map((value) => ({ value, label: t(`aiSurvey.aiUses.${value}`) }))}
          chosen={uses}
          onChange={(chosen) => onChange({ ...answer, uses: chosen })}
        />
        <ChoiceChips
          label={t("aiSurvey.experience")}
          hint={t("survey.chosenOne")}
          options={aiExperiences.map((value) => ({ value, label: t(`aiSurvey.experiences.${value}`) }))}
          chosen={experience ? [experience] : []}
          onChange={([chosen]) => onChange({ ...answer, experience: chosen })}
        />
        <OwnWords label={t("aiSurvey.goal")} value={goal} onChange={(words) => onChange({ ...answer, goal: words })} />
      </div>
    </section>
  );
}
