/** Imported by everything that shows the words of the panel. */
import "#contract/api/late-field-words.ts";
import { panelWords } from "./en-panel.ts";
import { lateErrors } from "./en-errors.ts";
import { addErrors, addWords } from "./words.ts";

addWords(panelWords);
addErrors(lateErrors);
