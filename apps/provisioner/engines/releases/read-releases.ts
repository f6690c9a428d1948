/** The releases this repository has qualified, read from their folders. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { engineNames, type EngineName } from "#contract/workspaces/engine-names.ts";
import { EngineInstallFailure, type EngineRelease } from "../engine.ts";

/** What qualification recorded; more than an EngineRelease, for people and for the check of free space. */
export const releaseFile = z.object({
  engine: z.enum(engineNames),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  releasedAt: z.iso.datetime(),
  packages: z.number().int().positive(),
  channel: z.enum(["stable", "newest"]),
  /** Migrations in this release: a version with more of them changes the database for good. */
  migrations: z.number().int().nonnegative().default(0),
  /** What its nodes differ in from those of the release before it. */
  changes: z
    .object({
      since: z.string().regex(/^\d+\.\d+\.\d+$/),
      newNodes: z.array(z.string()),
      changedNodes: z.array(z.string()),
      removedNodes: z.array(z.string()),
    })
    .optional(),
  notes: z.url().optional(),
  /** Size of an installed tree in megabytes. */
  diskMb: z.number().int().positive(),
  qualified: z.object({
    /** The Node version it was tested with. */
    node: z.string(),
    installSeconds: z.number(),
    readySeconds: z.number(),
    memoryMb: z.number(),
    /** Tests of the hook suite that passed. */
    checks: z.array(z.string()),
  }),
});
export type ReleaseFile = z.input<typeof releaseFile>;

export interface QualifiedRelease extends EngineRelease {
  diskMb: number;
}

/** Every release below `folder` (one folder per version), newest version first. Throws if a folder is incomplete. */
export function readReleases(engine: EngineName, folder: string): QualifiedRelease[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return names.map((name) => readRelease(engine, join(folder, name), name)).toSorted((a, b) => compareVersions(b.version, a.version));
}

function readRelease(engine: EngineName, folder: string, name: string): QualifiedRelease {
  const { version, releasedAt, packages, diskMb, channel, migrations, changes, notes, ...rest } = releaseFile.parse(
    JSON.parse(readFileSync(join(folder, "release.json"), "utf8")),
  );
  if (rest.engine !== engine || version !== name) {
    throw new Error(`${folder} holds ${rest.engine} ${version}`);
  }
  return { engine, version, folder, releasedAt, packages, diskMb, channel, migrations, changes, notes };
}

/** Compares two versions of three numbers: negative if `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The release that new workspaces begin with: the newest stable one, because their channel is `stable`. Of the channel `newest` are those whose
 * users want them first, such as a new major version.
 */
export const usualRelease = <Release extends Pick<EngineRelease, "channel">>(releases: readonly Release[]): Release =>
  releases.find(({ channel }) => channel === "stable") ?? releases[0]!;

/** The release with this version, to be installed; throws an EngineInstallFailure if it is not among them. `displayName` is the engine's. */
export function findRelease(releases: readonly QualifiedRelease[], displayName: string, version: string): QualifiedRelease {
  const release = releases.find((candidate) => candidate.version === version);
  if (release === undefined)
    throw new EngineInstallFailure("unknown", `${displayName} ${version} is not a release this repository has qualified`);
  return release;
}
