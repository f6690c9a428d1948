import { join } from "node:path";
import type { OfferedRelease } from "#domain/workspaces/offered-release.ts";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { offeredRelease } from "./offered-release.ts";
import { readReleases } from "./read-releases.ts";

/** The qualified releases of an engine, newest first, without starting the engine. */
export const releasesOf = (engine: EngineName): OfferedRelease[] =>
  readReleases(engine, join(import.meta.dirname, "..", engine, "releases")).map(offeredRelease);
