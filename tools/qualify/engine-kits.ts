/** What qualification needs to know about each engine. */
import type { KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { promisesOf, type EngineScene } from "#testing/engines/engine-suite.ts";
import type { NativePackage } from "#apps/provisioner/engines/install/native-packages.ts";
import { createN8nEngine } from "#apps/provisioner/engines/n8n/create-n8n-engine.ts";
import { hookSuite } from "#testing/engines/n8n/hook-suite.ts";
import { workSuite } from "#testing/engines/n8n/work-suite.ts";
import { n8nHands } from "#testing/engines/n8n/n8n-hands.ts";
import { n8nNativePackages } from "#apps/provisioner/engines/n8n/n8n-native-packages.ts";
import { createNodeRedEngine } from "#apps/provisioner/engines/node-red/create-node-red-engine.ts";
import { nodeRedWorkSuite } from "#testing/engines/node-red/work-suite.ts";
import { nodeRedHands } from "#testing/engines/node-red/node-red-hands.ts";
import { readNodeRedCatalogue } from "#apps/provisioner/engines/node-red/read-node-red-catalogue.ts";
import type { QualifiedRelease } from "#apps/provisioner/engines/releases/read-releases.ts";
import { systemClock } from "#platform/clock.ts";
import type { ListedNode } from "./compare-nodes.ts";

/** Checks that run in this order on one workspace, which has no owner yet. */
export type Suite = readonly { promise: string; keep(scene: EngineScene): Promise<void> }[];

export interface EngineKit {
  /** Also the name of its package. */
  engine: EngineName;
  nativePackages: readonly NativePackage[];
  createEngine(options: { enginesDir: string; signingKey: KeyObject; release: QualifiedRelease }): Engine;
  suites: readonly Suite[];
  /** The nodes of an installed release that a workflow can use. */
  listNodes(folder: string): Promise<ListedNode[]>;
  /** Counts the database migrations in an installed release. */
  countMigrations(folder: string): Promise<number>;
  /** The URL of the release notes. */
  notes(version: string): string;
}

const common = { nodeBinary: process.execPath, clock: systemClock } as const;

export const engineKits: Readonly<{ [Name in EngineName]: EngineKit & { engine: Name } }> = {
  n8n: {
    engine: "n8n",
    nativePackages: n8nNativePackages,
    createEngine: ({ release, ...options }) => createN8nEngine({ ...common, ...options, secureCookies: false, releases: [release] }),
    suites: [[...hookSuite, ...workSuite], promisesOf(n8nHands)],
    listNodes: listN8nNodes,
    countMigrations: countN8nMigrations,
    notes: (version) => `https://github.com/n8n-io/n8n/releases/tag/n8n%40${version}`,
  },
  "node-red": {
    engine: "node-red",
    nativePackages: [],
    createEngine: ({ release, ...options }) => createNodeRedEngine({ ...common, ...options, releases: [release] }),
    suites: [promisesOf(nodeRedHands), nodeRedWorkSuite],
    // They have no versions of their own.
    listNodes: async (folder) => (await readNodeRedCatalogue(folder)).map(({ name, displayName }) => ({ name, displayName, version: 1 })),
    countMigrations: countNodeRedMigrations,
    notes: (version) => `https://github.com/node-red/node-red/releases/tag/${version}`,
  },
};

/** The list of migrations that n8n runs at its start, for the kind of database that workspaces have. */
async function countN8nMigrations(folder: string): Promise<number> {
  const list = await readFile(join(folder, "node_modules/@n8n/db/dist/migrations/sqlite/index.js"), "utf8");
  const names = /sqliteMigrations = \[([\s\S]*?)\];/.exec(list)?.[1];
  if (names === undefined) throw new Error("n8n keeps its list of migrations elsewhere in this version");
  return names.split(",").filter((name) => name.trim()).length;
}

const firstNodeRedMajor = 4;

/** Its flows are files that every version of a major can read, so each major counts as one migration: the way back is a backup. */
async function countNodeRedMigrations(folder: string): Promise<number> {
  const { version } = JSON.parse(await readFile(join(folder, "node_modules/node-red/package.json"), "utf8")) as { version: string };
  return Number.parseInt(version, 10) - firstNodeRedMajor;
}

interface N8nNodeType {
  name: string;
  displayName: string;
  version: number | number[];
  hidden?: boolean;
}

/** From n8n's own lists, which have an entry for each group of versions of a node. */
async function listN8nNodes(folder: string): Promise<ListedNode[]> {
  const newest = new Map<string, ListedNode & { isHidden: boolean }>();
  for (const name of ["n8n-nodes-base", "@n8n/n8n-nodes-langchain"]) {
    const list = await readFile(join(folder, "node_modules", name, "dist/types/nodes.json"), "utf8");
    for (const type of JSON.parse(list) as N8nNodeType[]) {
      const key = `${name}.${type.name}`;
      const version = Math.max(...[type.version].flat());
      if (version <= (newest.get(key)?.version ?? -1)) continue;
      newest.set(key, { name: key, displayName: type.displayName, version, isHidden: type.hidden ?? false });
    }
  }
  return [...newest.values()].filter(({ isHidden }) => !isHidden);
}
