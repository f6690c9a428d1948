/**
 * Writes domain/node-catalogue/<engine>-snapshot.json: `node tools/run.mjs tools/snapshot-catalogue.ts <engine> <version>`. Installs
 * that release if it is missing.
 */
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { engineList } from "#apps/provisioner/engines/engine-list.ts";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { sortNodes } from "#domain/node-catalogue/catalogue.ts";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";

const [name, version] = process.argv.slice(2);
const engineName = engineNames.find((each) => each === name);
if (!version || !engineName) throw new Error(`Name the engine (${engineNames.join(" or ")}) and one of its qualified versions.`);
const engine = engineList[engineName]({
  enginesDir: enginesCacheDir,
  nodeBinary: process.execPath,
  signingKey: generateKeyPairSync("ed25519").privateKey,
  clock: systemClock,
  secureCookies: false,
});
if (!(await engine.isInstalled(version))) await engine.install(version, () => undefined);
const nodes = sortNodes(await engine.readCatalogue(version));
const categories = [...new Set(nodes.flatMap((node) => node.categories))].toSorted();
const rows = nodes.map((node) =>
  JSON.stringify([node.name, node.displayName, node.popularity, node.categories.map((category) => categories.indexOf(category))]),
);
const text = `{"version":${JSON.stringify(`snapshot-${version}`)},"categories":${JSON.stringify(categories)},"nodes":[\n${rows.join(",\n")}\n]}\n`;
writeFileSync(fileURLToPath(new URL(`../domain/node-catalogue/${engineName}-snapshot.json`, import.meta.url)), text);
console.log(`${nodes.length} nodes, ${Math.round(text.length / 1024)} KB`);
