/** Imported by everything that shows the words of the panel. */
import { panelWords } from "./en-panel.ts";
import { addWords } from "./words.ts";

addWords(panelWords);
