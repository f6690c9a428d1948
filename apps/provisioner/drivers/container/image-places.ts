/** Where things are in a workspace's image. The tool that builds images, the launcher in them and the drivers that run them agree on it. */

/** The workspace's storage is mounted here: `{{folder}}`. */
export const dataFolder = "/data";
export const nodeInImage = "/usr/local/bin/node";
/** What ENGINES_DIR contains on a host: releases, hook files, and what starts share. */
export const enginesInImage = "/opt/slipway/engines";
export const launcherInImage = "/opt/slipway/drivers/container/launcher.ts";
const tini = "/usr/bin/tini";
/**
 * The environment variable in which the launcher passes the tool's port and the workspace's key to prove-name.ts: `port:key`, in base64.
 */
export const provingVariable = "SLIPWAY_PROVES";

/** The launcher's files, below the folder of the drivers and, in an image, below /opt/slipway/drivers. */
export const launcherFiles = [
  "container/launcher.ts",
  "container/prove-name.ts",
  "container/launch-order.ts",
  "container/image-places.ts",
  "driver.ts",
  "fill-templates.ts",
  "storage-scripts.ts",
] as const;

/** What a container runs. `order` is the path of a file with its launch order, or `-` for one line on standard input. */
export const launchCommand = (order: string): string[] => [tini, "--", nodeInImage, launcherInImage, order];

/**
 * The user of a workspace in its container; also the group of its storage. The same number for all: containers are kept apart because they
 * share no folder.
 */
export const containerUser = 10_001;

/** Marks an image in which workspaces run. */
export const workspaceImageLabel = "slipway.dev/workspace-image";
