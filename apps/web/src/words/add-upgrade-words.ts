/** Imported by everything that shows the upgrade button or its notice. */
import { upgradeWords } from "../features/billing/upgrade/words.ts";
import { addWords } from "./words-of.ts";

addWords({ upgrade: upgradeWords });
