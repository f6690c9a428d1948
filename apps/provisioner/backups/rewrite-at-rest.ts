/** Takes what people have deleted out of the copy of a workspace that does not run. */
import { rm, stat } from "node:fs/promises";
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
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = await driver.readStorage({ workspaceId: workspace.id, workspaceNumber: workspace.number }, from);
    const giveUp = () => archive.destroy(wanted.reason as Error);
    wanted.addEventListener("abort", giveUp);
    await unpackFiles(tools, archive, from, folder).finally(() => wanted.removeEventListener("abort", giveUp));
    await runOnFiles(program, folder, wanted);
    const path = join(folder, written);
    return { instead: from, file: { name: to, path, size: (await stat(path)).size }, remove };
  } catch (error) {
    await remove();
    if (wanted.aborted) throw wanted.reason;
    log.warn({ err: error, workspaceId: workspace.id }, "a copy may contain what was deleted: its database could not be written anew");
    return undefined;
  }
}
