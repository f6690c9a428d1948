/**
 * Binds a catalogue of words to the function that reads it. A catalogue keeps the format of i18next (`{{value}}`, `_one`,
 * `_other`), so that a translation tool reads it; the library itself would take 13 KB of the sign-in page's 120.
 * The words are English; a second catalogue of the same type beside it, such as `words.de.ts`, has them in another language.
 */
import { sharedValues } from "./shared-values.ts";
import { addCatalogue, spokenPart, spokenText, type Translations } from "./spoken.ts";

/** `retryIn_one` and `retryIn_other` are read as `retryIn`. */
type Asked<Key extends string> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key;

type KeysOf<Words, Prefix extends string = ""> = {
  [Key in keyof Words & string]: Words[Key] extends string ? `${Prefix}${Asked<Key>}` : KeysOf<Words[Key], `${Prefix}${Key}.`>;
}[keyof Words & string];

type TextAt<Words, Key extends string> = Key extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Words
    ? TextAt<Words[Head], Rest>
    : never
  : Key extends keyof Words
    ? Words[Key]
    : `${Key}_other` extends keyof Words
      ? Words[`${Key}_other`]
      : never;

type ValuesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Exclude<Name, keyof typeof sharedValues> | ValuesIn<Rest>
  : never;

type Values<Words, Key extends string> = Record<ValuesIn<TextAt<Words, Key>>, string | number>;

type Rest<Words, Key extends string> = [ValuesIn<TextAt<Words, Key>>] extends [never] ? [] : [values: Values<Words, Key>];

/** The words of a key. A key that the catalogue does not have, or a missing value, does not compile. */
type Translate<Words> = <Key extends KeysOf<Words>>(key: Key, ...[values]: Rest<Words, Key>) => string;

/**
 * The `t` of a catalogue, in the language current when it is called: do not call it while a module is being loaded. It is bound to its
 * words, so a caller always has them. Throws for a key that the catalogue does not have. `translations`: the same words in the other
 * languages.
 */
export function wordsOf<const Words extends object>(catalogue: Words, translations?: Translations): Translate<Words> {
  if (translations) addCatalogue(catalogue, translations);
  return (key, ...[values]) => {
    const filling: Record<string, string | number> = { ...sharedValues, ...values };
    const text = spokenText(catalogue, key, countOf(filling["count"]));
    if (text === undefined) throw new Error(`There are no words for ${key}.`);
    return text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => isolated(String(filling[name] ?? mark)));
  };
}

/** Texts that are read as a whole, such as the words of every error, in the current language. `name`: their name in the translations. */
export function partOf<Part extends object>(name: string, english: Part, translations: Translations): () => Part {
  addCatalogue({ [name]: english }, translations);
  return () => spokenPart(name, english);
}

/** A name written from right to left would reorder the words beside it, as `<bdi>` prevents where it is an element. */
const isolated = (value: string): string => (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(value) ? `\u2068${value}\u2069` : value);

/** A count that is already formatted is plural if it has a separator: `1.000` in German is not 1. */
const countOf = (count: string | number | undefined): number => (typeof count === "string" && !/^\d+$/.test(count) ? NaN : Number(count));
