/** Imported by everything that shows the words of the sign-up. */
import { onboardingWords } from "../features/sign-up/words.ts";
import { addWords } from "./words-of.ts";

addWords(onboardingWords);
