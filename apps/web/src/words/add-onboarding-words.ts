/** Imported by everything that shows the words of the sign-up. */
import { onboardingWords } from "./en-onboarding.ts";
import { addWords } from "./words.ts";

addWords(onboardingWords);
