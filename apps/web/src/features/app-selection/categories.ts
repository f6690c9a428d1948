/** The categories by which apps are looked through: the engine's, without those that say nothing of an app. */
import { t } from "../sign-up/words.ts";
import type { App } from "./apps-of-nodes.ts";

/** Those that have words here; others are shown as the engine has them. */
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

/** One by another name. */
const merged: Readonly<Record<string, string>> = { "Developer Tools": "Development" };
/** The engine's shelves for what fits nowhere, and its own notes. */
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
