/** Copies a workspace's files into a sealed object in the storage. */
import { createHash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import { createGzip } from "node:zlib";
import type { LeftOut } from "#contract/workspaces/backup.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { storedByTry, tryOf } from "#domain/backups/stored-backup.ts";
import { hourMs, minuteMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { RunObservation } from "../drivers/driver.ts";
import type { EngineBackups } from "../engines/port/engine-copies.ts";
import { manifestName, type BackupTools, type BackupWorkspace } from "./backup-tools.ts";
import { rewriteAtRest } from "./rewrite-at-rest.ts";
import { filterArchive, usualLimits, type AddedFile, type ArchiveWatch, type NameEntry } from "./archive/filter-archive.ts";

/** Copying gigabytes on a slow disk takes minutes. */
const freezeLimitMs = 15 * minuteMs;
const thawLimitMs = minuteMs;
/** 10 GB at 3 MB a second. */
const packLimitMs = hourMs;
/** A transfer without progress for this long has stalled. */
const stalledAfterMs = 2 * minuteMs;

export interface Copied {
  /** Its name in the storage. */
  storedAs: string;
  size: number;
  sha256: string;
  keyId: string;
  /** Bytes of its files. */
  unpackedSize: number;
  leftOut: LeftOut;
}

/** The list is for people, who would gain nothing from a longer one. */
const mostNamesLeftOut = 50;

/** Runs the work while no other process can start the workspace. `wanted` is aborted, with a failure, when the workspace should start after all. */
export type Hold = <T>(work: (wanted: AbortSignal) => Promise<T>) => Promise<T>;

const heldAlready: Hold = (work) => work(new AbortController().signal);

/**
 * Copies the workspace as it is now, running, frozen or stopped, into the storage. A frozen or stopped workspace is held while it is read,
 * but not while it waits for its turn; if it is used in that time, it wakes instead. A frozen one has files like after a crash, which the
 * tool repairs at its start; so it need not be woken, and a backup does not count as a use. Rejects with the failure; the storage then has
 * no copy.
 */
export async function copyWorkspace(
  tools: BackupTools,
  workspace: BackupWorkspace,
  backup: BackupRow,
  hold = heldAlready,
): Promise<Copied> {
  const { engine, driver } = tools;
  const { backups } = engine;
  if (!backups) throw new BackupFailure("unsupported", `workspaces of ${engine.displayName} cannot be backed up`);
  const look = async (): Promise<RunObservation> => {
    const observed = await driver.observe(workspace.id);
    // If files went missing during the copy, it would be empty.
    if (observed.state === "absent") throw new BackupFailure("missing", "this host has no files of the workspace");
    return observed;
  };
  const seen = await look();
  const pack = (frozen: ReadonlyMap<string, string | null>, wanted?: AbortSignal, added?: AddedFile) =>
    within(packLimitMs, "the copy", store(tools, workspace, backup, backups, { frozen, wanted, added }));
  const packAtRest = async (wanted: AbortSignal): Promise<Copied> => {
    if (!isAtRest(await look())) throw new BackupFailure("again", "the workspace was started before its copy began");
    const rewritten = await within(packLimitMs, "the copy", rewriteAtRest(tools, workspace, backup, wanted));
    const instead = new Map((rewritten?.instead ?? []).map((content) => [content, null]));
    const copied = await pack(instead, wanted, rewritten?.file).finally(() => rewritten?.remove());
    // The caller may be a worker that has lost the workspace without knowing.
    if (!isAtRest(await look())) throw new BackupFailure("again", "the workspace was started while it was copied");
    return copied;
  };
  if (isAtRest(seen) || !seen.address) return tools.slots.pack.run(() => hold(packAtRest));
  const { address } = seen;
  const frozen = await tools.slots.freeze
    .run(() => within(freezeLimitMs, "the workspace's copy of itself", backups.freeze(address, workspace.id, tryOf(backup))))
    .catch((error: unknown) => {
      throw new BackupFailure(
        /no space left|disk is full/i.test(String(error)) ? "disk_full" : "again",
        `the workspace made no copy of itself: ${(error as Error).message}`,
        { cause: error },
      );
    });
  try {
    return await tools.slots.pack.run(() => pack(frozen));
  } finally {
    // The next freeze removes what remains.
    await within(thawLimitMs, "taking the copy away", backups.thaw(address, workspace.id, tryOf(backup))).catch((err: unknown) =>
      tools.log.warn({ err, workspaceId: workspace.id }, "a workspace kept its frozen copy"),
    );
  }
}

/** Nothing in it can write. Its files are present. */
const isAtRest = ({ state, frozen }: RunObservation): boolean => state !== "running" || frozen === true;

async function store(
  tools: BackupTools,
  workspace: BackupWorkspace,
  backup: BackupRow,
  backups: EngineBackups,
  { frozen, wanted, added }: { frozen: ReadonlyMap<string, string | null>; wanted: AbortSignal | undefined; added: AddedFile | undefined },
): Promise<Copied> {
  const { driver, storage, keys } = tools;
  const read = sourcesOf(backups, frozen);
  let unpackedSize = 0;
  const leftOut: LeftOut = { total: 0, names: [] };
  const watch: ArchiveWatch = {
    kept: (bytes) => void (unpackedSize += bytes),
    leftOut(left, why) {
      leftOut.total += 1;
      // The database refuses half a surrogate pair.
      if (leftOut.names.length < mostNamesLeftOut) leftOut.names.push({ name: left.slice(0, 300).toWellFormed(), why });
    },
  };
  const archive = await driver.readStorage({ workspaceId: workspace.id, workspaceNumber: workspace.number }, [...read.keys()], (unread) =>
    watch.leftOut(unread, "unreadable"),
  );
  // Used while its files were being opened.
  if (wanted?.aborted) {
    archive.destroy();
    throw wanted.reason;
  }
  const nameOf: NameEntry = (name) => {
    for (const [source, target] of read) if (name === source || name.startsWith(`${source}/`)) return target + name.slice(source.length);
    return null;
  };
  const manifest = {
    format: 1,
    engine: backup.engine,
    version: backup.engineVersion,
    account: workspace.accountName,
    workspaceId: workspace.id,
    kind: backup.kind,
    madeAt: backup.createdAt.toISOString(),
  };
  const name = storedByTry(backup);
  const hash = createHash("sha256");
  let size = 0;
  const stalled = setTimeout(
    () => measure.destroy(new BackupFailure("again", `nothing was read or stored for ${stalledAfterMs} ms`)),
    stalledAfterMs,
  );
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      stalled.refresh();
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  // Its reader gets the error as well. Without a listener, an error after the last read would end this process.
  measure.on("error", () => undefined);
  wanted?.addEventListener("abort", () => void measure.destroy(wanted.reason as BackupFailure));
  const filtered = filterArchive(
    archive,
    nameOf,
    { name: manifestName, text: JSON.stringify(manifest, null, 2) },
    tools.limits ?? usualLimits,
    watch,
    added,
  );
  // Level 1 gains most of the compression in a third of the time, and every tool reads gzip. An error ends `measure`, whose reader sees it.
  const sealed = pipeline(filtered, createGzip({ level: 1 }), sealStream(keys.current, name), measure, () => undefined);
  await storage.write(name, sealed).finally(() => {
    clearTimeout(stalled);
    sealed.destroy();
  });
  return { storedAs: name, size, sha256: hash.digest("hex"), keyId: keys.current.id, unpackedSize, leftOut };
}

/** The path from which each part of the contents is read. */
function sourcesOf({ contents, remade }: EngineBackups, frozen: ReadonlyMap<string, string | null>): Map<string, string> {
  const sources = new Map<string, string>();
  for (const target of contents) {
    const source = frozen.get(target);
    if (source !== null && !remade.includes(target)) sources.set(source ?? target, target);
  }
  return sources;
}
