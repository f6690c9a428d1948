/** Writes a running workspace's export to the storage as a sealed zip. */
import { pipeline, Readable, Transform } from "node:stream";
import { ZipFile } from "yazl";
import type { Language } from "#contract/accounts/language.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { scryptCost, type CredentialsKey } from "#domain/exports/credentials-key.ts";
import { storedExport, type ExportRow } from "#domain/exports/export-store.ts";
import type { BackupWorkspace } from "../backups/backup-tools.ts";
import { minuteMs } from "#platform/clock.ts";
import { eachWithin } from "#platform/loops/within.ts";
import type { EngineExports } from "../engines/port/engine-copies.ts";
import type { ExportTools } from "./export-work.ts";

interface Written {
  size: number;
  workflows: number;
  credentials: number | null;
}

/**
 * Rejects with BackupFailure; the storage then has no zip. `size` is the zip's size. Its instructions are in `language`. `onProgress` is told
 * after each file how many workflows the zip has by then.
 */
export async function writeExport(
  tools: ExportTools,
  workspace: BackupWorkspace,
  row: ExportRow,
  language: Language,
  onProgress: (workflows: number) => void = () => {},
): Promise<Written> {
  const { engine, driver, storage, keys, secrets } = tools;
  if (!engine.exports) throw new BackupFailure("unsupported", `workspaces of ${engine.displayName} cannot be exported`);
  await tools.wake?.(workspace.id);
  const { address } = await driver.observe(workspace.id);
  if (!address) throw new BackupFailure("again", "the workspace does not run");
  const credentialsKey = row.credentialsKey === null ? null : (JSON.parse(secrets.decrypt(row.credentialsKey, "export")) as CredentialsKey);
  const zip = new ZipFile();
  const counts = { workflows: 0, credentials: 0, bytes: 0 };
  const over = new AbortController();
  const filling = fill(zip, engine.exports, {
    address,
    workspaceId: workspace.id,
    credentialsKey,
    counts,
    madeAt: row.createdAt,
    language,
    over: over.signal,
    onProgress,
  });
  // An unfinished zip ends the stream with its error; the storage then keeps nothing.
  filling.catch((error: unknown) => (zip.outputStream as unknown as Readable).destroy(error as Error));
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counts.bytes += chunk.length;
      done(null, chunk);
    },
  });
  const name = storedExport(row.id);
  const sealed = pipeline(zip.outputStream, measure, sealStream(keys.current, name), () => over.abort());
  // The storage gets the error as well. Without a listener, an error after its last read would end this process.
  sealed.on("error", () => undefined);
  try {
    const [filled, stored] = await Promise.allSettled([filling, storage.write(name, sealed)]);
    // Each aborts the other: the first to fail gives the reason.
    if (filled.status === "rejected" && !(filled.reason instanceof StorageGone)) throw filled.reason;
    if (stored.status === "rejected") throw stored.reason;
  } finally {
    sealed.destroy();
  }
  return { size: counts.bytes, workflows: counts.workflows, credentials: row.withCredentials ? counts.credentials : null };
}

interface Filling {
  address: string;
  workspaceId: string;
  credentialsKey: CredentialsKey | null;
  counts: { workflows: number; credentials: number };
  madeAt: Date;
  language: Language;
  /** The storage accepts no more data. */
  over: AbortSignal;
  onProgress: (workflows: number) => void;
}

class StorageGone extends Error {}

/** A workspace that sends nothing for so long has stalled. */
const silenceMs = minuteMs;

async function fill(
  zip: ZipFile,
  exports: EngineExports,
  { address, workspaceId, credentialsKey, counts, madeAt, language, over, onProgress }: Filling,
): Promise<void> {
  // One at a time, as fast as the storage accepts them: an export may be larger than this process's memory.
  const add = (path: string, content: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const refuse = () => reject(new StorageGone());
      if (over.aborted) return refuse();
      over.addEventListener("abort", refuse, { once: true });
      const body = Readable.from([Buffer.from(content)], { objectMode: false });
      body.once("close", () => {
        over.removeEventListener("abort", refuse);
        resolve();
      });
      zip.addReadStreamLazy(path, { mtime: madeAt, mode: 0o100600 }, (give) => give(null, body));
    });
  try {
    for await (const { kind, path, content, count } of eachWithin(
      silenceMs,
      "the next file",
      exports.read(address, workspaceId, credentialsKey?.key ?? null),
    )) {
      counts[kind === "workflow" ? "workflows" : "credentials"] += count;
      await add(path, content);
      onProgress(counts.workflows);
    }
  } catch (error) {
    if (error instanceof StorageGone) throw error;
    throw new BackupFailure("again", `the workspace returned no export: ${(error as Error).message}`, { cause: error });
  }
  for (const { path, content } of exports.companions(credentialsKey && { salt: credentialsKey.salt, ...scryptCost }, language))
    await add(path, content);
  zip.end();
}
