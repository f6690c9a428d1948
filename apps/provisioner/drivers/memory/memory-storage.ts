/** The files of a simulated workspace, read and replaced as tar streams. */
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { DriverFailure } from "../driver.ts";

/** Whether the path is one of these or inside one of them. */
export const isWithin = (path: string, paths: readonly string[]): boolean =>
  paths.some((each) => path === each || path.startsWith(`${each}/`));

export function packMemory(storage: ReadonlyMap<string, string>, paths: readonly string[]): Readable {
  const pack = tar.pack();
  for (const [name, content] of storage) if (isWithin(name, paths)) pack.entry({ name, mode: 0o600 }, content);
  pack.finalize();
  return Readable.from(pack, { objectMode: false });
}

/** Rejects with a DriverFailure if the stream breaks. */
export async function unpackMemory(archive: Readable): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const extract = tar.extract();
  const feeding = pipeline(archive, extract);
  // Awaited below; until then a broken stream must not end the program.
  feeding.catch(() => undefined);
  try {
    for await (const entry of extract) if (entry.header.type === "file") files.set(entry.header.name, await text(entry));
    await feeding;
  } catch (error) {
    throw new DriverFailure("storage_failed", `the archive could not be read: ${(error as Error).message}`, { cause: error });
  }
  return files;
}
