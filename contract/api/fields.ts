/** The product's validation rules, one schema per field; the form, the API and the tests use these same objects. */
import { z } from "zod";
import type { FieldCode } from "./field-words.ts";
import { line } from "./printable-text.ts";
import { defaultTimezone } from "../workspaces/workspace-values.ts";

/** Ties a rule's message to the catalogue, so that a misspelt code does not compile. */
const says = (code: FieldCode): FieldCode => code;

/** 3 to 25 characters: lowercase letters, digits or '-'; starts with a letter, ends with a letter or digit. */
export const accountName = z.string(says("account_name.required")).superRefine((name, context) => {
  const refuse = (code: FieldCode) => context.addIssue({ code: "custom", message: code });
  if (name === "") return refuse("account_name.required");
  if (name.length < 3 || name.length > 25) refuse("account_name.length");
  if (!/^[a-z0-9-]*$/.test(name)) return refuse("account_name.characters");
  if (!/^[a-z]/.test(name)) refuse("account_name.start");
  if (!/[a-z0-9]$/.test(name)) refuse("account_name.end");
});

/** The characters that a full name must not contain. */
export const forbiddenNameCharacters = /[&<>!`/={};:."\\]/;

/** 120 characters: longer than any name we know of, short enough for a mail header. */
export const fullName = line(120, { required: "full_name.required", tooLong: "full_name.length" }).refine(
  (name) => !forbiddenNameCharacters.test(name),
  says("full_name.characters"),
);

/** Required, at least 6 characters, a valid address. 254 is the longest address SMTP can carry (RFC 5321). */
export const email = z
  .string(says("email.required"))
  .trim()
  .toLowerCase()
  .min(1, says("email.required"))
  .min(6, says("email.length"))
  .max(254, says("email.invalid"))
  .pipe(z.email(says("email.invalid")));

/** 8 to 64 characters. The server also refuses commonly guessed passwords (decision 0065). */
export const password = z
  .string(says("password.required"))
  .min(1, says("password.required"))
  .min(8, says("password.length"))
  .max(64, says("password.length"));

/**
 * The checkbox is required; it represents the solved challenge. 4096: an ALTCHA answer has about 800 characters, a Turnstile answer at
 * most 2048.
 */
export const challengeAnswer = z.string(says("challenge.required")).min(1, says("challenge.required")).max(4096, says("challenge.invalid"));

/** Encrypts exported credentials. It can be guessed offline without being noticed, so it is longer than a password. */
export const passphrase = z
  .string(says("passphrase.required"))
  .min(1, says("passphrase.required"))
  .min(12, says("passphrase.length"))
  .max(200, says("passphrase.length"));

/** A password typed to sign in: any text up to the longest allowed, so that every wrong one gets the same response. */
export const typedPassword = z.string(says("password.required")).min(1, says("password.required")).max(1024, says("password.length"));

/** An account name or an e-mail address, as typed into the login form. */
export const login = z.string(says("login.required")).trim().toLowerCase().min(1, says("login.required")).max(254, says("value.invalid"));

/** An IANA timezone that this runtime knows. */
export const timezone = z.string(says("timezone.invalid")).max(64, says("timezone.invalid")).refine(isTimezone, says("timezone.invalid"));

/** What a new workspace is launched with; the newest version where none is named. */
export const newWorkspace = {
  timezone: timezone.default(defaultTimezone),
  versionName: z.string(says("version.unknown")).max(40, says("version.unknown")).optional(),
};

/** A moment that PostgreSQL and every reader can hold: ISO has a year 0, which the database does not. */
export const moment = z.iso.datetime(says("value.invalid")).refine((text) => Date.parse(text) >= 0, says("value.invalid"));

/** A template in the engine's gallery, as named in a sign-up link. */
export const templateId = z.string(says("value.invalid")).regex(/^[\w-]{1,64}$/, says("value.invalid"));

/** The secret part of an e-mailed link. */
export const linkToken = z.string(says("token.required")).min(1, says("token.required")).max(200, says("token.required"));

/** A one-time sign-in code; those of a workspace are signed and longer than a link's. */
export const loginCode = z.string(says("token.required")).min(1, says("token.required")).max(1000, says("token.required"));

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    // Offsets such as "+02:00" are accepted by Intl but not by the engines.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
