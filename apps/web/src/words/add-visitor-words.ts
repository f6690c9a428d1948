/** Imported by everything that shows the words of the public pages. */
import "#contract/api/late-field-words.ts";
import { visitorWords } from "../features/sign-up/registration/words.ts";
import { lateErrors } from "../lib/api/words.ts";
import { addErrors, addWords } from "./words-of.ts";

addWords(visitorWords);
addErrors(lateErrors);
