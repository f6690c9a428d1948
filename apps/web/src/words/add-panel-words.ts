/** Imported by everything that shows the words of the panel. */
import "#contract/api/late-field-words.ts";
import { panelWords } from "../features/workspace/words.ts";
import { lateErrors } from "../lib/api/words.ts";
import { addErrors, addWords } from "./words-of.ts";

addWords(panelWords);
addErrors(lateErrors);
