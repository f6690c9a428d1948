/** The sentence beside a field that is not valid, by the code of the rule it breaks, in the reader's language. */
import { fieldWords, type FieldCode } from "#contract/api/field-words.ts";
import { partOf } from "../../words/words-of.ts";

const spoken = partOf("fields", fieldWords, { de: () => import("./field-words.de.ts") });

/** The sentence for a field code; an unknown code (zod's own text) is shown as a plain "not valid". */
export const fieldMessage = (code: string): string => spoken()[code in fieldWords ? (code as FieldCode) : "value.invalid"];
