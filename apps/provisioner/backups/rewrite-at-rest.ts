/** Takes what people have deleted out of the copy of a workspace that does not run. */
import { constants } from "node:fs";
import { open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import { storedByTry } from "#domain/backups/stored-backup.ts";
import { runOnFiles } from "./archive/inspect-files.ts";
import type { AddedFile } from "./archive/filter-archive.ts";
import type { BackupTools, BackupWorkspace } from "./backup-tools.ts";
import { makeStaging, unpackFiles } from "./open-backup.ts";

export interface Rewritten {
  /** Contents that are not copied. */
  instead: readonly string[];
  file: AddedFile;
  remove(): Promise<void>;
}

/**
 * Undefined if its engine has nothing to rewrite, or if it fails: the files are then copied as they are, because a copy of damaged files or
 * on a full host is better than none. Rejects only with the reason of `wanted`, as soon as the workspace should start after all.
 */
export async function rewriteAtRest(
  tools: BackupTools,
  workspace: Pick<BackupWorkspace, "id" | "number">,
  backup: BackupRow,
  wanted: AbortSignal,
): Promise<Rewritten | undefined> {
  const { engine, driver, log } = tools;
  const rewrite = engine.backups?.rewrite;
  if (!rewrite) return undefined;
  const { from, written, to, program } = rewrite;
  const folder = await makeStaging(tools, storedByTry(backup));
  let file: FileHandle | undefined;
  const remove = async () => {
    await file?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const archive = await driver.readStorage({ workspaceId: workspace.id, workspaceNumber: workspace.number }, from);
    const giveUp = () => archive.destroy(wanted.reason as Error);
    wanted.addEventListener("abort", giveUp);
    await unpackFiles(tools, archive, from, folder).finally(() => wanted.removeEventListener("abort", giveUp));
    await runOnFiles(program, folder, wanted);
    file = await openWritten(join(folder, written));
    return { instead: from, file: { name: to, file, size: (await file.stat()).size }, remove };
  } catch (error) {
    await remove();
    if (wanted.aborted) throw wanted.reason;
    log.warn({ err: error, workspaceId: workspace.id }, "a copy may contain what was deleted: its database could not be written anew");
    return undefined;
  }
}

/** A tenant's database may have taken the program over, so what it left must lead to nothing else on this host. Throws if it may. */
export async function openWritten(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const seen = await file.stat();
  if (seen.isFile() && seen.nlink === 1) return file;
  await file.close();
  throw new Error("what was written is not a file of its own");
}
