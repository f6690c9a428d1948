/**
 * The one rule for text that customers type and that is then shown, mailed or printed: one line of visible characters. A line break in a
 * company's name would print a second line on an invoice, such as a false VAT ID; a bidi override or an invisible character makes a text look
 * like another one.
 */
import { z } from "zod";
import type { FieldCode } from "./field-words.ts";

const says = (code: FieldCode): FieldCode => code;

/** Scripts whose spelling needs the joiners U+200C and U+200D: Persian, Hindi, Sinhala and others. */
const joining = [
  ["Arabic", "Syriac", "Nko", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya"],
  ["Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan"],
]
  .flat()
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");

/** Signs that suppress an Indic letter's vowel. Older spellings of Malayalam and Bengali end words with one and U+200D. */
const virama = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`;

/** Where an invisible character is part of a visible one: in a word of such a script, in an emoji, or as a variant of a Han character. */
const legitimate = [
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`,
  String.raw`(?<=${virama})\u200d`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic}|\p{sc=Han})[\ufe00-\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{sc=Han})[\u{e0100}-\u{e01ef}]`,
].join("|");

/**
 * Controls, line breaks, unpaired surrogates, private use, invisible and reordering characters, blank symbols, and so many marks on one
 * letter that they cover the lines above: no script has more than six.
 */
const refused = [
  String.raw`[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]`,
  String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]`,
  String.raw`(?<=\p{M}{8})\p{M}`,
].join("|");

const unseen = new RegExp(`(?!${legitimate})(?:${refused})`, "u");
const everyUnseen = new RegExp(unseen, "gu");
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text contains a character that nobody sees, or that changes how others are seen. */
export const hasUnseen = (text: string): boolean => unseen.test(text);

/** Composed (NFC), without spaces at the ends, and with one space wherever there are several: they would push a word to the next line. */
const tidied = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\p{Zs}+/gu, " ")
    .trim();

/** A text of someone else, such as a payment provider, as one line of visible characters: what the rule refuses is left out. */
export function asOneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  const rest = line.replace(everyUnseen, "");
  // Two characters may only be wrong once they are neighbors.
  return hasUnseen(rest) ? asOneLine(rest) : tidied(rest);
}

/** One line of at most `most` characters; empty unless `required` says otherwise. */
export const line = (most: number, { required, tooLong = says("text.too_long") }: { required?: FieldCode; tooLong?: FieldCode } = {}) =>
  z
    .string(required ?? says("value.invalid"))
    .overwrite(tidied)
    .min(required ? 1 : 0, required)
    // A character outside of the first 65,536 counts as two in a string's length.
    .refine((text) => Array.from(text).length <= most, tooLong)
    .refine((text) => !hasUnseen(text) && (text === "" || visible.test(text)), says("text.unseen"))
    // For the API's description: JSON Schema counts characters, as the rule does.
    .meta({ maxLength: most });
