/** Finds apps by a query; fast enough to run on every key press. */
import { plainText } from "../../lib/plain-text.ts";
import type { App } from "./apps-of-nodes.ts";

interface SearchableApp extends App {
  /** Lowercase, without accents and marks. */
  text: string;
}

const plain = (text: string): string =>
  plainText(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Prepares apps once, so that a search only compares. */
export const makeSearchable = (apps: readonly App[]): SearchableApp[] =>
  apps.map((app) => ({
    ...app,
    text: ` ${plain(app.displayName)} ${plain(app.displayName).replaceAll(" ", "")} ${plain([...app.nodeNames, ...app.categories].join(" "))}`,
  }));

/** Apps in which every word occurs; those with a word that starts with the query come first, both groups in the given order. */
export function searchApps(apps: readonly SearchableApp[], query: string): SearchableApp[] {
  const words = plain(query).split(" ").filter(Boolean);
  if (words.length === 0) return [...apps];
  const found = apps.filter(({ text }) => words.every((word) => text.includes(word)));
  const begins = ({ text }: SearchableApp) => words.every((word) => text.includes(` ${word}`));
  return [...found.filter(begins), ...found.filter((app) => !begins(app))];
}
