/** The two surveys of the sign-up. The first has the options that docs/product.md lists; the second belongs to an experiment. */
import { z } from "zod";
import type { FieldCode } from "../../api/field-words.ts";
import { aiExperiences, aiUses, codingSkillLevels, companySizes, industries, workAreas } from "../account-values.ts";
import { onboarding } from "./onboarding.ts";
import { line } from "../../api/printable-text.ts";
import { defineRoute } from "../../api/route.ts";

const says = (code: FieldCode): FieldCode => code;

/** 200 characters: a sentence where a word is expected. An answer of only spaces is not stored. */
const ownWords = line(200, { tooLong: says("survey.too_long") }).optional();

const several = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  z
    .array(z.enum(options, says("value.invalid")), says("value.invalid"))
    .max(options.length, says("value.invalid"))
    .optional();

/** Every question is optional; the free text only counts where "other" is chosen. */
export const personalizationAnswer = z
  .object({
    workArea: z.enum(workAreas, says("value.invalid")).optional(),
    otherWorkArea: ownWords,
    codingSkills: z.literal(codingSkillLevels, says("value.invalid")).optional(),
    companyIndustry: several(industries),
    otherIndustry: ownWords,
    companySize: z.enum(companySizes, says("value.invalid")).optional(),
  })
  .meta({ id: "PersonalizationAnswer" });
export type PersonalizationAnswer = z.infer<typeof personalizationAnswer>;

export const aiAnswer = z
  .object({ uses: several(aiUses), experience: z.enum(aiExperiences, says("value.invalid")).optional(), goal: ownWords })
  .meta({ id: "AiAnswer" });
export type AiAnswer = z.infer<typeof aiAnswer>;

/** Answers as they were saved: a rule for new ones may not hide them from their owner. */
const savedWords = z.string().optional();
const savedPersonalization = personalizationAnswer
  .extend({ otherWorkArea: savedWords, otherIndustry: savedWords })
  .meta({ id: "SavedPersonalizationAnswer" });
const savedAi = aiAnswer.extend({ goal: savedWords }).meta({ id: "SavedAiAnswer" });

const readPath = { method: "GET", tag: "Sign-up", auth: "session", problems: [] } as const;
const writePath = { method: "POST", tag: "Sign-up", auth: "session", problems: [] } as const;

export const getPersonalizationAnswer = defineRoute({
  ...readPath,
  path: "/personalization-survey/answer",
  summary: "The answer to the personalization survey; null until there is one",
  success: { status: 200, body: z.object({ answer: savedPersonalization.nullable() }) },
});

export const savePersonalizationAnswer = defineRoute({
  ...writePath,
  path: "/personalization-survey/answer",
  summary: "Save the answer to the personalization survey, replacing any earlier one",
  body: personalizationAnswer,
  success: { status: 200, body: z.object({ answer: savedPersonalization, onboarding }) },
});

export const getAiAnswer = defineRoute({
  ...readPath,
  path: "/ai-survey/answer",
  summary: "The answer to the AI survey; null until there is one",
  success: { status: 200, body: z.object({ answer: savedAi.nullable() }) },
});

export const saveAiAnswer = defineRoute({
  ...writePath,
  path: "/ai-survey/answer",
  summary: "Save the answer to the AI survey, replacing any earlier one",
  body: aiAnswer,
  success: { status: 200, body: z.object({ answer: savedAi }) },
});
