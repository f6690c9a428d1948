/** Imported by everything that shows the words about usage. */
import { usageWords } from "../features/usage/words.ts";
import { addWords } from "./words-of.ts";

addWords({ usage: usageWords });
