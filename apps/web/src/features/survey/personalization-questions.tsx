import { codingSkillLevels, companySizes, industries, workAreas, type PersonalizationAnswer } from "#contract/accounts/survey.ts";
import { ChoiceChips } from "../../ui/form/choice-chips.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { t } from "../sign-up/words.ts";

interface QuestionsProps {
  answer: PersonalizationAnswer;
  onChange: (answer: PersonalizationAnswer) => void;
}

/** The personalization questions. All are optional. */
export function PersonalizationQuestions({ answer, onChange }: QuestionsProps) {
  const { workArea, otherWorkArea, codingSkills, companyIndustry = [], otherIndustry, companySize } = answer;
  return (
    <div className="space-y-7">
      <div>
        <ChoiceChips
          label={t("survey.workArea")}
          hint={t("survey.chosenOne")}
          options={workAreas.map((value) => ({ value, label: t(`survey.workAreas.${value}`) }))}
          chosen={workArea ? [workArea] : []}
          onChange={([chosen]) => onChange({ ...answer, workArea: chosen })}
        />
        {workArea === "other" ? (
          <OwnWords
            label={t("survey.otherWorkArea")}
            value={otherWorkArea}
            onChange={(words) => onChange({ ...answer, otherWorkArea: words })}
          />
        ) : null}
      </div>
      <ChoiceChips
        label={t("survey.codingSkills")}
        options={codingSkillLevels.map((value) => ({ value, label: String(value) }))}
        chosen={codingSkills === undefined ? [] : [codingSkills]}
        onChange={([chosen]) => onChange({ ...answer, codingSkills: chosen })}
      >
        <p className="mt-2 flex max-w-88 justify-between gap-4 text-[0.8125rem] text-ink-soft">
          <span>{t("survey.codingLowest")}</span>
          <span className="text-right">{t("survey.codingHighest")}</span>
        </p>
      </ChoiceChips>
      <div>
        <ChoiceChips
          several
          label={t("survey.companyIndustry")}
          hint={t("survey.chosenSeveral")}
          options={industries.map((value) => ({ value, label: t(`survey.industries.${value}`) }))}
          chosen={companyIndustry}
          onChange={(chosen) => onChange({ ...answer, companyIndustry: chosen })}
        />
        {companyIndustry.includes("other") ? (
          <OwnWords
            label={t("survey.otherIndustry")}
            value={otherIndustry}
            onChange={(words) => onChange({ ...answer, otherIndustry: words })}
          />
        ) : null}
      </div>
      <ChoiceChips
        label={t("survey.companySize")}
        hint={t("survey.chosenOne")}
        options={companySizes.map((value) => ({ value, label: t(`survey.companySizes.${value}`) }))}
        chosen={companySize ? [companySize] : []}
        onChange={([chosen]) => onChange({ ...answer, companySize: chosen })}
      />
    </div>
  );
}

/** The contract's limit; more can't be typed. */
const mostCharacters = 200;

export function OwnWords({
  label,
  value = "",
  onChange,
}: {
  label: string;
  value?: string | undefined;
  onChange: (words: string) => void;
}) {
  return (
    <TextField
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      maxLength={mostCharacters}
      className="mt-3 max-w-md"
    />
  );
}
