/**
 * A tenant's files arrive as a tar stream that the tenant had a say in. What goes on holds files and folders only, within the asked-for
 * paths, under the names they are to have, and not more than is bearable.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar, { type Header } from "tar-stream";
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

/** Reads the archive entry by entry; links, devices and names that lead elsewhere are left out. Throws BackupFailure `too_large`. */
export async function* plainEntries(archive: Readable, nameOf: NameEntry, limits: ArchiveLimits): AsyncGenerator<{ header: Header; name: string; content: AsyncIterable<Buffer> }> {
  const extract = tar.extract();
  const feeding = pipeline(archive, extract);
  // It is awaited below; until then a broken stream must not end the program.
  feeding.catch(() => undefined);
  let [bytes, files] = [0, 0];
  try {
    for await (const entry of extract) {
      const { header } = entry;
      const plainName = header.name.replace(/^\.\//, "").replace(/\/+$/, "");
      const name = isPlain(plainName) ? nameOf(plainName) : null;
      const isWanted = name !== null && (header.type === "file" || header.type === "contiguous-file" || header.type === "directory");
      if (isWanted) {
        files += 1;
        bytes += header.size;
        if (bytes > limits.bytes || files > limits.files) throw new BackupFailure("too_large", `more than ${limits.bytes} bytes or ${limits.files} files`);
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
export function filterArchive(archive: Readable, nameOf: NameEntry, first: { name: string; text: string }, limits: ArchiveLimits): Readable {
  const pack = tar.pack();
  const work = async (): Promise<void> => {
    await new Promise<void>((resolve, reject) => pack.entry({ name: first.name, mode: 0o600 }, first.text, (error) => (error ? reject(error) : resolve())));
    for await (const { header, name, content } of plainEntries(archive, nameOf, limits)) await addEntry(pack, header, name, content);
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

async function addEntry(pack: tar.Pack, { type, size, mtime }: Header, name: string, content: AsyncIterable<Buffer>): Promise<void> {
  const isFolder = type === "directory";
  // Rights and owners are the workspace's of the day on which it is restored.
  const header = { name: isFolder ? `${name}/` : name, type: isFolder ? "directory" : "file", size: isFolder ? 0 : size, mode: isFolder ? 0o700 : 0o600, ...(mtime && { mtime }) } as const;
  if (isFolder) return void pack.entry(header);
  const entry = pack.entry(header);
  await pipeline(Readable.from(content, { objectMode: false }), entry);
}
