/** Fills a sentence of the list with its facts. */
import { sentences } from "./sentences.ts";

type FactsIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | FactsIn<Rest> : never;
type Facts<Key extends keyof typeof sentences> = Record<FactsIn<(typeof sentences)[Key]>, string | number>;

declare const isOfTheList: unique symbol;
/** A text made by `say`, which can therefore be said in every language. */
export type Sentence = string & { readonly [isOfTheList]: true };

/** The sentence in English, as rows keep it; numbers as in `2,500`. A fact left out does not compile. */
export function say<Key extends keyof typeof sentences>(
  key: Key,
  ...[facts]: [FactsIn<(typeof sentences)[Key]>] extends [never] ? [] : [facts: Facts<Key>]
): Sentence {
  const given: Record<string, string | number> = facts ?? {};
  return sentences[key].replace(/\{\{(\w+)\}\}/g, (mark, name: string) => written(given[name] ?? mark)) as Sentence;
}

const written = (fact: string | number): string => (typeof fact === "number" ? fact.toLocaleString("en-US") : fact);

/** Several sentences, one after the other; missing ones are left out. */
export const inARow = (said: readonly (Sentence | "" | 0 | false | undefined)[]): Sentence => said.filter(Boolean).join(" ") as Sentence;
