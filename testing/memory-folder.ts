/** Where tests keep what they make and drop a thousand times: in memory where the machine has room for it, else in the usual folder. */
import { accessSync, constants, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const memoryFolder = "/dev/shm";
/** A run's databases need some 300 MB at once; containers often have 64 MB here. */
const roomBytes = 2 * 1024 ** 3;

/** Every folder that `chooseMemoryFolder` may have chosen in an earlier run. */
export const memoryFolders = [tmpdir(), memoryFolder];

/**
 * On a disk with ext4 a new file after many deleted ones is slow: making a database of a thousand files costs 0.18 s of CPU there, and 0.04 s
 * here.
 */
export function chooseMemoryFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= roomBytes && freemem() >= roomBytes ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
