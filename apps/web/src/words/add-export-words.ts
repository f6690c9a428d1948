/** Imported by everything that shows the words of the Export page. */
import { exportWords } from "./en-export.ts";
import { addWords } from "./words.ts";

addWords({ exporting: exportWords });
