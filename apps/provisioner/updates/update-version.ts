/**
 * The step that changes a workspace's version safely. While the new release is installed, the old one keeps running
 * (keep-while-installing.ts); then it is stopped, backed up and started with the new one. If the new version does not start, it is rolled
 * back automatically (roll-back.ts).
 */
import { say } from "#contract/sentences/say.ts";
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { holdBackup } from "#domain/backups/expired-backup-store.ts";
import { changeUpdate, type UpdateRow } from "#domain/updates/update-store.ts";
import { toldNothing } from "#domain/workspaces/observed/never-set-up.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { filesMissing } from "../reconcile/steps/notice-missing-files.ts";
import { done, forBackup, type Scope, type Step, type StepResult } from "../reconcile/step.ts";
import { endReasons, unplacedReason } from "#domain/workspaces/stories/stories.ts";
import { closeOverruled, isChanging, openUpdate, stopForChange } from "./open-update.ts";
import { rollBack } from "./roll-back.ts";
import { takeBack } from "./end-update.ts";

/** A version that crashes twice in a row, or does not answer within the time of a first start, does not work here. */
const mostFailures = 2;

const hopeless: ReadonlySet<string> = new Set(["start-timed-out", "start-failed", "no-room", "no-image", "no-place"]);

/** A brief outage of the storage is no reason to give up. */
const mostTries = 3;

/** Stops the old version, backs up its data, and for a rollback puts its backup in place. */
export const updateVersion: Step = {
  name: "update-version",
  async run(scope) {
    const { observed, seen } = scope;
    if (!isChanging(scope)) {
      // While another release is being installed, this pass works towards the running one: nothing was overruled.
      if (scope.workspace.desiredVersion !== observed.observedVersion) return done;
      const touched = await closeOverruled(scope);
      // Missing files may come back, and are newer than the snapshot.
      return touched && seen.state !== "absent" ? rollBack(scope, touched, endReasons.overruled) : done;
    }
    const update = await openUpdate(scope);
    // Missing files are not the new version's fault, and nothing is put in their place: they may come back.
    if (update.snapshotAt && observed.ownerSetUpAt !== null && seen.state === "absent") return done;
    const hasFailed = observed.failures > 0 && observed.reasonCode !== filesMissing.event;
    if (update.snapshotAt && hasFailed && (observed.failures >= mostFailures || hopeless.has(observed.reasonCode ?? "")))
      return rollBack(scope, update, unplacedReason(observed.reasonCode));
    if (!update.snapshotAt) {
      // Checked before anything is stopped: without room, a rollback would be impossible.
      if (!(await hasRoomForWayBack(scope))) {
        await takeBack(scope, update, {
          state: "failed",
          reason: say("updateNoRoom"),
          event: "update-failed",
          detail: undefined,
        });
        return done;
      }
      const result = await takeSnapshot(scope, update);
      if (result) return result;
    }
    if (update.restoreBackupId && !update.restoredAt && update.snapshotAt) return putBack(scope, update);
    return done;
  },
};

const hasRoomForWayBack = async ({ driver, workspace }: Scope): Promise<boolean> =>
  (await driver.hasRoomToReplace?.({ workspaceId: workspace.id, workspaceNumber: workspace.number })) ?? true;

/** Null when the snapshot exists. */
async function takeSnapshot(scope: Scope, update: UpdateRow): Promise<StepResult | null> {
  const { observed, backups, engine } = scope;
  await stopForChange(scope, say("stoppingForBackup", { engine: engine.displayName, version: update.fromVersion }));
  try {
    const backup = await backups.make(forBackup(scope), update.restoreBackupId ? "before-restore" : "before-update");
    const line: JournalLine = {
      event: "update-started",
      message: say("updateStarted", { engine: engine.displayName, version: update.toVersion }),
    };
    const snapshotAt = scope.clock.now();
    await scope.observe({ failures: 0 }, line, async (tx) => {
      if (!(await holdBackup(tx, backup.id))) throw new BackupFailure("again", "the backup was removed as soon as it was made");
      await changeUpdate(tx, update.id, { backupId: backup.id, snapshotAt });
    });
    Object.assign(update, { backupId: backup.id, snapshotAt });
    return null;
  } catch (error) {
    if (error instanceof ChangeClosed) throw error;
    const failure = asBackupFailure(error);
    const passes = failure.code !== "unsupported" && failure.code !== "damaged" && observed.failures + 1 < mostTries;
    if (passes)
      return {
        kind: "failed",
        event: "update-delayed",
        reason: say("updateWaits", { reason: failure.reason }),
        detail: failure.message,
      };
    await takeBack(scope, update, {
      state: "failed",
      reason: say("updateNoBackup", { reason: failure.reason }),
      event: "update-failed",
      detail: failure.message,
    });
    return null;
  }
}

/** The owner's rollback: the previous version with its data from that time. */
async function putBack(scope: Scope, update: UpdateRow): Promise<StepResult> {
  const { workspace, observed, backups, clock, engine } = scope;
  await stopForChange(scope, say("restoringFromBefore", { engine: engine.displayName, version: update.fromVersion }));
  try {
    await backups.restore(workspace, update.restoreBackupId!);
  } catch (error) {
    const failure = asBackupFailure(error);
    if (observed.failures + 1 < mostTries && failure.code !== "damaged" && failure.code !== "missing") {
      return {
        kind: "failed",
        event: "update-delayed",
        reason: say("restoreDelayed", { reason: failure.reason }),
        detail: failure.message,
      };
    }
    await takeBack(scope, update, {
      state: "failed",
      reason: say("updateNotRestored", { reason: failure.reason }),
      event: "update-failed",
      detail: failure.message,
    });
    return done;
  }
  await scope.observe({ ...toldNothing, failures: 0 }, undefined, (tx) => changeUpdate(tx, update.id, { restoredAt: clock.now() }));
  return done;
}
