/** Imported by everything that shows the words of the manage area. */
import { manageAreaWords } from "../features/members/words.ts";
import { settingsWords } from "../features/workspace-settings/words.ts";
import { updateWords } from "../features/workspace-settings/update/words.ts";
import { addWords } from "./words-of.ts";

addWords({ manageArea: manageAreaWords, settings: settingsWords, updates: updateWords });
