/**
 * A tenant's files arrive as a tar stream that the tenant had a say in. What goes on holds files and folders only, within the asked-for
 * paths, under the names they are to have, and not more than is bearable.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar, { type Header } from "tar-stream";
import type { LeftOut } from "#contract/backup.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";

export interface ArchiveLimits {
  bytes: number;
  files: number;
}

/** A workspace with more than this has other needs than a backup over night. */
export const usualLimits: ArchiveLimits = { bytes: 20 * 1024 ** 3, files: 200_000 };

/** The name an entry is to have, or null to leave it out. */
export type NameEntry = (name: string) => string | null;

const isPlain = (name: string): boolean => name.length <= 1_000 && !name.startsWith("/") && name.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** Told of what goes on, and of what does not or not under its own name. */
export interface ArchiveWatch {
  kept(bytes: number): void;
  leftOut(name: string, why: LeftOut["names"][number]["why"]): void;
}

/** What is no UTF-8 was read as this. */
const unknownLetter = "\uFFFD";

/** Reads the archive entry by entry; links, devices and names that lead elsewhere are left out. Throws BackupFailure `too_large`. */
export async function* plainEntries(archive: Readable, nameOf: NameEntry, limits: ArchiveLimits, watch?: ArchiveWatch): AsyncGenerator<{ header: Header; name: string; content: AsyncIterable<Buffer> }> {
  const extract = tar.extract();
  const feeding = pipeline(archive, extract);
  // It is awaited below; until then a broken stream must not end the program.
  feeding.catch(() => undefined);
  let [bytes, files] = [0, 0];
  // Names that differ only in what is no UTF-8 are the same by now.
  const unclear = new Set<string>();
  const tellApart = (name: string): string => {
    const apart = unclear.has(name) ? `${name}.${unclear.size}` : name;
    unclear.add(apart);
    return apart;
  };
  try {
    for await (const entry of extract) {
      const { header } = entry;
      const plainName = header.name.replace(/^\.\//, "").replace(/\/+$/, "");
      const known = isPlain(plainName) ? nameOf(plainName) : null;
      const isUnclear = known?.includes(unknownLetter) === true && header.type !== "directory";
      const name = known !== null && isUnclear ? tellApart(known) : known;
      const isKept = header.type === "file" || header.type === "contiguous-file" || header.type === "directory";
      const isWanted = name !== null && isKept;
      if (!isPlain(plainName) || (isUnclear && isKept)) watch?.leftOut(plainName, "name");
      else if (name !== null && !isKept) watch?.leftOut(name, header.type === "symlink" || header.type === "link" ? "link" : "special");
      if (isWanted) {
        files += 1;
        bytes += header.size;
        if (bytes > limits.bytes || files > limits.files) throw new BackupFailure("too_large", `more than ${limits.bytes} bytes or ${limits.files} files`);
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

/** The same as an archive again, behind a first file of our own. */
export function filterArchive(archive: Readable, nameOf: NameEntry, first: { name: string; text: string }, limits: ArchiveLimits, watch?: ArchiveWatch): Readable {
  const pack = tar.pack();
  const work = async (): Promise<void> => {
    await new Promise<void>((resolve, reject) => pack.entry({ name: first.name, mode: 0o600 }, first.text, (error) => (error ? reject(error) : resolve())));
    for await (const { header, name, content } of plainEntries(archive, nameOf, limits, watch)) await addEntry(pack, header, name, content);
    pack.finalize();
  };
  work().catch((error: unknown) => pack.destroy(error as Error));
  const filtered = Readable.from(pack, { objectMode: false, highWaterMark: 256 * 1024 });
  filtered.once("close", () => {
    archive.destroy();
    pack.destroy();
  });
  return filtered;
}

async function addEntry(pack: tar.Pack, { type, size, mtime, mode }: Header, name: string, content: AsyncIterable<Buffer>): Promise<void> {
  const isFolder = type === "directory";
  // Owners are the workspace's of the day on which it is restored, and so are rights, but for a program's to be run.
  const header = { name: isFolder ? `${name}/` : name, type: isFolder ? "directory" : "file", size: isFolder ? 0 : size, mode: isFolder ? 0o700 : 0o600 | (mode & 0o100), ...(mtime && { mtime }) } as const;
  if (isFolder) return void pack.entry(header);
  const entry = pack.entry(header);
  await pipeline(Readable.from(content, { objectMode: false }), entry);
}
