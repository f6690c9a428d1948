/** Imported by the developer bar, which shows them. */
import { developerWords } from "./en-developer.ts";
import { addWords } from "./words.ts";

addWords({ developer: developerWords });
