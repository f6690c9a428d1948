/** Imported by everything that shows the words of the Export page. */
import { exportWords } from "../features/export/words.ts";
import { addWords } from "./words-of.ts";

addWords({ exporting: exportWords });
