/** The catalogue before an engine is installed: names, categories and popularity of each engine's nodes, by our own count; no icons. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { Catalogue } from "./catalogue.ts";

const snapshots = new Map<EngineName, Catalogue>();

/** Read once; at most 40 KB, written by `tools/snapshot-catalogue.ts` from an installed engine. */
export function readSnapshot(engine: EngineName): Catalogue {
  const known = snapshots.get(engine);
  if (known) return known;
  const snapshot = parse(readFileSync(join(import.meta.dirname, `${engine}-snapshot.json`), "utf8"));
  snapshots.set(engine, snapshot);
  return snapshot;
}

type Row = [name: string, displayName: string, popularity: number, categories: number[]];

function parse(text: string): Catalogue {
  const { version, categories, nodes } = JSON.parse(text) as { version: string; categories: string[]; nodes: Row[] };
  return {
    version,
    nodes: nodes.map(([name, displayName, popularity, numbers]) => ({
      name,
      displayName,
      popularity,
      categories: numbers.map((number) => categories[number]!),
      icon: null,
    })),
  };
}
