/**
 * The catalogue in use: the installed engine's own, or before an installation the snapshot that ships with the product.
 * Building takes a second of CPU, so it is done once per version and cached in a file.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { defaultEngine, type EngineName } from "#contract/workspaces/engine-names.ts";
import type { Log } from "#platform/log.ts";
import { sortNodes, type Catalogue, type CatalogueNode } from "./catalogue.ts";
import { withSafeIcon } from "./safe-icon.ts";
import { readSnapshot } from "./snapshot.ts";

export interface CatalogueSource {
  /** Engine and version; contents with the same name never change. */
  version: string;
  isInstalled: () => Promise<boolean>;
  /** Reads the engine's node types, off the event loop. */
  build: () => Promise<CatalogueNode[]>;
  /** Where the built catalogue is cached; a broken or missing file is built again. */
  cacheFile: string;
  log: Log;
  now: () => Date;
}

export interface NodeCatalogue {
  /** Never throws and never waits for a build: until one is ready, it returns the snapshot. */
  current(): Promise<Catalogue>;
  /** Resolves when nothing is being built. */
  settled(): Promise<void>;
}

/** Increase it when the build changes, so that no earlier file is read. */
const format = 2;
/** How often it checks for an installed engine; a failed build is retried after the same time. */
const askAgainMs = 5_000;

/** A catalogue of one engine version; without a source it stays the snapshot. */
export function createNodeCatalogue(source: CatalogueSource | null, snapshotEngine: EngineName = defaultEngine): NodeCatalogue {
  let built: Catalogue | null = null;
  let building: Promise<void> | null = null;
  let askedAtMs = -Infinity;

  async function obtain({ version, isInstalled, build, cacheFile, log }: CatalogueSource): Promise<void> {
    try {
      const kept = await readKept(cacheFile, version);
      if (!kept && !(await isInstalled())) return;
      built = { version, nodes: kept ?? sortNodes(await build()).map(withSafeIcon) };
      if (!kept) await keep(cacheFile, version, built.nodes);
    } catch (error) {
      log.warn({ err: error, version }, "the node catalogue could not be read from the engine");
    }
  }

  return {
    async current() {
      if (built) return built;
      const nowMs = source ? source.now().getTime() : 0;
      if (source && !building && Math.abs(nowMs - askedAtMs) >= askAgainMs) {
        askedAtMs = nowMs;
        building = obtain(source).finally(() => (building = null));
      }
      return built ?? readSnapshot(snapshotEngine);
    },
    settled: async () => void (await building),
  };
}

async function readKept(file: string, version: string): Promise<CatalogueNode[] | null> {
  try {
    const kept = JSON.parse(await readFile(file, "utf8")) as { format: number; version: string; nodes: CatalogueNode[] };
    return kept.format === format && kept.version === version && kept.nodes.length > 0 ? kept.nodes : null;
  } catch {
    return null;
  }
}

/** Moved into place as a whole: a process killed in between leaves the old file or none. If this fails, the only cost is another build. */
async function keep(file: string, version: string, nodes: readonly CatalogueNode[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const arriving = `${file}.${randomUUID()}`;
  await writeFile(arriving, JSON.stringify({ format, version, nodes }));
  await rename(arriving, file);
}
