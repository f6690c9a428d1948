/** The output of the last three starts, in three files of limited size. */
import { open, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { newestText } from "../../newest-text.ts";
import { hasCode } from "../driver-trouble.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/**
 * Keeps the current file below `maxBytes`: its newer half moves to the file before it, and it starts empty. The process keeps appending to
 * its open file; lines written in that instant are lost, which is acceptable for a limited log.
 */
export async function boundOutput(paths: WorkspacePaths, maxBytes: number): Promise<void> {
  const [current, previous, oldest] = paths.outputs;
  const size = (await statSize(current)) ?? 0;
  if (size <= maxBytes) return;
  const newest = await readEnd(current, Math.floor(maxBytes / 2));
  await rename(previous, oldest).catch(ignoreMissing);
  // If a workspace has filled the disk with its output, free space matters more than old output.
  await writeFile(previous, newest, { mode: 0o600 }).catch((error: unknown) =>
    hasCode(error, "ENOSPC") ? rm(previous, { force: true }) : Promise.reject(error),
  );
  const file = await open(current, "r+");
  await file.truncate(0).finally(() => file.close());
}

/** Forgets all output so far. The process keeps appending to its open file. */
export async function dropOutput(paths: WorkspacePaths): Promise<void> {
  const [current, ...earlier] = paths.outputs;
  for (const file of earlier) await rm(file, { force: true });
  await truncate(current).catch(ignoreMissing);
}

/** The newest output across starts, at most `maxBytes` bytes, oldest line first. */
export async function readOutput(paths: WorkspacePaths, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  // Three bytes more, so that a character on the edge is read whole and cut off whole.
  let room = maxBytes > 0 ? maxBytes + 3 : 0;
  for (const file of paths.outputs) {
    if (room === 0) break;
    const piece = await readEnd(file, room);
    room -= piece.length;
    pieces.unshift(piece);
  }
  return newestText(Buffer.concat(pieces), maxBytes);
}

async function readEnd(path: string, maxBytes: number): Promise<Uint8Array> {
  const size = await statSize(path);
  if (size === undefined) return new Uint8Array();
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function statSize(file: string): Promise<number | undefined> {
  const stats = await stat(file).catch(ignoreMissing);
  return stats?.size;
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
  throw error;
}
