/** How the AI survey is offered: open for the variant, folded for control, so that both can answer it. */
import { useVariant } from "../experiments/use-variant.ts";

const experiment = "026_easy_ai_workflow";

/** True for the variant; without a flag everyone is in control. */
export const useOpenAiSurvey = (): boolean => useVariant(experiment) === "variant";
