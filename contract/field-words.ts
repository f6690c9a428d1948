/**
 * Every way a field can be wrong, and the sentence a person reads. Zod rules carry the code, so that the
 * API answers with both and the panel can show the sentence beside the field. Sources: SPEC §5.
 * Those of fields behind the sign-in stand in ./late-field-words.ts.
 */
import type { lateFieldWords } from "./late-field-words.ts";

export const fieldWords = {
  "account_name.required": "Choose an account name.",
  "account_name.length": "The account name must have 3 to 25 characters.",
  "account_name.characters": "Use lowercase letters, digits and '-' only.",
  "account_name.start": "The account name must start with a letter.",
  "account_name.end": "The account name must end with a letter or a digit.",
  "account_name.taken": "This account name is already taken.",
  "full_name.required": "Enter your full name.",
  "full_name.length": "The full name must have at most 120 characters.",
  "full_name.characters": "The full name must not contain & < > ! ` / = { } ; : . \" or \\.",
  "email.required": "Enter your email address.",
  "email.length": "The email address must have at least 6 characters.",
  "email.invalid": "Enter a valid email address",
  "email.mismatch": "Email doesn't match, check for spelling errors.",
  "email.taken": "There is already an account with this email address. Log in instead?",
  "password.required": "Enter a password.",
  "password.length": "The password must have 8 to 64 characters.",
  "password.common": "This password is one of the most used ones. Please choose another.",
  "password.own_words": "This password is little more than a name or an address. Please choose another.",
  "password.breached": "This password is known from a leak elsewhere. Please choose another.",
  "challenge.required": "Please check the checkbox.",
  "challenge.invalid": "The check did not succeed. Please check the checkbox again.",
  "challenge.expired": "The check has expired. Please check the checkbox again.",
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
