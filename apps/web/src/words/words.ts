/**
 * Finds words in the catalogue and fills in their values. The catalogue keeps the format of i18next (`{{value}}`, `_one`,
 * `_other`), so that a translation tool reads it; the library itself would take 13 KB of the sign-in page's 120.
 * One locale exists (SPEC §1); a second one is a second catalogue of the same type.
 */
import { en, errors } from "./en.ts";
import type { bannerWords } from "./en-banner.ts";
import type { billingWords, checkoutWords, planWords } from "./en-billing.ts";
import type { consentWords } from "./en-consent.ts";
import type { developerWords } from "./en-developer.ts";
import type { exportWords } from "./en-export.ts";
import type { lateErrors } from "./en-errors.ts";
import type { manageAreaWords } from "./en-manage-area.ts";
import type { onboardingWords } from "./en-onboarding.ts";
import type { panelWords } from "./en-panel.ts";
import type { sessionsWords } from "./en-sessions.ts";
import type { settingsWords } from "./en-settings.ts";
import type { updateWords } from "./en-updates.ts";
import type { upgradeWords } from "./en-upgrade.ts";
import type { usageWords } from "./en-usage.ts";
import type { visitorWords } from "./en-visitor.ts";

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
