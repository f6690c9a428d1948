/** Imported by the question, which shows them. */
import { consentWords } from "./en-consent.ts";
import { addWords } from "./words.ts";

addWords({ consent: consentWords });
