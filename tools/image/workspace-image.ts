/** What an image of workspaces contains, and how it is run. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  containerUser,
  dataFolder,
  launchCommand,
  launcherFiles,
  launcherInImage,
  nodeInImage,
  workspaceImageLabel,
} from "#apps/provisioner/drivers/container/image-places.ts";
import { makeDebianRoot } from "./debian-root.ts";
import { writeImage, type Layer } from "./image-archive.ts";

const driversFolder = fileURLToPath(new URL("../../apps/provisioner/drivers", import.meta.url));

interface WorkspaceImage {
  /** With registry and tag. */
  name: string;
  /** What workspaces run besides Node and the launcher. */
  tool: readonly Layer[];
  nodeBinary: string;
  /** Where unpacked packages are kept. */
  cacheDir: string;
}

/** Writes the image to `file`; returns its id and the packages in it. */
export async function writeWorkspaceImage(
  file: string,
  { name, tool, nodeBinary, cacheDir }: WorkspaceImage,
): Promise<{ id: string; packages: string[] }> {
  const root = await makeDebianRoot(cacheDir);
  const own = await mkdtemp(join(tmpdir(), "slipway-image-"));
  try {
    for (const each of launcherFiles) await cp(join(driversFolder, each), join(own, "drivers", each));
    await mkdir(join(own, "data"), { mode: 0o700 });
    const id = await writeImage(file, {
      name,
      layers: [
        { from: root.folder, to: "/" },
        { from: dirname(nodeBinary), to: dirname(nodeInImage), only: ["node"] },
        ...tool,
        { from: join(own, "drivers"), to: join(dirname(launcherInImage), "..") },
        // A new volume copies what the image has in its place: a folder of the workspace's user.
        { from: join(own, "data"), to: dataFolder, owner: containerUser },
      ],
      config: {
        Entrypoint: launchCommand("-"),
        User: `${containerUser}:${containerUser}`,
        WorkingDir: dataFolder,
        Env: ["PATH=/usr/local/bin:/usr/bin:/bin"],
        Labels: { [workspaceImageLabel]: "yes" },
      },
    });
    return { id, packages: root.packages };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
