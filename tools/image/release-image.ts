/** The image of workspaces of a qualified release. */
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { enginesInImage } from "#apps/provisioner/drivers/container/image-places.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { engineList } from "#apps/provisioner/engines/engine-list.ts";
import { rehearsedWorkspace } from "#apps/provisioner/engines/install/rehearsed-workspace.ts";
import { systemClock } from "#platform/clock.ts";
import { writeWorkspaceImage } from "./workspace-image.ts";

interface ReleaseImage {
  engine: EngineName;
  version: string;
  /** Where releases are installed, this one too if it is missing. */
  enginesDir: string;
  registry: string;
  /** Where unpacked packages are kept. */
  cacheDir: string;
}

const engineFor = ({ engine, enginesDir }: Pick<ReleaseImage, "engine" | "enginesDir">): Engine =>
  engineList[engine]({
    enginesDir,
    nodeBinary: process.execPath,
    signingKey: generateKeyPairSync("ed25519").privateKey,
    clock: systemClock,
    secureCookies: true,
    communityNodes: "all",
  });

/** The image's name and tag, without a registry, and the file in the folder of images that has it. */
export function releaseImage(release: Pick<ReleaseImage, "engine" | "version" | "enginesDir">): { image: string; fileName: string } {
  const engine = engineFor(release);
  const image = engine.runSpec(rehearsedWorkspace(engine), release.version).image!;
  return { image, fileName: imageFileName(image) };
}

export const imageFileName = (image: string): string => `${image.replace(":", "-")}.tar`;

/** Writes the archive to the path that `placeFor` gives for this image. */
export async function writeReleaseImage(
  placeFor: (image: string) => Promise<string>,
  { engine: name, version, enginesDir, registry, cacheDir }: ReleaseImage,
): Promise<{ file: string; name: string; id: string; packages: string[] }> {
  const engine = engineFor({ engine: name, enginesDir });
  if (!(await engine.isInstalled(version))) await engine.install(version, () => undefined);
  const spec = engine.runSpec(rehearsedWorkspace(engine), version);
  const file = await placeFor(spec.image!);
  const image = `${registry}/${spec.image}`;
  const made = await writeWorkspaceImage(file, {
    name: image,
    tool: foldersOf(JSON.stringify(spec), enginesDir).map((folder) => ({
      from: join(enginesDir, folder),
      to: join(enginesInImage, folder),
    })),
    nodeBinary: process.execPath,
    cacheDir,
  });
  return { file, name: image, ...made };
}

/** The folders that a release's spec names: the release itself, its hook files, and npm. */
function foldersOf(text: string, folder: string): string[] {
  const named = text.split(`${folder}/`).slice(1);
  const folders = named.map((rest) => /^(?:hooks\/)?[A-Za-z0-9._-]+/.exec(rest)![0]);
  // The files shared between starts were made by a Node at another path.
  return [...new Set(folders)].filter((each) => each !== "prepared").toSorted();
}
