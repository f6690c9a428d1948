/**
 * Reads an installed n8n's own lists of nodes. They are nine megabytes of JSON and some four hundred pictures, so a
 * process of its own does it: the API answers meanwhile, and what that took of memory is given back (a thread kept 40 MB).
 */
import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { CatalogueIcon, CatalogueNode } from "#domain/node-catalogue/catalogue.ts";

const packages = ["n8n-nodes-base", "@n8n/n8n-nodes-langchain"];
/** The largest picture of a release has 60 KB; a larger one is no icon. */
const largestIconBytes = 100_000;
const readTimeoutMs = 60_000;
/** Of what a reader that failed said, in characters. */
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

/** The nodes of the n8n in this folder, in no order. Rejects when its lists are not where they should be. */
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
    // Its last message may come after its end was noticed; closed is when both are through.
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

/** A node is listed once per version; hidden ones are kept by n8n for old workflows only. */
function newestOf(types: NodeType[]): NodeType[] {
  const newest = new Map<string, NodeType>();
  const version = (node: NodeType) => Math.max(...[node.version].flat());
  for (const node of types) {
    const other = newest.get(node.name);
    if (!other || version(node) > version(other)) newest.set(node.name, node);
  }
  return [...newest.values()].filter((node) => !node.hidden);
}

/** n8n's editor carries its own statistics of what workflows use. A release without them has no order but the alphabet. */
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
