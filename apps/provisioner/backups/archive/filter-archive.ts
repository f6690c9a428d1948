/**
 * A tenant can influence the tar stream of its own files. The filtered stream contains only files and folders, within the requested paths,
 * under the names that `NameEntry` gives, and within limits on size and count.
 */
import type { FileHandle } from "node:fs/promises";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar, { type Header } from "tar-stream";
import type { LeftOut } from "#contract/workspaces/backup.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { blockBytes, tarHeader, tarPadding } from "./tar-header.ts";

export interface ArchiveLimits {
  bytes: number;
  files: number;
}

/** Workspaces larger than this need more than a nightly backup. */
export const usualLimits: ArchiveLimits = { bytes: 20 * 1024 ** 3, files: 200_000 };

/**
 * Gives the entry's name, or null to leave the entry out. Names are bytes, one per character (latin1), as in file systems: not all are
 * valid UTF-8.
 */
export type NameEntry = (name: string) => string | null;

/** The bytes of an entry's name. The library has already decoded names from extended headers as UTF-8. */
const bytesOf = ({ name, pax }: Header): string =>
  (pax as { path?: string } | null | undefined)?.path === undefined ? name : Buffer.from(name).toString("latin1");
const textOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

const isPlain = (name: string): boolean =>
  textOf(name).length <= 1_000 && !name.startsWith("/") && name.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** Called with each entry that passes, and with the name of each that is left out. */
export interface ArchiveWatch {
  kept(bytes: number): void;
  leftOut(name: string, why: LeftOut["names"][number]["why"]): void;
}

/** Reads the archive entry by entry; links, devices and names that lead outside are left out. Throws BackupFailure `too_large`. */
export async function* plainEntries(
  archive: Readable,
  nameOf: NameEntry,
  limits: ArchiveLimits,
  watch?: ArchiveWatch,
): AsyncGenerator<{ header: Header; name: string; content: AsyncIterable<Buffer> }> {
  // The library's types lack this option.
  const extract = tar.extract({ filenameEncoding: "latin1" } as object);
  const feeding = pipeline(archive, extract);
  // Awaited below; until then a broken stream must not end the program.
  feeding.catch(() => undefined);
  let [bytes, files] = [0, 0];
  try {
    for await (const entry of extract) {
      const { header } = entry;
      const plainName = bytesOf(header).replace(/^\.\//, "").replace(/\/+$/, "");
      const name = isPlain(plainName) ? nameOf(plainName) : null;
      const isKept = header.type === "file" || header.type === "contiguous-file" || header.type === "directory";
      if (!isPlain(plainName)) watch?.leftOut(textOf(plainName), "name");
      else if (name !== null && !isKept)
        watch?.leftOut(textOf(name), header.type === "symlink" || header.type === "link" ? "link" : "special");
      if (name !== null && isKept) {
        files += 1;
        bytes += header.size;
        if (bytes > limits.bytes || files > limits.files)
          throw new BackupFailure("too_large", `more than ${limits.bytes} bytes or ${limits.files} files`);
        watch?.kept(header.size);
        yield { header, name, content: entry as AsyncIterable<Buffer> };
      }
      entry.resume();
    }
    await feeding;
  } finally {
    archive.destroy();
    extract.destroy();
  }
}

/** A file of this host that is added to an archive. */
export interface AddedFile {
  /** In the archive. */
  name: string;
  /** Open for reading; stays open. */
  file: FileHandle;
  size: number;
}

/** Like `plainEntries`, packed as an archive again, after a first file that we write; `added` follows the others. */
export function filterArchive(
  archive: Readable,
  nameOf: NameEntry,
  first: { name: string; text: string },
  limits: ArchiveLimits,
  watch?: ArchiveWatch,
  added?: AddedFile,
): Readable {
  const filtered = new PassThrough({ highWaterMark: 256 * 1024 });
  // A pending entry blocks the reader, so the source is destroyed too.
  filtered.once("close", () => archive.destroy());
  // An error ends `filtered`, whose reader sees it.
  pipeline(writeArchive(first, plainEntries(archive, nameOf, limits, watch), added, watch), filtered).catch(() => undefined);
  return filtered;
}

async function* writeArchive(
  first: { name: string; text: string },
  entries: ReturnType<typeof plainEntries>,
  added: AddedFile | undefined,
  watch: ArchiveWatch | undefined,
): AsyncGenerator<Buffer> {
  const text = Buffer.from(first.text);
  yield Buffer.concat([
    tarHeader({ name: first.name, isFolder: false, size: text.length, mode: 0o600, modifiedAt: new Date() }),
    text,
    tarPadding(text.length),
  ]);
  for await (const { header, name, content } of entries) {
    const isFolder = header.type === "directory";
    // Owner and permissions are set at the restore, except whether a file is executable.
    const mode = isFolder ? 0o700 : 0o600 | (header.mode & 0o100);
    const size = isFolder ? 0 : header.size;
    yield tarHeader({ name, isFolder, size, mode, modifiedAt: header.mtime });
    if (!isFolder) yield* content;
    yield tarPadding(size);
  }
  if (added) {
    const { name, file, size } = added;
    watch?.kept(size);
    yield tarHeader({ name, isFolder: false, size, mode: 0o600, modifiedAt: new Date() });
    if (size > 0) yield* file.createReadStream({ start: 0, end: size - 1, autoClose: false }) as AsyncIterable<Buffer>;
    yield tarPadding(size);
  }
  // An archive ends with two empty blocks.
  yield Buffer.alloc(2 * blockBytes);
}
