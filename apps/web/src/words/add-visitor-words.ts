/** Imported by everything that shows the words of the public pages. */
import { visitorWords } from "./en-visitor.ts";
import { addWords } from "./words.ts";

addWords(visitorWords);
