/** Path of the frozen copy of a database, below the workspace's folder. Used by the control plane and the workspace. */

/** Inside n8n's folder for temporary files, on the same disk. */
export const snapshotsFolder = "tmp/snapshots";

export const snapshotFolder = (name: string): string => `${snapshotsFolder}/${name}`;
