/** Imported by everything that shows the upgrade button or its notice. */
import { upgradeWords } from "./en-upgrade.ts";
import { addWords } from "./words.ts";

addWords({ upgrade: upgradeWords });
