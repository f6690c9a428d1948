/**
 * Every way a field can be wrong, and the sentence a person reads. Zod rules carry the code, so that the
 * API answers with both and the panel can show the sentence beside the field.
 */
import { formFieldWords } from "./form-field-words.ts";
import { signInFieldWords } from "./sign-in-field-words.ts";

/** Of calls by programs: no form of the panel sends such values, so that its pages need not contain these. */
const callFieldWords = {
  "value.unknown": "There is no such field here. Check its spelling.",
  "clock.too_far": "The sandbox's time can be at most 100 years ahead.",
} as const;

export const fieldWords = { ...signInFieldWords, ...formFieldWords, ...callFieldWords } as const;

export type FieldCode = keyof typeof fieldWords;

const isFieldCode = (code: string): code is FieldCode => code in fieldWords;

/** The sentence for a field code; an unknown code (zod's own text) is shown as a plain "not valid". */
export const fieldMessage = (code: string): string => fieldWords[isFieldCode(code) ? code : "value.invalid"];
