import { useState, type ReactElement } from "react";
import { aiExperiences, aiUses, codingSkillLevels, companySizes, industries, workAreas } from "#contract/accounts/account-values.ts";
import { ChoiceList } from "../../ui/form/choice-list.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { t } from "../sign-up/words.ts";
import type { Answers, Question } from "./questions.ts";

interface QuestionProps {
  answers: Answers;
  onChange: (answers: Answers) => void;
  /** Runs when one of several answers was decided for and nothing else is asked; undefined where that does not lead on. */
  onDecided?: (() => void) | undefined;
}

const views: Readonly<Record<Question, (props: QuestionProps) => ReactElement>> = {
  workArea: WorkArea,
  codingSkills: CodingSkills,
  companyIndustry: CompanyIndustry,
  companySize: CompanySize,
  uses: AiUses,
  experience: AiExperience,
  goal: AiGoal,
};

/** One question, with a text field where the answer is “other”. All are optional. */
export function SurveyQuestion({ question, ...props }: QuestionProps & { question: Question }) {
  const View = views[question];
  return <View {...props} />;
}

/** How to answer; by keys as well, where there are any. */
const hint = (how: "chosenOne" | "chosenSeveral" | "choosesNext") => (
  <>
    {t(`survey.${how}`)}
    <span className="max-sm:hidden pointer-coarse:hidden"> · {t("survey.keys")}</span>
  </>
);

/** What a list of single answers says, and does, about moving on. */
const single = (onDecided: (() => void) | undefined) => ({
  hint: hint(onDecided ? "choosesNext" : "chosenOne"),
  onPick: onDecided,
});

function WorkArea({ answers, onChange, onDecided }: QuestionProps) {
  const { workArea, otherWorkArea } = answers.personal;
  const [isTyping, setIsTyping] = useState(false);
  const change = (personal: Answers["personal"]) => onChange({ ...answers, personal: { ...answers.personal, ...personal } });
  return (
    <>
      <ChoiceList
        label={t("survey.workArea")}
        {...single(onDecided)}
        onPick={(chosen) => (chosen === "other" ? setIsTyping(true) : onDecided?.())}
        columns={3}
        options={workAreas.map((value) => ({ value, label: t(`survey.workAreas.${value}`) }))}
        chosen={workArea ? [workArea] : []}
        onChange={([chosen]) => change({ workArea: chosen })}
      />
      {workArea === "other" ? (
        <OwnWords
          isNext={isTyping}
          label={t("survey.otherWorkArea")}
          value={otherWorkArea}
          onChange={(words) => change({ otherWorkArea: words })}
        />
      ) : null}
    </>
  );
}

function CodingSkills({ answers, onChange, onDecided }: QuestionProps) {
  const { codingSkills } = answers.personal;
  return (
    <ChoiceList
      isScale
      label={t("survey.codingSkills")}
      {...single(onDecided)}
      options={codingSkillLevels.map((value) => ({ value, label: String(value) }))}
      chosen={codingSkills === undefined ? [] : [codingSkills]}
      onChange={([chosen]) => onChange({ ...answers, personal: { ...answers.personal, codingSkills: chosen } })}
    >
      <p className="mt-2 flex max-w-md justify-between gap-4 text-[0.8125rem] text-ink-soft">
        <span>{t("survey.codingLowest")}</span>
        <span className="text-right">{t("survey.codingHighest")}</span>
      </p>
    </ChoiceList>
  );
}

function CompanyIndustry({ answers, onChange }: QuestionProps) {
  const { companyIndustry = [], otherIndustry } = answers.personal;
  const [isTyping, setIsTyping] = useState(false);
  const change = (personal: Answers["personal"]) => onChange({ ...answers, personal: { ...answers.personal, ...personal } });
  return (
    <>
      <ChoiceList
        several
        columns={3}
        label={t("survey.companyIndustry")}
        hint={hint("chosenSeveral")}
        options={industries.map((value) => ({ value, label: t(`survey.industries.${value}`) }))}
        chosen={companyIndustry}
        onChange={(chosen) => change({ companyIndustry: chosen })}
        onPick={(chosen) => (chosen === "other" ? setIsTyping(true) : undefined)}
      />
      {companyIndustry.includes("other") ? (
        <OwnWords
          isNext={isTyping}
          label={t("survey.otherIndustry")}
          value={otherIndustry}
          onChange={(words) => change({ otherIndustry: words })}
        />
      ) : null}
    </>
  );
}

function CompanySize({ answers, onChange, onDecided }: QuestionProps) {
  const { companySize } = answers.personal;
  return (
    <ChoiceList
      label={t("survey.companySize")}
      {...single(onDecided)}
      options={companySizes.map((value) => ({ value, label: t(`survey.companySizes.${value}`) }))}
      chosen={companySize ? [companySize] : []}
      onChange={([chosen]) => onChange({ ...answers, personal: { ...answers.personal, companySize: chosen } })}
    />
  );
}

function AiUses({ answers, onChange }: QuestionProps) {
  return (
    <ChoiceList
      several
      label={t("aiSurvey.uses")}
      hint={hint("chosenSeveral")}
      options={aiUses.map((value) => ({ value, label: t(`aiSurvey.aiUses.${value}`) }))}
      chosen={answers.ai.uses ?? []}
      onChange={(uses) => onChange({ ...answers, ai: { ...answers.ai, uses } })}
    />
  );
}

function AiExperience({ answers, onChange, onDecided }: QuestionProps) {
  const { experience } = answers.ai;
  return (
    <ChoiceList
      label={t("aiSurvey.experience")}
      {...single(onDecided)}
      options={aiExperiences.map((value) => ({ value, label: t(`aiSurvey.experiences.${value}`) }))}
      chosen={experience ? [experience] : []}
      onChange={([chosen]) => onChange({ ...answers, ai: { ...answers.ai, experience: chosen } })}
    />
  );
}

function AiGoal({ answers, onChange }: QuestionProps) {
  return (
    <OwnWords
      label={t("aiSurvey.goal")}
      value={answers.ai.goal}
      onChange={(goal) => onChange({ ...answers, ai: { ...answers.ai, goal } })}
    />
  );
}

/** The contract's limit; more can't be typed. */
const mostCharacters = 200;

interface OwnWordsProps {
  label: string;
  value?: string | undefined;
  onChange: (words: string) => void;
  /** “Other” was just chosen: the next keys are its words, and no longer choose answers. */
  isNext?: boolean;
}

function OwnWords({ label, value = "", onChange, isNext = false }: OwnWordsProps) {
  return (
    <TextField
      ref={isNext ? focusFirst : undefined}
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      maxLength={mostCharacters}
      className="mt-4 max-w-md"
    />
  );
}

/** The same function each time, so that it runs once, when the field appears. */
const focusFirst = (input: HTMLInputElement | null): void => input?.focus();
