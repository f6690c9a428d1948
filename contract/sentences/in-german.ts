/**
 * Reads the service's sentences in German, for the panel, mails, invoices and the gateway's pages: each sentence of the list is also the
 * pattern by which a text filled from it is found again, with its facts.
 */
import { germanFeatureNames } from "../billing/plans/feature-names.de.ts";
import { featureNames } from "../billing/plans/feature-names.ts";
import { germanSentences } from "./german.ts";
import { sentences } from "./sentences.ts";

const oneWord = "\\S+";
/**
 * Facts of another form than a few words of one sentence. The narrower they are, the fewer ways there are to divide a text into them. A
 * sentence has at most two facts of the general form, so that searching a text crafted for it takes time that grows with the square of its
 * length.
 */
const shapes: Readonly<Record<string, string>> = {
  reason: ".+",
  answer: ".+",
  count: "[\\d,]+|unlimited",
  day: "\\d{1,2} [A-Z][a-z]+ \\d{4}(?: \\(UTC\\))?",
  price: "[^/]+",
  unit: "[^()]+",
  ...Object.fromEntries(["engine", "version", "before", "from", "to", "quantity"].map((name) => [name, oneWord])),
};

const list = Object.entries(sentences) as [keyof typeof sentences, string][];
const hasFacts = (english: string): boolean => english.includes("{{");
const ownLength = (english: string): number => english.replaceAll(/\{\{\w+\}\}/g, "").length;

/** Sentences without facts, and names that are facts of others, by their English text. */
const whole = new Map<string, string>([
  ...list.filter(([, english]) => !hasFacts(english)).map(([key, english]) => [english, germanSentences[key]] as const),
  ...Object.entries(featureNames).map(([id, english]) => [english, germanFeatureNames[id as keyof typeof featureNames]] as const),
]);
/** Sentences with facts: those with the most fixed words first, so that no shorter one matches instead. */
const filled = list
  .filter(([, english]) => hasFacts(english))
  .toSorted(([, one], [, other]) => ownLength(other) - ownLength(one))
  .map(([key, english]) => ({ pattern: patternOf(english), german: germanSentences[key] }));

function patternOf(english: string): RegExp {
  const named = new Set<string>();
  const source = english.split(/(\{\{\w+\}\})/).map((part) => {
    const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (named.has(name)) return `\\k<${name}>`;
    named.add(name);
    return `(?<${name}>${shapes[name] ?? "(?:(?!\\. ).)+?"})`;
  });
  return new RegExp(`^${source.join("")}$`, "s");
}

/** The text in German; undefined if it is, or contains, none of the service's sentences. */
export function germanFor(text: string): string | undefined {
  return text.length > mostCharacters ? undefined : (oneOf(text) ?? severalOf(text));
}

/** The text in German where it is known; any other text is returned unchanged. */
export const inGerman = (text: string): string => germanFor(text) ?? text;

/** Longer than any text of ours: the search in a foreign text stops there. */
const mostCharacters = 2_000;
const mostSentences = 30;

function oneOf(text: string): string | undefined {
  const known = whole.get(text);
  if (known !== undefined) return known;
  for (const { pattern, german } of filled) {
    const facts = pattern.exec(text)?.groups;
    if (facts) return german.replaceAll(/\{\{(\w+)\}\}/g, (_mark, name: string) => factInGerman(facts[name] ?? ""));
  }
  return undefined;
}

/** Several sentences, if each of them is known. Never searched twice, so that no text takes long. */
function severalOf(text: string): string | undefined {
  for (const { index } of [...text.matchAll(/(?<=\.) /g)].slice(0, mostSentences)) {
    const first = oneOf(text.slice(0, index));
    if (first === undefined) continue;
    const rest = germanFor(text.slice(index + 1));
    return rest === undefined ? undefined : `${first} ${rest}`;
  }
  return undefined;
}

function factInGerman(fact: string): string {
  if (/^\d{1,3}(,\d{3})+$/.test(fact)) return fact.replaceAll(",", ".");
  const [, day, mark = ""] = /^(\d{1,2} [A-Z][a-z]+ \d{4})( \(UTC\))?$/.exec(fact) ?? [];
  if (day) return dayInGerman(day) + mark;
  return inGerman(fact);
}

/** `3 December 2026`, as the service writes days. */
const dayInGerman = (day: string): string =>
  new Date(`${day} UTC`).toLocaleDateString("de", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
