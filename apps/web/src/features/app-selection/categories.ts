/** The categories for browsing apps: the engine's, without those that say nothing about an app. */
import { t } from "../sign-up/words.ts";
import type { App } from "./apps-of-nodes.ts";

/** Categories that have a translation; others keep the engine's name. */
const known = [
  "AI",
  "Analytics",
  "Communication",
  "Data & Storage",
  "Development",
  "Finance & Accounting",
  "Marketing",
  "Network",
  "Productivity",
  "Sales",
  "Storage",
] as const;

/** A category under another name. */
const merged: Readonly<Record<string, string>> = { "Developer Tools": "Development" };
/** The engine's categories for everything else, and its own notes. */
const unsaid: ReadonlySet<string> = new Set(["Core Nodes", "HITL", "Miscellaneous", "Utility"]);

const categoriesOf = ({ categories }: App): string[] => categories.map((name) => merged[name] ?? name).filter((name) => !unsaid.has(name));

/** The categories of these apps, the largest first. */
export function listCategories(apps: readonly App[]): string[] {
  const counts = new Map<string, number>();
  for (const name of apps.flatMap(categoriesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
}

/** `category`: "" is all of them. */
export const inCategory = <Each extends App>(apps: readonly Each[], category: string): readonly Each[] =>
  category === "" ? apps : apps.filter((app) => categoriesOf(app).includes(category));

export function categoryName(category: string): string {
  const name = known.find((each) => each === category);
  return name ? t(`apps.categories.${name}`) : category;
}
