/**
 * Writes domain/node-catalogue/<engine>-snapshot.json: `node tools/run.mjs tools/snapshot-catalogue.ts n8n|node-red <folder of the
 * installed engine> <version>`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readN8nCatalogue } from "#apps/provisioner/engines/n8n/read-n8n-catalogue.ts";
import { readNodeRedCatalogue } from "#apps/provisioner/engines/node-red/read-node-red-catalogue.ts";
import { engineNames, type EngineName } from "#contract/workspaces/engine-names.ts";
import { sortNodes } from "#domain/node-catalogue/catalogue.ts";

const readers = { n8n: readN8nCatalogue, "node-red": readNodeRedCatalogue } satisfies Record<EngineName, unknown>;

const [name, folder, version] = process.argv.slice(2);
const engine = engineNames.find((each) => each === name);
if (!folder || !version || !engine)
  throw new Error(`Name the engine (${engineNames.join(" or ")}), the folder it is installed in, and its version.`);
const nodes = sortNodes(await readers[engine](folder));
const categories = [...new Set(nodes.flatMap((node) => node.categories))].toSorted();
const rows = nodes.map((node) =>
  JSON.stringify([node.name, node.displayName, node.popularity, node.categories.map((category) => categories.indexOf(category))]),
);
const text = `{"version":${JSON.stringify(`snapshot-${version}`)},"categories":${JSON.stringify(categories)},"nodes":[\n${rows.join(",\n")}\n]}\n`;
writeFileSync(fileURLToPath(new URL(`../domain/node-catalogue/${engine}-snapshot.json`, import.meta.url)), text);
console.log(`${nodes.length} nodes, ${Math.round(text.length / 1024)} KB`);
