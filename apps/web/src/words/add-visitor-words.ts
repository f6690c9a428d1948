/** Imported by everything that shows the words of the public pages. */
import "#contract/api/late-field-words.ts";
import { visitorWords } from "./en-visitor.ts";
import { lateErrors } from "./en-errors.ts";
import { addErrors, addWords } from "./words.ts";

addWords(visitorWords);
addErrors(lateErrors);
