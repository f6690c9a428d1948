/** Unpacks a .tar.br of trusted origin. Not with `tar`, which may close its input before the last bytes of it were written. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract, type Header } from "tar-stream";

/** Resolves when everything in the archive is below `folder`. Rejects if the archive is incomplete. */
export async function unpackArchive(archive: string, folder: string): Promise<void> {
  const entries = extract();
  const unpackAll = async () => {
    for await (const entry of entries) {
      await unpackEntry(entry.header, entry, join(folder, entry.header.name));
      entry.resume();
    }
  };
  // In an archive that breaks off, the last entry never ends.
  await Promise.all([pipeline(createReadStream(archive), createBrotliDecompress(), entries), unpackAll()]);
}

async function unpackEntry({ type, mode, linkname }: Header, content: AsyncIterable<unknown>, path: string): Promise<void> {
  await mkdir(type === "directory" ? path : dirname(path), { recursive: true });
  if (type === "file") await pipeline(content, createWriteStream(path, { mode }));
  else if (type === "symlink") await symlink(linkname, path);
  else if (type !== "directory") throw new Error(`${path}: entries of type ${type} are not unpacked`);
}
