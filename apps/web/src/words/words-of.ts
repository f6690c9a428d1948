/**
 * Binds a catalogue of words to the function that reads it. A catalogue keeps the format of i18next (`{{value}}`, `_one`,
 * `_other`), so that a translation tool reads it; the library itself would take 13 KB of the sign-in page's 120.
 * One locale exists; a second one is a second catalogue of the same type.
 */

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

type ValuesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | ValuesIn<Rest> : never;

type Values<Words, Key extends string> = Record<ValuesIn<TextAt<Words, Key>>, string | number>;

type Rest<Words, Key extends string> = [ValuesIn<TextAt<Words, Key>>] extends [never] ? [] : [values: Values<Words, Key>];

/** The words behind a key. A key that the catalogue does not have, or a value left out, does not compile. */
export type Translate<Words> = <Key extends KeysOf<Words>>(key: Key, ...[values]: Rest<Words, Key>) => string;

const plurals = new Intl.PluralRules("en");

/** The `t` of a catalogue. It is bound to its words, so a caller always has them. Throws for a key that the catalogue does not have. */
export function wordsOf<const Words extends object>(catalogue: Words): Translate<Words> {
  return (key, ...[values]) => {
    const filling: Record<string, string | number> = values ?? {};
    const text =
      find(catalogue, key) ?? find(catalogue, `${key}_${plurals.select(Number(filling["count"]))}`) ?? find(catalogue, `${key}_other`);
    if (text === undefined) throw new Error(`There are no words for ${key}.`);
    return text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => String(filling[name] ?? mark));
  };
}

function find(catalogue: object, key: string): string | undefined {
  const found = key.split(".").reduce<unknown>((words, part) => (words as Record<string, unknown> | undefined)?.[part], catalogue);
  return typeof found === "string" ? found : undefined;
}
