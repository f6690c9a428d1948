/** Where things are in an image of a workspace. The tool that makes images, the launcher in them and the drivers that run them agree on it. */

/** The workspace's storage is mounted here: `{{folder}}`. */
export const dataFolder = "/data";
export const nodeInImage = "/usr/local/bin/node";
/** As ENGINES_DIR on a host: releases, hook files, and what starts share. */
export const enginesInImage = "/opt/slipway/engines";
export const launcherInImage = "/opt/slipway/drivers/container/launcher.ts";
const tini = "/usr/bin/tini";
/** The environment variable by which the launcher tells prove-name.ts the tool's port and the workspace's key: `port:key`, in base64. */
export const provingVariable = "SLIPWAY_PROVES";

/** What the launcher consists of, below the folder of the drivers and, in an image, below /opt/slipway/drivers. */
export const launcherFiles = [
  "container/launcher.ts",
  "container/prove-name.ts",
  "container/launch-order.ts",
  "container/image-places.ts",
  "driver.ts",
  "fill-templates.ts",
  "storage-scripts.ts",
] as const;

/** What a container runs. `order` is the path of a file with its launch order, or `-`: then it is one line on standard input. */
export const launchCommand = (order: string): string[] => [tini, "--", nodeInImage, launcherInImage, order];

/**
 * Whom a workspace runs as in its container; also the group of its storage. The same number for all: what keeps containers apart is that
 * they share no folder.
 */
export const containerUser = 10_001;

/** Marks an image that workspaces run in. */
export const workspaceImageLabel = "slipway.dev/workspace-image";
