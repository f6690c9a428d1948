/**
 * Reads an installed n8n's own lists of nodes: nine megabytes of JSON and about four hundred icons. A child process does it, so that the
 * API keeps answering and the memory is freed afterwards (a thread kept 40 MB).
 */
import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { CatalogueIcon, CatalogueNode } from "#domain/node-catalogue/catalogue.ts";

const packages = ["n8n-nodes-base", "@n8n/n8n-nodes-langchain"];
/** The largest icon of a release is 60 KB; larger files are not icons. */
const largestIconBytes = 100_000;
const readTimeoutMs = 60_000;
/** Characters kept of a failed reader's output. */
const mostWords = 500;
const thisFile = fileURLToPath(import.meta.url);

interface NodeType {
  name: string;
  displayName: string;
  version: number | number[];
  hidden?: boolean;
  iconUrl?: string | { light: string };
  codex?: { categories?: string[] };
}

/** The nodes of the n8n in this folder, unordered. Rejects if its lists are not where they should be. */
export async function readN8nCatalogue(folder: string): Promise<CatalogueNode[]> {
  const reader = fork(thisFile, [folder], {
    env: {},
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: readTimeoutMs,
    killSignal: "SIGKILL",
  });
  const words = text(reader.stderr!);
  return new Promise((done, failed) => {
    reader.once("message", (nodes) => done(nodes as CatalogueNode[]));
    reader.once("error", failed);
    // Its last message may arrive after its end is noticed; "close" comes after both.
    reader.once(
      "close",
      () =>
        void words.then((said) => failed(new Error(`reading the node types of n8n ended without an answer: ${said.slice(0, mostWords)}`))),
    );
  });
}

function readAll(folder: string): CatalogueNode[] {
  const root = join(folder, "node_modules");
  const popularity = readPopularity(root);
  return packages.flatMap((name) =>
    newestOf(readJson<NodeType[]>(join(root, name, "dist/types/nodes.json"))).map((node) => toEntry(root, name, node, popularity)),
  );
}

function toEntry(root: string, packageName: string, node: NodeType, popularity: Map<string, number>): CatalogueNode {
  const name = `${packageName}.${node.name}`;
  const categories = [...new Set((node.codex?.categories ?? []).map((category) => category.trim()))];
  return {
    name,
    displayName: node.displayName,
    popularity: popularity.get(name) ?? 0,
    categories,
    icon: readIcon(root, packageName, node),
  };
}

/** A node is listed once per version; n8n keeps hidden ones only for old workflows. */
function newestOf(types: NodeType[]): NodeType[] {
  const newest = new Map<string, NodeType>();
  const version = (node: NodeType) => Math.max(...[node.version].flat());
  for (const node of types) {
    const other = newest.get(node.name);
    if (!other || version(node) > version(other)) newest.set(node.name, node);
  }
  return [...newest.values()].filter((node) => !node.hidden);
}

/** n8n's editor has its own statistics on which nodes workflows use. A release without them is sorted only by name. */
function readPopularity(root: string): Map<string, number> {
  const file = join(root, "n8n-editor-ui/data/node-popularity.json");
  const rows = existsSync(file) ? readJson<{ id: string; popularity: number }[]>(file) : [];
  return new Map(rows.map(({ id, popularity }) => [id, Math.min(1, Math.max(0, popularity))]));
}

function readIcon(root: string, packageName: string, { iconUrl }: NodeType): CatalogueIcon | null {
  const url = typeof iconUrl === "object" ? iconUrl.light : iconUrl;
  if (!url) return null;
  const folder = resolve(root, packageName);
  const file = resolve(folder, url.replace(`icons/${packageName}/`, ""));
  const mime = file.endsWith(".svg") ? "image/svg+xml" : file.endsWith(".png") ? "image/png" : null;
  if (!mime || !file.startsWith(folder + sep) || !existsSync(file)) return null;
  const bytes = readFileSync(file);
  return bytes.length > largestIconBytes ? null : { mime, base64: bytes.toString("base64") };
}

const readJson = <Content>(file: string): Content => JSON.parse(readFileSync(file, "utf8")) as Content;

if (process.argv[1] === thisFile) process.send?.(readAll(process.argv[2]!));
