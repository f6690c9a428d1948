/**
 * The steps that change a workspace's version safely. While the new release is installed, the old one keeps running; then it is stopped,
 * backed up and started with the new one. If the new version does not start, it is rolled back automatically, together with the data from
 * before.
 */
import { asBackupFailure, BackupFailure, type BackupFailureCode } from "#domain/backups/backup-failure.ts";
import { holdBackup } from "#domain/backups/backup-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { updateMail, type UpdateOutcome } from "#domain/mail/templates/workspaces/update-mail.ts";
import { changeUpdate, findOpenUpdate, insertUpdate, type UpdateRow } from "#domain/updates/update-store.ts";
import { ChangeClosed } from "#domain/workspaces/stories/change-closed.ts";
import { wantVersionAgain } from "#domain/workspaces/observed/observation-store.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { closeAndLetFinish } from "../reconcile/steps/let-finish.ts";
import { done, forBackup, progressMs, wait, type Scope, type Step, type StepResult } from "../reconcile/step.ts";

/** A version that dies twice in a row, or does not answer within the time of a first start, does not work here. */
const mostFailures = 2;
const hopeless: ReadonlySet<string> = new Set(["start-timed-out", "start-failed"]);
/** A brief outage of the storage is no reason to give up. */
const mostTries = 3;

const isChanging = ({ observed, target }: Scope): boolean =>
  observed.observedVersion !== null && target.version !== observed.observedVersion;

/**
 * While the wanted release is being installed, the current one keeps running, and the steps of this pass apply to it. A release that cannot
 * be installed is given up.
 */
export const keepWhileInstalling: Step = {
  name: "keep-while-installing",
  async run(scope) {
    const { observed, installs, engine } = scope;
    const wanted = scope.target.version;
    if (!isChanging(scope)) await closeOverruled(scope);
    if (!isChanging(scope)) return done;
    const install = await installs.request(wanted);
    if (install.state === "installed") return done;
    if (install.state === "failed") {
      const update = await openUpdate(scope);
      // If another new version has already changed the files, the step that owns the snapshot handles it.
      if (update.snapshotAt) return done;
      const reason = `${engine.displayName} ${wanted} could not be installed.`;
      await takeBack(scope, update, { state: "failed", reason, event: "update-failed", detail: install.reason });
      return done;
    }
    const isRunningOld =
      scope.seen.state === "running" && scope.seen.generation === observed.observedGeneration && observed.observedState === "online";
    if (!isRunningOld) return done;
    const percent = Math.floor(install.percent / 2);
    if (observed.progressPercent !== percent || observed.progressStep !== "install-engine") {
      await scope.observe({
        progressStep: "install-engine",
        progressLabel: `Installing ${engine.displayName} ${wanted}; your workspace keeps running`,
        progressPercent: percent,
      });
    }
    scope.target = { version: observed.observedVersion!, generation: observed.observedGeneration };
    return { kind: "done", againMs: progressMs };
  },
};

