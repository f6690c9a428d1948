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
import type { QualifiedRelease } from "#apps/provisioner/engines/releases/read-releases.ts";
import { systemClock } from "#platform/clock.ts";

/** Checks that run in this order on one workspace, which has no owner yet. */
export type Suite = readonly { promise: string; keep(scene: EngineScene): Promise<void> }[];

export interface EngineKit {
  /** Also the name of its package. */
  engine: EngineName;
  nativePackages: readonly NativePackage[];
  createEngine(options: { enginesDir: string; signingKey: KeyObject; release: QualifiedRelease }): Engine;
  suites: readonly Suite[];
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
    countMigrations: countN8nMigrations,
    notes: (version) => `https://github.com/n8n-io/n8n/releases/tag/n8n%40${version}`,
  },
  "node-red": {
    engine: "node-red",
    nativePackages: [],
    createEngine: ({ release, ...options }) => createNodeRedEngine({ ...common, ...options, releases: [release] }),
    suites: [promisesOf(nodeRedHands), nodeRedWorkSuite],
    // Its flows are files that every version of a major can read.
    countMigrations: async () => 0,
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
