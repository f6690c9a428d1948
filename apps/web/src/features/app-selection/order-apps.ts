/** The order in which apps are offered: the most popular first, then the engine's own tools, then all others. */
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";

/** Shown before the engine's own tools. */
const firstApps = 12;

/** The engine's own tools that are listed early, because everyone needs one of them sooner or later. */
export const whitelistedCore: readonly string[] = [
  "n8n-nodes-base.httpRequest",
  "n8n-nodes-base.webhook",
  "n8n-nodes-base.code",
  "n8n-nodes-base.scheduleTrigger",
];

/** A core node by its category, but people see it as an app like any other: it stays in the first group. */
export const emailSend = "n8n-nodes-base.emailSend";

/** Not offered: language models (chosen in the editor, with an agent), training, debugging, and superseded nodes. */
const excluded: readonly RegExp[] = [
  /^@n8n\/n8n-nodes-langchain\.lm[A-Z]/,
  /^n8n-nodes-base\.n8nTraining/,
  /^n8n-nodes-base\.debugHelper$/,
  /^n8n-nodes-base\.facebookGraphApi$/,
  /^n8n-nodes-base\.theHive(Trigger)?$/,
];

/** Core nodes are those whose category includes "core". */
export const isCore = ({ name, categories }: Pick<CatalogueEntry, "name" | "categories">): boolean =>
  name !== emailSend && categories.some((category) => category.toLowerCase().includes("core"));

/** The 12 most popular apps. Sending email always belongs to this group: it takes the last place if it is less popular. */
function firstGroup<Entry extends CatalogueEntry>(apps: readonly Entry[]): Entry[] {
  const first = apps.slice(0, firstApps);
  const mail = apps.slice(firstApps).find(({ name }) => name === emailSend);
  return mail ? [...first.slice(0, -1), mail] : first;
}

/**
 * The apps on offer, in order: the first 12 that are not core, then the whitelisted core nodes in their own order, then
 * the rest as they came. Core nodes are named with their provider, which their own names ("Code", "If") leave out.
 */
export function orderApps<Entry extends CatalogueEntry>(nodes: readonly Entry[], nameCore: (displayName: string) => string): Entry[] {
  const offered = nodes.filter(({ name }) => !excluded.some((pattern) => pattern.test(name)));
  const first = firstGroup(offered.filter((node) => !isCore(node)));
  const core = whitelistedCore.flatMap((name) => offered.filter((node) => node.name === name && isCore(node)));
  const early = new Set([...first, ...core]);
  const ordered = [...first, ...core, ...offered.filter((node) => !early.has(node))];
  return ordered.map((node) => (isCore(node) ? { ...node, displayName: nameCore(node.displayName) } : node));
}
