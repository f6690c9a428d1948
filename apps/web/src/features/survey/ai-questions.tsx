import { ChevronDown } from "lucide-react";
import { aiExperiences, aiUses, type AiAnswer } from "#contract/accounts/survey.ts";
import { ChoiceChips } from "../../ui/form/choice-chips.tsx";
import { t } from "../sign-up/words.ts";
import { OwnWords } from "./personalization-questions.tsx";

interface AiQuestionsProps {
  answer: AiAnswer;
  onChange: (answer: AiAnswer) => void;
  isOpen: boolean;
}

/** The second survey. Folded, it is a line that opens it. */
export function AiQuestions({ answer, onChange, isOpen }: AiQuestionsProps) {
  const { uses = [], experience, goal } = answer;
  return (
    <details open={isOpen} className="group border-t border-line pt-6">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-lg [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg font-semibold">{t("aiSurvey.title")}</h2>
        <ChevronDown className="size-4 shrink-0 text-ink-soft transition-transform group-open:rotate-180" aria-hidden="true" />
      </summary>
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
    </details>
  );
}
