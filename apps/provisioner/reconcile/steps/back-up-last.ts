/** The step before a workspace is removed: what it holds is kept for another 30 days, for its owner to take away. */
import { asBackupFailure, type BackupFailureCode } from "#domain/backups/backup-failure.ts";
import { hasBackupOf } from "#domain/backups/backup-store.ts";
import { done, type Step } from "../step.ts";

/** Trying again would not help: there is nothing to keep, or nobody can copy it. */
const pointless: ReadonlySet<BackupFailureCode> = new Set(["missing", "unsupported"]);
/** What stays damaged or too large over so many tries, some two minutes, is not going to be copied. */
const triesOfWhatStays = 6;
const stays: ReadonlySet<BackupFailureCode> = new Set(["damaged", "too_large"]);

/** Nothing is removed while a storage is away or full: that is waited for. */
export const backUpLast: Step = {
  name: "back-up-last",
  async run({ db, workspace, engine, backups, log }) {
    // Without an owner nobody ever was in it.
    if (workspace.observedState === "deleted" || !engine.backups || !workspace.ownerSetUpAt) return done;
    // Each deletion has a generation of its own, and one copy: nothing runs after it that could change the files.
    if (await hasBackupOf(db, workspace.id, "before-deletion", workspace.generation)) return done;
    try {
      await backups.make(workspace, "before-deletion");
      return done;
    } catch (error) {
      const { code, message } = asBackupFailure(error);
      log.warn({ err: error, workspace: workspace.id }, "the last backup of a workspace did not succeed");
      if (pointless.has(code) || (stays.has(code) && workspace.failures >= triesOfWhatStays)) return done;
      return {
        kind: "failed",
        event: "last-backup-failed",
        reason: "The last backup could not be made yet, so nothing was deleted. We try again by ourselves.",
        detail: message,
      };
    }
  },
};
