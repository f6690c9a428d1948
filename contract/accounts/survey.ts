/** The two surveys of the sign-up. The first has the options that docs/product.md lists; the second belongs to an experiment. */
import { z } from "zod";
import type { FieldCode } from "../api/field-words.ts";
import { onboarding } from "./onboarding.ts";
import { defineRoute } from "../api/route.ts";

export const workAreas = [
  "finance",
  "HR",
  "IT-Engineering",
  "legal",
  "marketing-growth",
  "ops",
  "product",
  "sales-businessDevelopment",
  "security",
  "support",
  "executive",
  "other",
  "n/a",
] as const;
export const industries = [
  "e-commerce",
  "automation-consulting",
  "systems-integration",
  "government",
  "legal-industry",
  "healthcare",
  "finance-industry",
  "security-industry",
  "saas",
  "other",
] as const;
export const companySizes = ["<20", "20-99", "100-499", "500-999", "1000+", "personalUser"] as const;
/** From no code at all to writing software for a living. */
export const codingSkillLevels = [0, 1, 2, 3, 4, 5] as const;

export const aiUses = ["agents", "chatbots", "content", "data-extraction", "research", "coding", "none-yet"] as const;
export const aiExperiences = ["new", "chat-only", "prototypes", "production"] as const;

const says = (code: FieldCode): FieldCode => code;

/** 200 characters: a sentence, where a word is expected. Spaces alone are no answer and are not stored. */
const ownWords = z.string(says("value.invalid")).trim().max(200, says("survey.too_long")).optional();

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

const readPath = { method: "GET", tag: "Sign-up", auth: "session", problems: [] } as const;
const writePath = { method: "POST", tag: "Sign-up", auth: "session", problems: [] } as const;

export const getPersonalizationAnswer = defineRoute({
  ...readPath,
  path: "/personalization-survey/answer",
  summary: "The answer to the personalization survey; null until there is one",
  success: { status: 200, body: z.object({ answer: personalizationAnswer.nullable() }) },
});

export const savePersonalizationAnswer = defineRoute({
  ...writePath,
  path: "/personalization-survey/answer",
  summary: "Save the answer to the personalization survey, replacing any earlier one",
  body: personalizationAnswer,
  success: { status: 200, body: z.object({ answer: personalizationAnswer, onboarding }) },
});

export const getAiAnswer = defineRoute({
  ...readPath,
  path: "/ai-survey/answer",
  summary: "The answer to the AI survey; null until there is one",
  success: { status: 200, body: z.object({ answer: aiAnswer.nullable() }) },
});

export const saveAiAnswer = defineRoute({
  ...writePath,
  path: "/ai-survey/answer",
  summary: "Save the answer to the AI survey, replacing any earlier one",
  body: aiAnswer,
  success: { status: 200, body: z.object({ answer: aiAnswer }) },
});