/** Stops the old version, backs up its data, and for a rollback puts its backup in place. */
export const updateVersion: Step = {
  name: "update-version",
  async run(scope) {
    const { observed } = scope;
    if (!isChanging(scope)) return done;
    const update = await openUpdate(scope);
    if (update.snapshotAt && observed.failures > 0 && (observed.failures >= mostFailures || hopeless.has(observed.reasonCode ?? "")))
      return rollBack(scope, update);
    if (!update.snapshotAt) {
      // Checked before anything is stopped: without room, a rollback would be impossible.
      if (!(await hasRoomForWayBack(scope))) {
        await takeBack(scope, update, {
          state: "failed",
          reason:
            "The update did not start: your workspace's disk has no room for a backup to go back to. Delete old executions and files, then try again.",
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

/**
 * The change under way; one requested only by the settings begins here. If the wish changed meanwhile, the backup for the rollback stays.
 */
async function openUpdate(scope: Scope): Promise<UpdateRow> {
  const { db, workspace, observed, target, clock } = scope;
  const open = await findOpenUpdate(db, workspace.id);
  if (open?.toVersion === target.version) return open;
  const begun = {
    workspaceId: workspace.id,
    fromVersion: observed.observedVersion!,
    toVersion: target.version,
    askedBy: open?.askedBy ?? ("owner" as const),
    backupId: open?.backupId ?? null,
    snapshotAt: open?.snapshotAt ?? null,
  };
  // In one transaction: in between, the snapshot could be removed, and a second one would contain migrated data.
  const row = await db.transaction(async (tx) => {
    if (open) await changeUpdate(tx, open.id, overruled(clock.now()));
    return insertUpdate(tx, begun, clock.now());
  });
  return row ?? (await findOpenUpdate(db, workspace.id))!;
}

const overruled = (now: Date) => ({ state: "failed", reason: "Another version was requested.", finishedAt: now }) as const;

/** The running version is wanted again: nothing else would end the change to another one. */
async function closeOverruled({ db, workspace, observed, target, clock }: Scope): Promise<void> {
  if (observed.observedVersion === null) return;
  const open = await findOpenUpdate(db, workspace.id);
  if (open && open.toVersion !== target.version) await changeUpdate(db, open.id, overruled(clock.now()));
}

const hasRoomForWayBack = async ({ driver, workspace }: Scope): Promise<boolean> =>
  (await driver.hasRoomToReplace?.({ workspaceId: workspace.id, workspaceNumber: workspace.number })) ?? true;

/** Null when the snapshot exists. */
async function takeSnapshot(scope: Scope, update: UpdateRow): Promise<StepResult | null> {
  const { observed, backups, engine } = scope;
  await stop(scope, `${engine.displayName} ${update.fromVersion} is stopped and backed up`);
  try {
    const backup = await backups.make(forBackup(scope), update.restoreBackupId ? "before-restore" : "before-update");
    const line: JournalLine = {
      event: "update-started",
      message: `Its data was backed up. ${engine.displayName} ${update.toVersion} is started.`,
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
        reason: `The update is waiting: a backup could not be made. ${failure.reason}`,
        detail: failure.message,
      };
    await takeBack(scope, update, {
      state: "failed",
      reason: `No backup could be made before the update. ${failure.reason}`,
      event: "update-failed",
      detail: failure.message,
    });
    return null;
  }
}

/** The owner's rollback: the previous version with its data of that time. */
async function putBack(scope: Scope, update: UpdateRow): Promise<StepResult> {
  const { workspace, observed, backups, clock, engine } = scope;
  await stop(scope, `Restoring the data from before ${engine.displayName} ${update.fromVersion}`);
  try {
    await backups.restore(workspace, update.restoreBackupId!);
  } catch (error) {
    const failure = asBackupFailure(error);
    if (observed.failures + 1 < mostTries && failure.code !== "damaged" && failure.code !== "missing") {
      return {
        kind: "failed",
        event: "update-delayed",
        reason: `The backup could not be restored yet. ${failure.reason}`,
        detail: failure.message,
      };
    }
    await takeBack(scope, update, {
      state: "failed",
      reason: `The backup could not be restored, and nothing was changed. ${failure.reason}`,
      event: "update-failed",
      detail: failure.message,
    });
    return done;
  }
  await scope.observe({ profilePassedAt: null, ownerPassed: null, failures: 0 }, undefined, (tx) =>
    changeUpdate(tx, update.id, { restoredAt: clock.now() }),
  );
  return done;
}

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
async function rollBack(
  scope: Scope,
  update: UpdateRow,
  reason = `${scope.engine.displayName} ${update.toVersion} did not start.`,
): Promise<StepResult> {
  const { workspace, backups, engine } = scope;
  const logs = await scope.driver.logs(workspace.id, 4000);
  await stop(scope, `Going back to ${engine.displayName} ${update.fromVersion}`);
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

interface TakenBack {
  state: "failed" | "rolled-back";
  reason: string;
  event: JournalEvent;
  detail: string | undefined;
}

/** The previous version is wanted again; the owner reads why. */
async function takeBack(scope: Scope, update: UpdateRow, { state, reason, event, detail }: TakenBack): Promise<void> {
  const { clock, engine } = scope;
  const message = `${reason} Your workspace stays on ${engine.displayName} ${update.fromVersion}, as it was before.`;
  const line: JournalLine = { event, message, detail };
  const mail = await mailAbout(scope, update, "taken-back", reason);
  await scope.observe({ failures: 0, reason: null, reasonCode: null, profilePassedAt: null, ownerPassed: null }, line, async (tx) => {
    if (!(await wantVersionAgain(tx, scope.workspace.id, { from: update.fromVersion, to: update.toVersion })))
      throw new ChangeClosed(update.id);
    await changeUpdate(tx, update.id, { state, reason, finishedAt: clock.now() });
    await queueMail(tx, mail, clock.now());
  });
  scope.target.version = update.fromVersion;
}

const mailAbout = (
  { workspace, engine, publicUrl }: Scope,
  { fromVersion, toVersion }: UpdateRow,
  outcome: UpdateOutcome,
  reason: string | null,
) =>
  updateMail(outcome, {
    to: workspace.ownerEmail,
    fullName: workspace.ownerFullName,
    accountName: workspace.accountName,
    engineName: engine.displayName,
    fromVersion,
    toVersion,
    reason,
    link: `${publicUrl}/manage`,
  });

/** When this resolves, its process has ended, and its absence is no death. */
async function stop(scope: Scope, label: string): Promise<void> {
  const { workspace, driver } = scope;
  await closeAndLetFinish(scope, () =>
    scope.observe({
      observedState: "starting",
      gatewayOpen: false,
      address: null,
      startedAt: null,
      unhealthySince: null,
      reason: null,
      progressStep: "prepare",
      progressLabel: label,
      progressPercent: 50,
    }),
  );
  if ((await driver.observe(workspace.id)).state === "running") await driver.ensure(scope.spec(false));
  scope.seen = await driver.observe(workspace.id);
}

/** The workspace is online: the change of version is over. */
export const finishUpdate: Step = {
  name: "finish-update",
  async run(scope) {
    const { db, workspace, observed, target, clock, engine } = scope;
    const update = observed.observedVersion === target.version ? await findOpenUpdate(db, workspace.id) : null;
    if (update?.toVersion !== target.version) return done;
    const isWayBack = update.restoreBackupId !== null;
    const message = isWayBack
      ? `Your workspace is back on ${engine.displayName} ${update.toVersion}, as it was before the update.`
      : `Your workspace now runs ${engine.displayName} ${update.toVersion}. You can go back to ${update.fromVersion} from the workspace settings.`;
    const mail = await mailAbout(scope, update, isWayBack ? "back" : "updated", null);
    const line: JournalLine = isWayBack ? { event: "rolled-back", message } : { event: "updated", message };
    await scope.observe({ reason: null }, line, async (tx) => {
      await changeUpdate(tx, update.id, { state: "successful", finishedAt: clock.now() });
      await queueMail(tx, mail, clock.now());
    });
    return done;
  },
};
