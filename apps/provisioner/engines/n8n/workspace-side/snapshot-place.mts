/** Where the frozen copy of a database stands, below the workspace's folder. Read on both sides. */

/** Beside what n8n puts into its temporary files, on the same disk. */
export const snapshotsFolder = "tmp/snapshots";

export const snapshotFolder = (name: string): string => `${snapshotsFolder}/${name}`;
