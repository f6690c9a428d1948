/**
 * What is offered behind a catalogue's nodes. For the engine, an app's actions, its triggers and its vector store are separate nodes; for a
 * person they are one app. The engine's own tools, such as If, Merge or AI Agent, are offered one by one. No node is left out here.
 */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";
import { emailSend, isCore, whitelistedCore } from "./order-apps.ts";

/** Named after its main node; this is the name that is saved. */
export interface App extends CatalogueEntry {
  /** The names of all its nodes. */
  nodes: readonly string[];
  /** The displayed names of all its nodes: a search for any of them finds the app. */
  nodeNames: readonly string[];
  /** Whether it can start a workflow, take part in one, or both; a tool of the engine is a part of one. */
  does: "starts" | "acts" | "both" | "part";
}

/** Core nodes that reach another system. The others are tools that work on data within a workflow. */
const connectingCore: ReadonlySet<string> = new Set([
  ...whitelistedCore,
  emailSend,
  ...["emailReadImap", "rssFeedRead", "rssFeedReadTrigger", "ftp", "ssh", "git", "sseTrigger", "n8n", "n8nTrigger"].map(
    (name) => `n8n-nodes-base.${name}`,
  ),
  "@n8n/n8n-nodes-langchain.mcpTrigger",
  "@n8n/n8n-nodes-langchain.microsoftAgent365Trigger",
]);

/** Parts of an agent, and nodes about a workflow that n8n does not count as core: tools as well. */
const tools: readonly RegExp[] = [
  /^@n8n\/n8n-nodes-langchain\.(agent|chain|memory|embeddings|outputParser|textSplitter|retriever|reranker|document|code)/,
  /^@n8n\/n8n-nodes-langchain\.tool(?!Wikipedia|SearXng|WolframAlpha)/,
  /^@n8n\/n8n-nodes-langchain\.(textClassifier|informationExtractor|sentimentAnalysis|guardrails|modelSelector)$/,
  /^@n8n\/n8n-nodes-langchain\.vectorStore(InMemory|PGVector)/,
  /^n8n-nodes-base\.(evaluation|evaluationTrigger|stickyNote|dynamicCredentialCheck|jwt)$/,
];

/** Those of Node-RED's own nodes that reach outside the flow. */
const nodeRedCategories: ReadonlySet<string> = new Set(["Network", "Storage"]);

const isTrigger = ({ name }: CatalogueEntry): boolean => name.endsWith("Trigger");

/** Nodes that start a workflow without being called a trigger. */
const unnamedTriggers: ReadonlySet<string> = new Set(["n8n-nodes-base.webhook", "n8n-nodes-base.emailReadImap"]);

/** What an engine's nodes are to an app. */
interface NodeRules {
  /** It reaches another system, and belongs to that system's app; otherwise it is a tool. */
  connects(node: CatalogueEntry): boolean;
  starts(node: CatalogueEntry): boolean;
  /** The end of a displayed name that distinguishes the nodes of one app. */
  ending: RegExp;
  /** Whether the catalogue says how popular a node is. If not, apps come before tools. */
  hasPopularity: boolean;
}

const rulesOf: Readonly<Record<EngineName, NodeRules>> = {
  n8n: {
    connects: (node) =>
      isCore(node) || node.name === emailSend ? connectingCore.has(node.name) : !tools.some((pattern) => pattern.test(node.name)),
    starts: (node) => isTrigger(node) || unnamedTriggers.has(node.name),
    ending: / \(Beta\)$/,
    hasPopularity: true,
  },
  "node-red": {
    connects: ({ categories }) => categories.some((category) => nodeRedCategories.has(category)),
    starts: ({ displayName }) => displayName.endsWith(" in"),
    ending: / (in|out|request|response)$/,
    hasPopularity: false,
  },
};

/**
 * The name without the words that distinguish its nodes: "Slack Trigger" and "Pinecone Vector Store" belong to Slack and Pinecone. A tool
 * keeps its name: "Error Trigger" belongs to nothing called "Error".
 */
const appName = (node: CatalogueEntry, { ending, connects }: NodeRules): string =>
  whitelistedCore.includes(node.name) || !connects(node)
    ? node.displayName
    : node.displayName.replace(ending, "").replace(/ (Trigger|Vector Store|Tool)(?= \(|$)/, "");

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** What nodes of one app share: their name in the engine, or the displayed one. A tool shares only the former, with its own trigger. */
function keysOf(node: CatalogueEntry, rules: NodeRules): string[] {
  if (!rules.connects(node)) return [`tool ${node.name.replace(/Trigger$/, "")}`];
  const name = node.name.slice(node.name.lastIndexOf(".") + 1);
  return [plain(name.replace(/^vectorStore/, "").replace(/Trigger$/, "")), plain(appName(node, rules))];
}

/** The apps and tools of an engine's nodes, each at the place of its first node. A saved name of any of its nodes means the app. */
export function appsOf(engine: EngineName, nodes: readonly CatalogueEntry[]): App[] {
  const rules = rulesOf[engine];
  const groups: CatalogueEntry[][] = [];
  const byKey = new Map<string, CatalogueEntry[]>();
  for (const node of rules.hasPopularity ? nodes : appsFirst(nodes, rules)) {
    const keys = keysOf(node, rules);
    let group = keys.map((key) => byKey.get(key)).find((found) => found !== undefined);
    if (!group) groups.push((group = []));
    group.push(node);
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, group);
  }
  return groups.map((group) => toApp(group, rules));
}

const appsFirst = (nodes: readonly CatalogueEntry[], { connects }: NodeRules): CatalogueEntry[] => [
  ...nodes.filter(connects),
  ...nodes.filter((node) => !connects(node)),
];

function toApp(group: readonly CatalogueEntry[], rules: NodeRules): App {
  const main = group.find((node) => !isTrigger(node)) ?? group[0]!;
  return {
    ...main,
    displayName: appName(main, rules),
    popularity: Math.max(...group.map(({ popularity }) => popularity)),
    categories: [...new Set(group.flatMap(({ categories }) => categories))],
    nodes: group.map(({ name }) => name),
    nodeNames: group.map(({ displayName }) => displayName),
    does: doesOf(group, rules),
  };
}

function doesOf(group: readonly CatalogueEntry[], { starts, connects }: NodeRules): App["does"] {
  if (group.every(starts)) return "starts";
  if (group.some(starts)) return "both";
  return group.some(connects) ? "acts" : "part";
}

/** The saved names as names of apps, without duplicates and in order; names that belong to no app stay as they are. */
export function appNames(apps: readonly App[], saved: readonly string[]): string[] {
  const appOf = new Map(apps.flatMap((app) => app.nodes.map((node) => [node, app.name] as const)));
  return [...new Set(saved.map((name) => appOf.get(name) ?? name))];
}
