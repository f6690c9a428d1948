/** Installs the stand-in engine in n8n's place. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNpmPlace } from "#apps/provisioner/engines/n8n/community-nodes/npm-place.ts";
import { releaseFolder } from "#apps/provisioner/engines/install/install-release.ts";
import { readReleases } from "#apps/provisioner/engines/releases/read-releases.ts";

const releasesFolder = fileURLToPath(new URL("../../apps/provisioner/engines/n8n/releases", import.meta.url));
const program = fileURLToPath(new URL("stand-in-engine.mjs", import.meta.url));

/** Makes every release in `enginesDir` look installed; the stand-in starts instead. */
export function placeStandInEngine(enginesDir: string): void {
  for (const release of readReleases("n8n", releasesFolder)) {
    const n8n = join(releaseFolder(enginesDir, release), "node_modules", "n8n");
    mkdirSync(join(n8n, "bin"), { recursive: true });
    writeFileSync(join(n8n, "package.json"), '{ "type": "module" }');
    copyFileSync(program, join(n8n, "bin", "n8n"));
  }
  // The stand-in installs no community nodes, and a copy of npm would be 2,400 files for every program under test, which finds npm by PATH.
  const npm = findNpmPlace(enginesDir, { PATH: process.env["PATH"] });
  if (npm) mkdirSync(npm.bin, { recursive: true });
}
