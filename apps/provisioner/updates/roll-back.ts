/** Returns to the previous version, together with its data from before the change. */
import { say } from "#contract/sentences/say.ts";
import { asBackupFailure, BackupFailure, type BackupFailureCode } from "#domain/backups/backup-failure.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { changeUpdate, type UpdateRow } from "#domain/updates/update-store.ts";
import { revertDesiredVersion } from "#domain/workspaces/observed/observation-store.ts";
import { toldNothing } from "#domain/workspaces/observed/never-set-up.ts";
import { lastOutput } from "../reconcile/last-output.ts";
import { noticeMissingFiles } from "../reconcile/steps/notice-missing-files.ts";
import { done, wait, type Scope, type StepResult } from "../reconcile/step.ts";
import { isChanging, openUpdate, stopForChange } from "./open-update.ts";
import { takeBack, mailAbout } from "./end-update.ts";

/**
 * For a release that cannot be installed, chosen after an earlier one had changed the files: neither it nor the old version may run with
 * them. Null if the files are as the old version left them, have yet to arrive here, or nothing is being changed. Missing files are waited
 * for.
 */
export async function rollBackUninstalled(scope: Scope): Promise<StepResult | null> {
  if (!isChanging(scope)) return null;
  const update = await openUpdate(scope);
  if (!update.snapshotAt) return null;
  // Files that arrive here later belong to the new version, and would replace the snapshot under the old one.
  if (scope.observed.arriving !== null) return null;
  // They may come back, and are newer than the snapshot.
  const missing = await noticeMissingFiles.run(scope);
  if (missing.kind !== "done") return missing;
  const result = await rollBack(scope, update, say("versionNotInstalled", { engine: scope.engine.displayName, version: update.toVersion }));
  return result.kind === "done" ? wait(0) : result;
}

/** The new version does not work here: the previous data is restored, and the old version started. */
export async function rollBack(
  scope: Scope,
  update: UpdateRow,
  reason = say("versionNotStarted", { engine: scope.engine.displayName, version: update.toVersion }),
): Promise<StepResult> {
  const { workspace, backups, engine } = scope;
  // One that waits for a place has no output of its own.
  const detail = scope.seen.waitsFor ?? (await lastOutput(scope));
  await stopForChange(scope, say("goingBack", { engine: engine.displayName, version: update.fromVersion }));
  try {
    if (!update.backupId) throw new BackupFailure("missing", "the backup before the update is gone");
    await backups.restore(workspace, update.backupId);
  } catch (error) {
    const failure = asBackupFailure(error);
    if (hopelessToRestore.has(failure.code)) return stayOnNew(scope, update, failure);
    return {
      kind: "failed",
      event: "roll-back-delayed",
      reason: say("rollBackDelayed", { reason: failure.reason }),
      detail: failure.message,
    };
  }
  await takeBack(scope, update, { state: "rolled-back", reason, event: "update-rolled-back", detail });
  return done;
}

/** Another attempt would not find or repair the backup. */
const hopelessToRestore: ReadonlySet<BackupFailureCode> = new Set(["missing", "damaged", "unsupported"]);

/**
 * A rollback is impossible. The new version may have migrated the data, so the old one must not run on it: the workspace counts as one of
 * the new version, is retried like any other, and can be given another backup or another version.
 */
async function stayOnNew(scope: Scope, update: UpdateRow, failure: BackupFailure): Promise<StepResult> {
  const { engine, clock } = scope;
  const { fromVersion, toVersion } = update;
  const reason = say("rollBackImpossible", { engine: engine.displayName, version: toVersion, before: fromVersion });
  const mail = await mailAbout(scope, update, "stuck", reason);
  await scope.observe({ observedVersion: toVersion, reason: null, reasonCode: null, ...toldNothing }, undefined, async (tx) => {
    // The owner may have chosen the previous one again.
    await revertDesiredVersion(tx, scope.workspace.id, { from: toVersion, to: fromVersion });
    await changeUpdate(tx, update.id, { state: "failed", reason, finishedAt: clock.now() });
    await queueMail(tx, mail, clock.now());
  });
  return {
    kind: "failed",
    event: "roll-back-failed",
    reason: say("staysOnNew", { reason, version: toVersion }),
    detail: failure.message,
  };
}
