/** Imported by everything that shows the words of the manage area. */
import { manageAreaWords } from "./en-manage-area.ts";
import { settingsWords } from "./en-settings.ts";
import { updateWords } from "./en-updates.ts";
import { addWords } from "./words.ts";

addWords({ manageArea: manageAreaWords, settings: settingsWords, updates: updateWords });
