/** Finds apps by a query; fast enough to run on every key press. */
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";

export interface SearchableApp extends CatalogueEntry {
  /** Lowercase, without accents and marks. */
  text: string;
}

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Prepares apps once, so that a search only compares. */
export const makeSearchable = (apps: readonly CatalogueEntry[]): SearchableApp[] =>
  apps.map((app) => ({
    ...app,
    text: ` ${plain(app.displayName)} ${plain(app.displayName).replaceAll(" ", "")} ${plain(app.categories.join(" "))}`,
  }));

/** Apps in which every word occurs; those with a word that begins so come first, both in the order given. */
export function searchApps(apps: readonly SearchableApp[], query: string): SearchableApp[] {
  const words = plain(query).split(" ").filter(Boolean);
  if (words.length === 0) return [...apps];
  const found = apps.filter(({ text }) => words.every((word) => text.includes(word)));
  const begins = ({ text }: SearchableApp) => words.every((word) => text.includes(` ${word}`));
  return [...found.filter(begins), ...found.filter((app) => !begins(app))];
}
