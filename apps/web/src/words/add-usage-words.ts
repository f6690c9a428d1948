/** Imported by everything that shows the words about usage. */
import { usageWords } from "./en-usage.ts";
import { addWords } from "./words.ts";

addWords({ usage: usageWords });
