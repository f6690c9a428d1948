/** Who sees the AI survey (SPEC §1). */
import { useVariant } from "../experiments/use-variant.ts";

const experiment = "026_easy_ai_workflow";

/** True for the variant; without a flag everybody is control. */
export const useAiSurvey = (): boolean => useVariant(experiment) === "variant";
