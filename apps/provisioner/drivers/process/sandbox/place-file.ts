/** Files that all workspaces read, below the folder of workspaces. */
import { chmodSync, closeSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";

/**
 * Writes a file for all workspaces to read, safely even if another program writes it at the same moment. Running workspaces keep the
 * version they had.
 */
export function placeFile(folder: string, name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, content);
  chmodSync(beside, 0o644);
  renameSync(beside, file);
  return file;
}

/**
 * Like `placeFile`, for a file that running workspaces follow: each has this very file in its view, so it is written in place and never
 * replaced.
 */
export function placeFollowedFile(folder: string, name: string, content: string): string {
  const file = path.join(folder, name);
  if (readOr(file) === undefined) return placeFile(folder, name, content);
  if (readOr(file) === content) return file;
  const open = openSync(file, "r+");
  try {
    // Written before the rest of the old content is truncated: a reader in between finds too much rather than nothing.
    writeSync(open, content, 0);
    ftruncateSync(open, Buffer.byteLength(content));
  } finally {
    closeSync(open);
  }
  return file;
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
