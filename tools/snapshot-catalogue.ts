/** Writes domain/node-catalogue/snapshot.json from an installed engine: `node tools/run.mjs tools/snapshot-catalogue.ts <folder of the installed n8n> <version>`. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readN8nCatalogue } from "#apps/provisioner/engines/n8n/read-n8n-catalogue.ts";
import { sortNodes } from "#domain/node-catalogue/catalogue.ts";

const [folder, version] = process.argv.slice(2);
if (!folder || !version) throw new Error("Say where n8n is installed, and which version it is.");
const nodes = sortNodes(await readN8nCatalogue(folder));
const categories = [...new Set(nodes.flatMap((node) => node.categories))].toSorted();
const rows = nodes.map((node) => JSON.stringify([node.name, node.displayName, node.popularity, node.categories.map((category) => categories.indexOf(category))]));
const text = `{"version":${JSON.stringify(`snapshot-${version}`)},"categories":${JSON.stringify(categories)},"nodes":[\n${rows.join(",\n")}\n]}\n`;
writeFileSync(fileURLToPath(new URL("../domain/node-catalogue/snapshot.json", import.meta.url)), text);
console.log(`${nodes.length} nodes, ${Math.round(text.length / 1024)} KB`);
