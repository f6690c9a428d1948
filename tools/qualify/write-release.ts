import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseFile } from "#apps/provisioner/engines/releases/read-releases.ts";

/**
 * Writes a release's folder below `releasesFolder`, with the package.json and lock of `from`, as a whole or not at all: one folder with a file
 * missing would make the whole catalogue unreadable, for the next qualification too.
 */
export async function writeRelease(from: string, releasesFolder: string, releaseFile: ReleaseFile): Promise<void> {
  const target = join(releasesFolder, releaseFile.version);
  // Beside the catalogue, where each folder counts as a release; on the same disk, because it is moved.
  const arriving = join(releasesFolder, "..", `.release-${releaseFile.version}`);
  await rm(arriving, { recursive: true, force: true });
  try {
    await mkdir(arriving, { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) await copyFile(join(from, file), join(arriving, file));
    await writeFile(join(arriving, "release.json"), textOf(releaseFile));
    await rm(target, { recursive: true, force: true });
    await rename(arriving, target);
  } finally {
    await rm(arriving, { recursive: true, force: true });
  }
}

/** Replaces the release.json of a release that is there; a kill leaves the one before. */
export async function replaceReleaseFile(releasesFolder: string, releaseFile: ReleaseFile): Promise<void> {
  const arriving = join(releasesFolder, "..", `.release-${releaseFile.version}.json`);
  await writeFile(arriving, textOf(releaseFile));
  await rename(arriving, join(releasesFolder, releaseFile.version, "release.json"));
}

const textOf = (releaseFile: ReleaseFile): string => `${JSON.stringify(releaseFile, null, 2)}\n`;
