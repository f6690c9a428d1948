/** What is kept of an answer: no open questions, nothing twice, and no words that belong to an option not chosen. */
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/survey.ts";

/** Drops words of one's own that belong to an "other" which is not chosen (any more). */
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
