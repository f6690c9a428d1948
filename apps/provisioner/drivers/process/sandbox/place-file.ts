/** Files that all workspaces read, below the folder of workspaces. */
import { chmodSync, closeSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";

/** Writes a file for all workspaces to read, also where another program does so at the same moment. Running ones keep the one they had. */
export function placeFile(folder: string, name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, content);
  chmodSync(beside, 0o644);
  renameSync(beside, file);
  return file;
}

/** The same for a file that running workspaces follow: each has this very file in its view, so it is written into and never replaced. */
export function placeFollowedFile(folder: string, name: string, content: string): string {
  const file = path.join(folder, name);
  if (readOr(file) === undefined) return placeFile(folder, name, content);
  if (readOr(file) === content) return file;
  const open = openSync(file, "r+");
  try {
    // Before the end of the old content goes: a reader in between finds too much rather than nothing.
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
