/** A small image with a stand-in for a tool. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeWorkspaceImage } from "../../tools/image/workspace-image.ts";
import { enginesCacheDir } from "../engines/engines-cache.ts";

/** Beside the engines that tests share. */
export const containersCacheDir = join(dirname(enginesCacheDir), "containers");
/** Where the stand-in is in the image. */
export const standIn = "/opt/stand-in/reporting-workspace.mjs";
export const testImage = "localhost/slipway-tests/stand-in:1";

/** Writes the image's archive and returns its file, in `folder`. */
export async function writeTestImage(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "stand-in.tar");
  const drivers = fileURLToPath(new URL("../drivers", import.meta.url));
  await writeWorkspaceImage(file, {
    name: testImage,
    tool: [{ from: drivers, to: dirname(standIn), only: ["reporting-workspace.mjs"] }],
    nodeBinary: process.execPath,
    cacheDir: containersCacheDir,
  });
  return file;
}
