/** How the AI survey is offered: it is open to the variant and folded for control, so that both can answer it. */
import { useVariant } from "../experiments/use-variant.ts";

const experiment = "026_easy_ai_workflow";

/** True for the variant; without a flag everybody is control. */
export const useOpenAiSurvey = (): boolean => useVariant(experiment) === "variant";
