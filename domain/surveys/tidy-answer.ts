/** Cleans an answer before it is stored: no unanswered questions, no duplicates, and no text for an option that was not chosen. */
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/onboarding/survey.ts";

/** Drops free text for an "other" option that is not (or no longer) chosen. */
export function tidyAnswer(answer: PersonalizationAnswer): PersonalizationAnswer {
  const { workArea, otherWorkArea, codingSkills, companyIndustry, otherIndustry, companySize } = answer;
  return {
    ...(workArea && { workArea }),
    ...(workArea === "other" && otherWorkArea && { otherWorkArea }),
    ...(codingSkills !== undefined && { codingSkills }),
    ...(companyIndustry?.length && { companyIndustry: [...new Set(companyIndustry)] }),
    ...(companyIndustry?.includes("other") && otherIndustry && { otherIndustry }),
    ...(companySize && { companySize }),
  };
}

/** The same for the AI survey. */
export function tidyAiAnswer({ uses, experience, goal }: AiAnswer): AiAnswer {
  return { ...(uses?.length && { uses: [...new Set(uses)] }), ...(experience && { experience }), ...(goal && { goal }) };
}
