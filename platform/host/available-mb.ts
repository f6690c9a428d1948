import { statfs } from "node:fs/promises";

/** Whole megabytes that a program without special rights may still write to the file system with `folder`. */
export async function availableMb(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor((bavail * bsize) / 1024 ** 2);
}
