/** The node catalogue of the engine that new workspaces get, kept in the data folder. */
import { join } from "node:path";
import { createNodeCatalogue, type NodeCatalogue } from "#domain/node-catalogue/create-node-catalogue.ts";
import { systemClock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Config } from "../settings/config.ts";
import type { Engine } from "../../provisioner/engines/engine.ts";
import { usualRelease } from "../../provisioner/engines/releases/read-releases.ts";

/** Starts reading the installed engine's nodes, so that the first visitor after a start sees them instead of the snapshot. */
export function openCatalogue(config: Config, engine: Engine, log: Log): NodeCatalogue {
  const { version } = usualRelease(engine.releases);
  const name = `${engine.name}-${version}`;
  const catalogue = createNodeCatalogue(
    {
      version: name,
      isInstalled: () => engine.isInstalled(version),
      build: () => engine.readCatalogue(version),
      cacheFile: join(config.dataDir, "catalogues", `${name}.json`),
      log,
      // Real time: only pauses between attempts depend on it, and customers do not see them.
      now: () => systemClock.now(),
    },
    engine.name,
  );
  void catalogue.current();
  return catalogue;
}
