/** Back to the previous version, together with its data from before. */
import { asBackupFailure, BackupFailure, type BackupFailureCode } from "#domain/backups/backup-failure.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { changeUpdate, type UpdateRow } from "#domain/updates/update-store.ts";
import { done, wait, type Scope, type StepResult } from "../reconcile/step.ts";
import { isChanging, openUpdate, stopForChange } from "./open-update.ts";
import { takeBack, mailAbout } from "./end-update.ts";

/**
 * For a release that cannot be installed, chosen after an earlier one had changed the files: neither it nor the old version may run with
 * them. Null if the files are as the old version left them, or nothing is being changed.
 */
export async function rollBackUninstalled(scope: Scope): Promise<StepResult | null> {
  if (!isChanging(scope)) return null;
  const update = await openUpdate(scope);
  if (!update.snapshotAt) return null;
  const result = await rollBack(scope, update, `${scope.engine.displayName} ${update.toVersion} could not be installed.`);
  return result.kind === "done" ? wait(0) : result;
}

/** The new version does not work here: the previous data is restored, and the old version started. */
export async function rollBack(
  scope: Scope,
  update: UpdateRow,
  reason = `${scope.engine.displayName} ${update.toVersion} did not start.`,
): Promise<StepResult> {
  const { workspace, backups, engine } = scope;
  const logs = await scope.driver.logs(workspace.id, 4000);
  await stopForChange(scope, `Going back to ${engine.displayName} ${update.fromVersion}`);
  try {
    if (!update.backupId) throw new BackupFailure("missing", "the backup before the update is gone");
    await backups.restore(workspace, update.backupId);
  } catch (error) {
    const failure = asBackupFailure(error);
    if (hopelessToRestore.has(failure.code)) return stayOnNew(scope, update, failure);
    return {
      kind: "failed",
      event: "roll-back-delayed",
      reason: `The previous version could not be restored yet. We'll try again automatically. ${failure.reason}`,
      detail: failure.message,
    };
  }
  await takeBack(scope, update, { state: "rolled-back", reason, event: "update-rolled-back", detail: logs });
  return done;
}

/** Another try would not find or repair the backup. */
const hopelessToRestore: ReadonlySet<BackupFailureCode> = new Set(["missing", "damaged", "unsupported"]);

/**
 * A rollback is impossible. The new version may have migrated the data, so the old one must not run on it: the workspace counts as one of
 * the new version, is retried like any other, and can be given another backup or another version.
 */
async function stayOnNew(scope: Scope, update: UpdateRow, failure: BackupFailure): Promise<StepResult> {
  const { engine, clock } = scope;
  const { fromVersion, toVersion } = update;
  const reason = `${engine.displayName} ${toVersion} did not start, and the backup of ${fromVersion} made before the update cannot be restored.`;
  const mail = await mailAbout(scope, update, "stuck", reason);
  await scope.observe(
    { observedVersion: toVersion, reason: null, reasonCode: null, profilePassedAt: null, ownerPassed: null },
    undefined,
    async (tx) => {
      await changeUpdate(tx, update.id, { state: "failed", reason, finishedAt: clock.now() });
      await queueMail(tx, mail, clock.now());
    },
  );
  return {
    kind: "failed",
    event: "roll-back-failed",
    reason: `${reason} Your workspace stays on ${toVersion} with its data as it is now. Restore another backup, choose another version, or contact support.`,
    detail: failure.message,
  };
}
