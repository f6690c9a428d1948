/** Imported by the question, which shows them. */
import { consentWords } from "../features/consent/words.ts";
import { addWords } from "./words-of.ts";

addWords({ consent: consentWords });
