/**
 * Finds words in the catalogue and fills in their values. The catalogue keeps the format of i18next (`{{value}}`, `_one`,
 * `_other`), so that a translation tool reads it; the library itself would take 13 KB of the sign-in page's 120.
 * One locale exists (SPEC §1); a second one is a second catalogue of the same type.
 */
import { en, errors } from "./frame.ts";
import type { bannerWords } from "../features/banner/words.ts";
import type { billingWords, checkoutWords, planWords } from "../features/billing/words.ts";
import type { consentWords } from "../features/consent/words.ts";
import type { developerWords } from "../features/developer/words.ts";
import type { exportWords } from "../features/export/words.ts";
import type { lateErrors } from "../lib/api/words.ts";
import type { manageAreaWords } from "../features/members/words.ts";
import type { onboardingWords } from "../features/sign-up/words.ts";
import type { panelWords } from "../features/workspace/words.ts";
import type { sessionsWords } from "../features/sessions/words.ts";
import type { settingsWords } from "../features/workspace-settings/words.ts";
import type { updateWords } from "../features/workspace-settings/update/words.ts";
import type { upgradeWords } from "../features/billing/upgrade/words.ts";
import type { usageWords } from "../features/usage/words.ts";
import type { visitorWords } from "../features/sign-up/registration/words.ts";

/** Words that come with the pages that show them: the sign-in page does not carry them. Each such page imports `words/add-….ts`. */
type LateWords = typeof onboardingWords &
  typeof panelWords &
  typeof visitorWords & {
    banner: typeof bannerWords;
    billing: typeof billingWords;
    plans: typeof planWords;
    checkout: typeof checkoutWords;
    upgrade: typeof upgradeWords;
    consent: typeof consentWords;
    developer: typeof developerWords;
    usage: typeof usageWords;
    manageArea: typeof manageAreaWords;
    settings: typeof settingsWords;
    updates: typeof updateWords;
    sessions: typeof sessionsWords;
    exporting: typeof exportWords;
  };

type Catalogue = Omit<typeof en, "errors"> & LateWords & { errors: typeof errors & typeof lateErrors };

const catalogue: Record<string, unknown> = { ...en };

/** Adds the words of a page to the catalogue; called once, by the module that brings them. */
export const addWords = (words: Partial<LateWords>): void => void Object.assign(catalogue, words);

/** Adds the words of further errors to those that every page has. */
export const addErrors = (words: typeof lateErrors): void => void (catalogue["errors"] = { ...errors, ...words });

/** `retryIn_one` and `retryIn_other` are asked for as `retryIn`. */
type Asked<Key extends string> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key;

type KeysOf<Words, Prefix extends string = ""> = {
  [Key in keyof Words & string]: Words[Key] extends string ? `${Prefix}${Asked<Key>}` : KeysOf<Words[Key], `${Prefix}${Key}.`>;
}[keyof Words & string];

export type WordKey = KeysOf<Catalogue>;

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

type Values<Key extends WordKey> = Record<ValuesIn<TextAt<Catalogue, Key>>, string | number>;

type Rest<Key extends WordKey> = [ValuesIn<TextAt<Catalogue, Key>>] extends [never] ? [] : [values: Values<Key>];

const plurals = new Intl.PluralRules("en");

/** The words behind a key. A key that does not exist, or a value left out, does not compile. */
export function t<Key extends WordKey>(key: Key, ...[values]: Rest<Key>): string {
  const filling: Record<string, string | number> = values ?? {};
  const text = find(key) ?? find(`${key}_${plurals.select(Number(filling["count"]))}`) ?? find(`${key}_other`) ?? key;
  return text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => String(filling[name] ?? mark));
}

function find(key: string): string | undefined {
  const found = key.split(".").reduce<unknown>((words, part) => (words as Record<string, unknown> | undefined)?.[part], catalogue);
  return typeof found === "string" ? found : undefined;
}
