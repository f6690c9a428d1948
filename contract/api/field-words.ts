/**
 * Every way a field can be wrong, and the sentence a person reads. Zod rules carry the code, so that the
 * API answers with both and the panel can show the sentence beside the field. Sources: SPEC §5.
 * Those of fields that the sign-in page has not are in ./late-field-words.ts.
 */
import type { lateFieldWords } from "./late-field-words.ts";

export const fieldWords = {
  "password.required": "Enter a password.",
  "password.length": "The password must have 8 to 64 characters.",
  "login.required": "Enter your account name or email address.",
  "token.required": "The link is incomplete. Open it again from the email.",
  "value.invalid": "This value is not valid.",
} as const;

export type FieldCode = keyof typeof fieldWords | keyof typeof lateFieldWords;

const known: Record<string, string> = { ...fieldWords };

/** Adds the sentences of fields that the sign-in page does without; called once, by the module that has them. */
export const addFieldWords = (words: Readonly<Record<string, string>>): void => void Object.assign(known, words);

/** The sentence for a field code; an unknown code (zod's own text) is shown as a plain "not valid". */
export function fieldMessage(code: string): string {
  return known[code] ?? fieldWords["value.invalid"];
}
