/** The output of the last three starts, in three files of limited size. */
import { open, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { mostWaitedFor, type NewOutput } from "../../new-output.ts";
import { newestText } from "../../newest-text.ts";
import { hasCode } from "../../driver-trouble.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/**
 * Keeps the current file below `maxBytes`: its newer half moves to the previous file, and it starts empty. The process keeps appending to
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
  // Three bytes more, so that a character on the edge is read whole and cut off whole.
  return newestText(await readEnds(paths.outputs, maxBytes > 0 ? maxBytes + 3 : 0), maxBytes);
}

/**
 * The whole lines written since `mark`, at most the newest `maxBytes`; without a mark, the newest of all starts. The mark is the file that
 * was current, which a start renames and `boundOutput` empties, and how far it was read.
 */
export async function readNewOutput(paths: WorkspacePaths, mark: string | null, maxBytes: number): Promise<NewOutput> {
  const [current, previous] = paths.outputs;
  const [file = "", offset = "0"] = mark?.split(":") ?? [];
  const known = { file, offset: Number(offset) };
  const now = await readFrom(current, 0, 0);
  if (!now || (now.file === known.file && now.size === known.offset)) return { text: "", mark: mark ?? "", isCut: false };
  // Nothing was read before, or not from this file: then the earlier files count as well.
  const isSame = now.file === known.file && now.size > known.offset;
  const part = await readFrom(current, isSame ? known.offset : 0, maxBytes);
  if (!part) return { text: "", mark: mark ?? "", isCut: false };
  const lines = upToLastLine(part.bytes);
  const end = `${part.file}:${part.size - part.bytes.length + lines.length}`;
  if (isSame) return { text: newestText(lines, maxBytes), mark: end, isCut: part.isCut };
  const room = Math.max(0, maxBytes - lines.length);
  if (!mark)
    return { text: newestText(Buffer.concat([await readEnds(paths.outputs.slice(1), room), lines]), maxBytes), mark: end, isCut: false };
  // A start renames the file; the last output written to it is still there.
  const rest = known.file === now.file ? undefined : await readFrom(previous, known.offset, room);
  const isKept = rest?.file === known.file;
  const text = newestText(Buffer.concat([isKept ? rest!.bytes : new Uint8Array(), lines]), maxBytes);
  return { text, mark: end, isCut: part.isCut || !isKept || rest!.isCut };
}

/** The ends of these files, the newest file first, joined: at most `maxBytes`, oldest byte first. */
async function readEnds(files: readonly string[], maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let room = maxBytes;
  for (const file of files) {
    if (room === 0) break;
    const piece = await readEnd(file, room);
    room -= piece.length;
    pieces.unshift(piece);
  }
  return Buffer.concat(pieces);
}

interface FilePart {
  /** From the offset, or from later on if that is more than `maxBytes`, to the end. */
  bytes: Uint8Array;
  /** Identifies the file: the number of a deleted one is soon another's. */
  file: string;
  size: number;
  isCut: boolean;
}

async function readFrom(path: string, offset: number, maxBytes: number): Promise<FilePart | undefined> {
  const file = await open(path, "r").catch(ignoreMissing);
  if (!file) return undefined;
  try {
    const { ino, size, birthtimeMs } = await file.stat();
    const length = Math.min(Math.max(0, size - offset), maxBytes);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, size - length);
    return { bytes: buffer.subarray(0, bytesRead), file: `${ino}-${birthtimeMs}`, size, isCut: size - length > offset };
  } finally {
    await file.close();
  }
}

/** Without a line that is still being written, unless it is too long to wait for. */
function upToLastLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(10) + 1;
  return end === 0 && bytes.length >= mostWaitedFor ? bytes : bytes.subarray(0, end);
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
