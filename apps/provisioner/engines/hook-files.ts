/**
 * Places the engine's workspace-side files where workspaces can read them: this repository may be in a closed home folder. Folders are
 * named by their contents, so a running workspace keeps the files it started with.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { launcherFiles } from "../drivers/container/image-places.ts";
import { removeTree, sealTree } from "./install/seal-tree.ts";

interface HookFiles {
  /** The file the tool loads. */
  entry: string;
  /** The name of an image with this release, these files and today's launcher in it. */
  imageOf(release: { engine: string; version: string }): string;
  arePlaced(): boolean;
  /** Puts the files in place unless they are there. */
  place(): Promise<void>;
}

const enginesFolder = import.meta.dirname;
const driversFolder = join(enginesFolder, "../drivers");
const hashOf = (content: unknown): string => createHash("sha256").update(JSON.stringify(content)).digest("hex");

/**
 * The files as they are in this repository now, and their place below `hooksDir`. `entry`, below the folder of engines, is what the tool
 * loads; the rest of its folder, with all subfolders, and the workspace-side files of all engines come with it.
 */
export function readHookFiles(hooksDir: string, entry: string): HookFiles {
  const files = [dirname(entry), "workspace-side"].flatMap((source) =>
    readdirSync(join(enginesFolder, source), { encoding: "utf8", recursive: true })
      .filter((name) => name.endsWith(".mts") && !name.endsWith(".test.mts"))
      .toSorted()
      .map((name) => ({ name: join(source, name), content: readFileSync(join(enginesFolder, source, name), "utf8") })),
  );
  const hash = hashOf(files);
  const imageHash = hashOf([hash, ...launcherFiles.map((file) => readFileSync(join(driversFolder, file), "utf8"))]).slice(0, 12);
  const folder = join(hooksDir, hash);
  const arePlaced = () => existsSync(folder);
  return {
    entry: join(folder, entry),
    imageOf: ({ engine, version }) => `${engine}:${version}-${imageHash}`,
    arePlaced,
    place: async () => {
      if (arePlaced()) return;
      const arriving = await stageBeside(folder, removeTree);
      try {
        for (const { name, content } of files) {
          await mkdir(dirname(join(arriving, name)), { recursive: true });
          await writeFile(join(arriving, name), content);
        }
        await sealTree(arriving);
        // Another process may have been first: a folder that isn't empty can't be replaced, and has the same contents.
        await rename(arriving, folder).catch((error: unknown) => {
          if (!arePlaced()) throw error;
        });
      } finally {
        await removeTree(arriving);
      }
    },
  };
}
