/** The questions of the two surveys, one per view, in their order. */
import type { AiAnswer, PersonalizationAnswer } from "#contract/accounts/onboarding/survey.ts";

const personalQuestions = ["workArea", "codingSkills", "companyIndustry", "companySize"] as const;
export const aiQuestions = ["uses", "experience", "goal"] as const;

type AiQuestion = (typeof aiQuestions)[number];
export type Question = (typeof personalQuestions)[number] | AiQuestion;

/** The answers so far. */
export interface Answers {
  personal: PersonalizationAnswer;
  ai: AiAnswer;
}

export const isAboutAi = (question: Question): question is AiQuestion => aiQuestions.some((each) => each === question);

/** The questions to ask; those about AI only if that survey is open. */
export const questionsToAsk = (withAi: boolean): readonly Question[] =>
  withAi ? [...personalQuestions, ...aiQuestions] : personalQuestions;

/** The question to show: the current one if it is still asked, or the first. */
export const shownQuestion = (asked: readonly Question[], kept: string): Question => asked.find((each) => each === kept) ?? asked[0]!;

/** Whether any question about AI was answered: an empty answer is not sent. */
export const hasAiAnswer = ({ uses = [], experience, goal = "" }: AiAnswer): boolean =>
  uses.length > 0 || experience !== undefined || goal.trim() !== "";
