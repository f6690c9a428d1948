/** The documented rules of a registration as a table: valid values, invalid values, and their exact messages. */
import type { FieldCode } from "#contract/api/field-words.ts";

export type RegistrationField = "accountName" | "fullName" | "email" | "emailConfirmation" | "password" | "challenge";

interface BadValue {
  field: RegistrationField;
  /** undefined: the field is omitted. */
  value: string | undefined;
  code: FieldCode;
  message: string;
}

const messages = {
  "account_name.required": "Choose an account name.",
  "account_name.length": "The account name must have 3 to 25 characters.",
  "account_name.characters": "Use lowercase letters, digits and '-' only.",
  "account_name.start": "The account name must start with a letter.",
  "account_name.end": "The account name must end with a letter or a digit.",
  "full_name.required": "Enter your full name.",
  "full_name.length": "The full name must have at most 120 characters.",
  "full_name.characters": 'The full name must not contain & < > ! ` / = { } ; : . " or \\.',
  "text.unseen": "Type this text: it contains a line break or an invisible character.",
  "email.required": "Enter your email address.",
  "email.length": "The email address must have at least 6 characters.",
  "email.invalid": "Enter a valid email address",
  "email.mismatch": "Email doesn't match, check for spelling errors.",
  "password.required": "Enter a password.",
  "password.length": "The password must have 8 to 64 characters.",
  "challenge.required": "Please check the checkbox.",
} satisfies Partial<Record<FieldCode, string>>;

type Row = [field: RegistrationField, value: string | undefined, code: keyof typeof messages];

const bad: Row[] = [
  ["accountName", undefined, "account_name.required"],
  ["accountName", "", "account_name.required"],
  ["accountName", "ab", "account_name.length"],
  ["accountName", "a".repeat(26), "account_name.length"],
  ["accountName", "Acme", "account_name.characters"],
  ["accountName", "ac_me", "account_name.characters"],
  ["accountName", "ac me", "account_name.characters"],
  ["accountName", "acmé", "account_name.characters"],
  ["accountName", "аcme", "account_name.characters"],
  ["accountName", "1acme", "account_name.start"],
  ["accountName", "-acme", "account_name.start"],
  ["accountName", "acme-", "account_name.end"],
  ["fullName", undefined, "full_name.required"],
  ["fullName", "", "full_name.required"],
  ["fullName", "  ", "full_name.required"],
  ["fullName", "a".repeat(121), "full_name.length"],
  ...Array.from('&<>!`/={};:."\\', (character): Row => ["fullName", `Ada ${character} Lovelace`, "full_name.characters"]),
  ["fullName", "Ada\u0007Lovelace", "text.unseen"],
  ...[
    "\u200b",
    "\ufe0f",
    "\u200b\u200c\u200d",
    "\u3164",
    "Ada \u202eecalevoL",
    "Ada\u2066 Lovelace",
    "Ada\ufeffLovelace",
    "Ada\u2060Lovelace",
    "Ada\u00adLovelace",
    "Ada \u200d",
    "Ada\u2028Lovelace",
  ].map((name): Row => ["fullName", name, "text.unseen"]),
  ["email", undefined, "email.required"],
  ["email", "", "email.required"],
  ["email", "a@b.c", "email.length"],
  ["email", "not-an-address", "email.invalid"],
  ["email", "a b@example.com", "email.invalid"],
  ["email", "ada@example", "email.invalid"],
  ["email", "ada@@example.com", "email.invalid"],
  ["email", `${"a".repeat(250)}@example.com`, "email.invalid"],
  ["emailConfirmation", "other@example.com", "email.mismatch"],
  ["emailConfirmation", "", "email.mismatch"],
  ["password", undefined, "password.required"],
  ["password", "", "password.required"],
  ["password", "1234567", "password.length"],
  ["password", "1".repeat(65), "password.length"],
  ["challenge", undefined, "challenge.required"],
  ["challenge", "", "challenge.required"],
];

export const badRegistrations: BadValue[] = bad.map(([field, value, code]) => ({ field, value, code, message: messages[code] }));

/** The limits that are still valid. */
export const goodRegistrations: [field: RegistrationField, value: string][] = [
  ...["abc", "a".repeat(25), "a-b-c", "abc9", "a1-9z"].map((name): [RegistrationField, string] => ["accountName", name]),
  ...["A", "Ada Lovelace", "Ñandú O'Neill-Łuk", "李小龍", "a".repeat(120)].map((name): [RegistrationField, string] => ["fullName", name]),
  // No digits: the account's name contains a number, and a password made from it is refused.
  ...["zqvwkjxb", "zqvwkjxb".repeat(8), "pässwörd", "😀".repeat(8), '<script>"&', "       8"].map(
    (password): [RegistrationField, string] => ["password", password],
  ),
];
