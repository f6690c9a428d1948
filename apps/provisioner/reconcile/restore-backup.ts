/** The step that puts a backup in place of what a workspace holds (asked for by domain/journeys/backups/restore-workspace.ts). */
import { asBackupFailure, type BackupFailure } from "#domain/backups/backup-failure.ts";
import { changeRestore, findOpenRestore, type RestoreRow } from "#domain/backups/restore-store.ts";
import type { Connection } from "#platform/database.ts";
import { closeAndLetFinish } from "./let-finish.ts";
import { done, type Scope, type Step, type StepResult } from "./step.ts";

/** A storage that is away for a moment is no reason to give up; one that stays away must not keep a workspace down. */
const mostTries = 3;
/** The owner may undo a restore; without this, nobody can. A damaged workspace cannot be copied, and is restored all the same. */
const worthGoingOn = new Set<BackupFailure["code"]>(["damaged", "missing"]);

/**
 * Stops the workspace, keeps what is there as a backup, and puts the chosen one in its place; the steps after this one start it. The tool
 * is told anew what it had been told: the old database may not know.
 */
export const restoreBackup: Step = {
  name: "restore-backup",
  async run(scope) {
    const restore = await findOpenRestore(scope.db, scope.workspace.id);
    return restore ? carryOut(scope, restore) : done;
  },
};

async function carryOut(scope: Scope, restore: RestoreRow): Promise<StepResult> {
  const { workspace, driver, backups } = scope;
  await beginRestore(scope, restore);
  if (scope.seen.state === "running") await driver.ensure(scope.spec(false));
  scope.seen = await driver.observe(workspace.id);
  // Without an address its absence is no death.
  await scope.observe({ address: null, startedAt: null });
  try {
    if (!restore.safetyBackupId) await keepWhatIsThere(scope, restore);
    await backups.restore(workspace, restore.backupId);
  } catch (error) {
    return conclude(scope, restore, asBackupFailure(error));
  }
  const forgotten = { profilePassedAt: null, ownerPassed: null };
  const line = { event: "restored", message: "A backup was restored. What was there before was kept as a backup." };
  await scope.observe(forgotten, line, (tx) => changeRestore(tx, restore.id, { state: "successful", reason: null, finishedAt: scope.clock.now() }));
  return done;
}

async function beginRestore(scope: Scope, restore: RestoreRow): Promise<void> {
  const line = { event: "restore-started", message: `${restore.actor} restores a backup. The workspace is stopped meanwhile.` };
  const begin = (tx: Connection): Promise<void> => changeRestore(tx, restore.id, { state: "running", attempts: restore.attempts + 1 });
  await closeAndLetFinish(scope, () => scope.observe({ observedState: "starting", gatewayOpen: false, reason: null, reasonCode: null }, restore.state === "waiting" ? line : undefined, begin));
}

async function keepWhatIsThere({ db, backups, workspace, log }: Scope, restore: RestoreRow): Promise<void> {
  try {
    const kept = await backups.make(workspace, "before-restore");
    await changeRestore(db, restore.id, { safetyBackupId: kept.id });
  } catch (error) {
    const failure = asBackupFailure(error);
    if (!worthGoingOn.has(failure.code)) throw failure;
    log.warn({ err: failure, workspace: workspace.id }, "what a restore replaces could not be kept as a backup");
  }
}

async function conclude(scope: Scope, restore: RestoreRow, failure: BackupFailure): Promise<StepResult> {
  const isOver = restore.attempts + 1 >= mostTries || failure.code === "damaged" || failure.code === "missing" || failure.code === "unsupported";
  if (!isOver) return { kind: "failed", event: "restore-delayed", reason: `The backup could not be restored yet. ${failure.reason}`, detail: failure.message };
  // What was there before still is: it starts again.
  const line = { event: "restore-failed", message: `The backup was not restored, and nothing was changed. ${failure.reason}`, detail: failure.message };
  await scope.observe({ reason: null }, line, (tx) => changeRestore(tx, restore.id, { state: "failed", reason: failure.reason, finishedAt: scope.clock.now() }));
  return done;
}
