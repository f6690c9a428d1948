/** Imported by the developer bar, which shows them. */
import { developerWords } from "../features/developer/words.ts";
import { addWords } from "./words-of.ts";

addWords({ developer: developerWords });
