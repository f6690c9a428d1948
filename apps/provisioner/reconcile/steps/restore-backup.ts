/** The steps that restore a backup (requested by domain/journeys/backups/restore-workspace.ts). */
import { say } from "#contract/sentences/say.ts";
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { holdBackup } from "#domain/backups/expired-backup-store.ts";
import { readBackup } from "#domain/backups/backup-store.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { changeRestore, findOpenRestore, type RestoreRow } from "#domain/backups/restores/restore-store.ts";
import { nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
import { toldNothing } from "#domain/workspaces/observed/never-set-up.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import { unplacedReason } from "#domain/workspaces/stories/stories.ts";
import { readJournal, type JournalLine } from "#domain/workspaces/workspace-store.ts";
import { after, hourMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { closeAndLetFinish } from "./let-finish.ts";
import { filesMissing } from "./notice-missing-files.ts";
import { done, forBackup, type Scope, type Step, type StepResult } from "../step.ts";

/** A brief outage of the storage is no reason to give up; a long one must not keep a workspace offline. */
const mostTries = 3;
/** After this many failures, or one of this kind, the restored files do not work: it must be possible to choose another backup. */
const mostFailures = 2;
const hopelessStarts: ReadonlySet<string> = new Set(["start-timed-out", "start-failed"]);
/** A full disk says nothing about the files. About eight minutes, in which an operator makes room; the workspace's own disk stays full. */
const mostWithoutRoom = 8;
/** Without the safety backup, the owner could not undo a restore. A damaged workspace cannot be copied, and is restored anyway. */
const worthGoingOn = new Set<BackupFailure["code"]>(["damaged", "missing"]);
const hopeless = new Set<BackupFailure["code"]>(["damaged", "missing", "newer", "unsupported"]);
/** About an hour. A first restore is then tried rarely, and one that needs a person immediately is. */
const seldomAfter = 20;
const seldomMs = hourMs;
/** The percentage of the whole at which each part begins; the start takes the rest. */
const begins = { stop: 5, keep: 15, place: 40 } as const;

/**
 * Stops the workspace, backs up its current files, and puts the chosen backup in place; the later steps start it. The tool is told
 * everything again, because the old database may not know it.
 */
export const restoreBackup: Step = {
  name: "restore-backup",
  async run(scope) {
    const restore = await findOpenRestore(scope.db, scope.workspace.id);
    if (!restore) return done;
    if (!restore.placedAt || areLost(scope)) return carryOut(scope, restore);
    // The only data that a never used workspace has: it stays open, so that the files are put in place again wherever it starts.
    if (scope.observed.ownerSetUpAt === null || !(await isHopeless(scope))) return done;
    const reason = say("restoredNotStarting");
    await scope.observe({ reason: null }, { event: "restore-failed", message: reason }, (tx) =>
      changeRestore(tx, restore.id, { state: "failed", reason, finishedAt: scope.clock.now() }),
    );
    return done;
  },
};

/** The files were in place and are gone, with their disk or on the way to another host. A workspace that was never used has no others. */
const areLost = ({ observed, seen }: Scope): boolean => observed.ownerSetUpAt === null && seen.state === "absent";

/** Whether the files that were put in place do not work. Failures with other causes do not count against them. */
async function isHopeless({ db, workspace, observed }: Scope): Promise<boolean> {
  const { failures, reasonCode } = observed;
  if (failures === 0 || reasonCode === filesMissing.event || unplacedReason(reasonCode)) return false;
  if (hopelessStarts.has(reasonCode ?? "")) return true;
  // Each has a line, because its detail is always different. Missing files that came back have restarted the count.
  const events = ["no-room", "restore-placed", filesMissing.event];
  const lines = await readJournal(db, workspace.id, { most: mostWithoutRoom, events });
  const others = lines.findIndex(({ event }) => event !== "no-room");
  const withoutRoom = others === -1 ? lines.length : others;
  return withoutRoom >= mostWithoutRoom || failures - withoutRoom >= mostFailures;
}

/** The workspace is online with the restored files: the restore is over. */
export const finishRestore: Step = {
  name: "finish-restore",
  async run(scope) {
    const restore = await findOpenRestore(scope.db, scope.workspace.id);
    if (!restore?.placedAt) return done;
    const line: JournalLine = {
      event: "restored",
      message: say(restore.safetyBackupId ? "restoredAndKept" : "restored"),
    };
    await scope.observe({ reason: null }, line, (tx) =>
      changeRestore(tx, restore.id, { state: "successful", reason: null, finishedAt: scope.clock.now() }),
    );
    return done;
  },
};

async function carryOut(scope: Scope, restore: RestoreRow): Promise<StepResult> {
  const { workspace, driver, backups } = scope;
  await beginRestore(scope, restore);
  if (scope.seen.state === "running") await driver.ensure(scope.spec(false));
  scope.seen = await driver.observe(workspace.id);
  // Written before anything is put there: if this is killed or fails, the workspace must not start with what is left of it.
  const areMissing = scope.seen.state === "absent" && scope.observed.arriving === null && scope.observed.ownerSetUpAt !== null;
  // Without an address, the missing process does not count as a crash.
  await scope.observe({ address: null, startedAt: null, ...(areMissing && { arriving: nothingLeft }) });
  try {
    await refuseNewer(scope, restore);
    // Anything here of a workspace that has not arrived belongs to an earlier stay, and is older than the backup with which it comes. One
    // that was never used has nothing to keep: a copy of it would later pass for its last backup.
    const { arriving, ownerSetUpAt } = scope.observed;
    const mayBeItsData = ownerSetUpAt !== null && (arriving === null || (arriving === nothingLeft && scope.seen.state !== "absent"));
    if (!restore.safetyBackupId && mayBeItsData) await keepWhatIsThere(scope, restore);
    await scope.showProgress("prepare", say("placingBackup"), begins.place);
    // A cluster puts files only into an existing claim, and only a spec says what the claim is like.
    if (scope.seen.state === "absent") await driver.ensure(scope.spec(false));
    await backups.restore(workspace, restore.backupId);
  } catch (error) {
    if (error instanceof ChangeClosed) throw error;
    return conclude(scope, restore, asBackupFailure(error));
  }
  const line: JournalLine = { event: "restore-placed", message: say("restorePlaced") };
  await scope.observe({ ...toldNothing, failures: 0, arriving: null }, line, (tx) =>
    changeRestore(tx, restore.id, { placedAt: scope.clock.now() }),
  );
  scope.seen = await driver.observe(workspace.id);
  return done;
}

async function beginRestore(scope: Scope, restore: RestoreRow): Promise<void> {
  const line: JournalLine = {
    event: "restore-started",
    message: say("restoreStarted"),
    actor: restore.actor,
  };
  const begin = (tx: Connection): Promise<void> =>
    changeRestore(tx, restore.id, { state: "running", attempts: restore.attempts + 1, placedAt: null, reason: null });
  const seen = {
    observedState: "starting",
    gatewayOpen: false,
    reason: null,
    reasonCode: null,
    progressStep: "prepare",
    progressLabel: say("stopping"),
    progressPercent: begins.stop,
  } as const;
  await closeAndLetFinish(scope, () => scope.observe(seen, restore.state === "waiting" ? line : undefined, begin));
}

/** The version may have changed since the request. */
async function refuseNewer({ db, target }: Scope, restore: RestoreRow): Promise<void> {
  const backup = await readBackup(db, restore.backupId);
  if (backup && isNewer(backup.engineVersion, target.version))
    throw new BackupFailure("newer", `the backup is of ${backup.engineVersion}, the workspace runs ${target.version}`);
}

async function keepWhatIsThere(scope: Scope, restore: RestoreRow): Promise<void> {
  const { db, backups, workspace, log } = scope;
  await scope.showProgress("prepare", say("backingUpCurrent"), begins.keep);
  const kept = await backups.make(forBackup(scope), "before-restore").catch((error: unknown) => {
    const failure = asBackupFailure(error);
    // Where the look at the copy keeps failing, the copy itself is kept for operators.
    const isLastTry = restore.attempts + 1 >= mostTries;
    if (!worthGoingOn.has(failure.code) && !(failure.code === "uninspected" && isLastTry)) throw failure;
    log.warn({ err: failure, workspaceId: workspace.id }, "what a restore replaces could not be kept as a backup");
    return null;
  });
  if (!kept) return;
  await db.transaction(async (tx) => {
    if (!(await holdBackup(tx, kept.id))) throw new BackupFailure("again", "the backup was removed as soon as it was made");
    await changeRestore(tx, restore.id, { safetyBackupId: kept.id });
  });
  restore.safetyBackupId = kept.id;
}

async function conclude(scope: Scope, restore: RestoreRow, failure: BackupFailure): Promise<StepResult> {
  // Nothing else is there: without the backup, it would start empty.
  if (scope.observed.ownerSetUpAt === null) return waitForFirst(scope, restore, failure);
  const isOver = restore.attempts + 1 >= mostTries || hopeless.has(failure.code);
  if (!isOver)
    return {
      kind: "failed",
      event: "restore-delayed",
      reason: say("restoreDelayed", { reason: failure.reason }),
      detail: failure.message,
    };
  // The previous files are still there: it starts again.
  const line: JournalLine = {
    event: "restore-failed",
    message: say("restoreFailed", { reason: failure.reason }),
    detail: failure.message,
  };
  await scope.observe({ reason: null }, line, (tx) =>
    changeRestore(tx, restore.id, { state: "failed", reason: failure.reason, finishedAt: scope.clock.now() }),
  );
  return done;
}

/**
 * The workspace has no data but what this restore brings. It never ends without success: metric and alert name it, and its owner can choose
 * another backup. Only an operator gives it up (`npm run ops -- first-restore`).
 */
async function waitForFirst(
  { db, clock, observed, workspace, log }: Scope,
  { id }: RestoreRow,
  failure: BackupFailure,
): Promise<StepResult> {
  await changeRestore(db, id, { reason: say("restoreDelayed", { reason: failure.reason }) });
  log.error({ err: failure, workspaceId: workspace.id }, "a workspace does not start, because its last backup could not be restored");
  const isSeldom = hopeless.has(failure.code) || observed.failures >= seldomAfter;
  return {
    kind: "failed",
    event: "first-restore-failed",
    reason: say("firstRestoreFailed", { reason: failure.reason }),
    detail: failure.message,
    ...(isSeldom && { retryAt: after(clock.now(), seldomMs) }),
  };
}
