/** Reads an installed Node-RED's own nodes: it has no list of them, so they are found where they are registered with the editor. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogueIcon, CatalogueNode } from "#domain/node-catalogue/catalogue.ts";

const registration = /RED\.nodes\.registerType\(\s*['"]([^'"]+)['"]\s*,\s*\{([\s\S]*?)\n {4}\}\);/g;

/** The nodes of the Node-RED in this folder, unordered. Rejects if they are not where they should be. */
export async function readNodeRedCatalogue(folder: string): Promise<CatalogueNode[]> {
  const root = join(folder, "node_modules/@node-red/nodes");
  const core = join(root, "core");
  const pages = (await readdir(core, { recursive: true })).filter((name) => name.endsWith(".html"));
  const nodes = await Promise.all(pages.map(async (name) => readPage(await readFile(join(core, name), "utf8"), root)));
  return nodes.flat();
}

async function readPage(text: string, root: string): Promise<CatalogueNode[]> {
  const nodes: CatalogueNode[] = [];
  for (const [, type = "", body = ""] of text.matchAll(registration)) {
    const category = property(body, "category");
    // Settings that nodes share are registered, too, but can't be put into a flow.
    if (category === undefined || category === "config" || type === "unknown") continue;
    nodes.push({
      name: `node-red.${type.replaceAll(" ", "-")}`,
      displayName: titleOf(type),
      popularity: 0,
      categories: [titleOf(category)],
      icon: await readIcon(root, body),
    });
  }
  return nodes;
}

const property = (body: string, name: string): string | undefined => new RegExp(`\\b${name}:\\s*["']([^"']+)["']`).exec(body)?.[1];
const shortWords: ReadonlySet<string> = new Set(["http", "csv", "html", "json", "xml", "yaml", "mqtt", "tcp", "udp", "rbe"]);
const titleOf = (type: string): string =>
  type
    .split(" ")
    .map((word, index) => (shortWords.has(word) ? word.toUpperCase() : index === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join(" ");

/** Node-RED draws white icons on the node's colour: without it they would be invisible on a light page. */
async function readIcon(root: string, body: string): Promise<CatalogueIcon | null> {
  const name = property(body, "icon");
  const colour = property(body, "color");
  if (!name || !/^[\w-]+\.svg$/.test(name) || !colour || !/^(#[0-9a-f]{3,8}|rgb\([\d, ]+\))$/i.test(colour)) return null;
  const picture = await readFile(join(root, "icons", name), "utf8").catch(() => null);
  const drawing = picture === null ? undefined : /<svg[\s\S]*<\/svg>/.exec(picture)?.[0];
  if (!drawing) return null;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><rect width="60" height="60" rx="12" fill="${colour}"/><svg x="10" width="40" height="60">${drawing}</svg></svg>`;
  return { mime: "image/svg+xml", base64: Buffer.from(svg).toString("base64") };
}
