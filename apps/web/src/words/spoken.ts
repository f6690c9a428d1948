/**
 * The panel's current language, and the translations loaded for it. English is part of each page; another language is fetched with the page
 * that needs it, so readers load only their own language.
 */
import type { Language } from "#contract/accounts/language.ts";
import { createStore } from "../lib/store.ts";

type OtherLanguage = Exclude<Language, "en">;

/** Fetches the words of one catalogue, by the same top-level names as in English. */
export type Translations = Record<OtherLanguage, () => Promise<{ default: Record<string, unknown> }>>;

/** Texts of the same shape: a missing key, or an extra one, does not compile. */
export type Translated<Words> = { readonly [Key in keyof Words]: Words[Key] extends string ? string : Translated<Words[Key]> };

export const spokenLanguage = createStore<Language>("en");

/** Every top-level name of every catalogue is there once (words.test.ts), so all translations fit into one object. */
let translated: Record<string, unknown> = {};
let shape: ((text: string) => string) | undefined;
let plurals = new Intl.PluralRules("en");
/** The English words of the pages fetched so far, by where their translations are. */
export const catalogues = new Map<Translations, object>();
const fetches = new Map<Translations, Promise<void>>();

/** Registers a catalogue's translations, and begins to fetch them if they are needed. */
export function addCatalogue(english: object, translations: Translations): void {
  catalogues.set(translations, english);
  if (spokenLanguage.get() !== "en") void fetchWords(translations, spokenLanguage.get() as OtherLanguage, translated, fetches);
}

/** Resolves when the words of all pages fetched so far are loaded; if that fails, they stay English. */
export async function wordsReady(): Promise<void> {
  await Promise.all(fetches.values());
}

/** Switches to another language. Resolves when its words are loaded. */
export async function speak(language: Language): Promise<void> {
  const words: typeof translated = {};
  const under = new Map<Translations, Promise<void>>();
  if (language !== "en") {
    // A page fetched in the meantime began in the previous language, and is drawn again with the new words.
    const missing = () => [...catalogues.keys()].filter((translations) => !under.has(translations));
    for (let next = missing(); next.length > 0; next = missing())
      await Promise.all(next.map((translations) => fetchWords(translations, language, words, under)));
  }
  translated = words;
  fetches.clear();
  for (const [translations, fetched] of under) fetches.set(translations, fetched);
  plurals = new Intl.PluralRules(language);
  spokenLanguage.set(language);
}

/** Transforms every text, for tests of the layout. */
export function shapeWords(change: (text: string) => string): void {
  shape = change;
}

/** The text of a key, in the current language or else in English; undefined if the catalogue has none. */
export function spokenText(catalogue: object, key: string, count: number): string | undefined {
  const text = textOf(translated, key, count) ?? textOf(catalogue, key, count);
  return text !== undefined && shape ? shape(text) : text;
}

/** A part of a catalogue as a whole, in the current language; an `id` in it is not a text, and neither is the result of a function. */
export function spokenPart<Part extends object>(name: string, english: Part): Part {
  const part = (translated[name] as Part | undefined) ?? english;
  if (!shape || typeof part === "function") return part;
  const change = shape;
  return JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    typeof value === "string" && key !== "id" ? change(value) : value,
  ) as Part;
}

const textOf = (words: object, key: string, count: number): string | undefined =>
  find(words, key) ?? find(words, `${key}_${plurals.select(count)}`) ?? find(words, `${key}_other`);

function find(words: object, key: string): string | undefined {
  const found = key.split(".").reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], words);
  return typeof found === "string" ? found : undefined;
}

function fetchWords(
  translations: Translations,
  language: OtherLanguage,
  into: Record<string, unknown>,
  under: Map<Translations, Promise<void>>,
): Promise<void> {
  const fetched = translations[language]().then(
    (module) => void Object.assign(into, module.default),
    (cause: unknown) => console.warn("Some words could not be loaded; they are shown in English.", cause),
  );
  under.set(translations, fetched);
  return fetched;
}
