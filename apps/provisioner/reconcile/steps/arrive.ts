/**
 * The step that puts the files of a workspace in place on its new host: those of the backup with which it left the previous one. Until then
 * it is never started, so that no workspace starts empty in place of its data.
 */
import { say } from "#contract/sentences/say.ts";
import { asBackupFailure } from "#domain/backups/backup-failure.ts";
import { findOpenRestore } from "#domain/backups/restores/restore-store.ts";
import { nothingArrives, nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
import { toldNothing } from "#domain/workspaces/observed/never-set-up.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import { LeaseLost, begins, done, type Scope, type Step, type StepResult } from "../step.ts";
import { Stopping } from "../boots.ts";
import { filesMissing } from "./notice-missing-files.ts";

export const arrive: Step = {
  name: "arrive",
  async run(scope) {
    const { arriving } = scope.observed;
    if (arriving === null) return done;
    if (arriving === nothingArrives) return beginEmpty(scope);
    const restore = await findOpenRestore(scope.db, scope.workspace.id);
    const isReplaced = restore !== null && restore.placedAt === null;
    if (arriving === nothingLeft) return isReplaced ? done : waitForFiles(scope);
    // The owner chose another backup, which the next step puts in place: an alternative if this one can't be opened.
    if (isReplaced) return clearPlace(scope);
    return placeFiles(scope, arriving);
  },
};

/** Anything here belongs to an earlier stay, unless it was started by a worker of a release that does not know hosts. */
async function beginEmpty(scope: Scope): Promise<StepResult> {
  const { observed, observe } = scope;
  if (observed.observedVersion === null && observed.ownerSetUpAt === null) await clearPlace(scope);
  await observe({ arriving: null });
  return done;
}

/** Its files were missing, and the restore has ended without success: what is here may be left over from it, or the files may be back. */
async function waitForFiles(scope: Scope): Promise<StepResult> {
  if (scope.seen.state !== "absent") return filesMissing;
  await scope.observe({ arriving: null });
  return done;
}

/** Removes what is left from an earlier stay on this host. */
async function clearPlace(scope: Scope): Promise<StepResult> {
  const { workspace, driver, observe } = scope;
  if (scope.seen.state === "absent") return done;
  // Without an address, ending it here does not count as a crash.
  await observe({ address: null, startedAt: null, gatewayOpen: false });
  await driver.remove(workspace.id);
  scope.seen = await driver.observe(workspace.id);
  return done;
}

async function placeFiles(scope: Scope, backupId: string): Promise<StepResult> {
  const { workspace, driver, backups } = scope;
  await scope.showProgress("prepare", say("bringingData"), begins.prepare);
  try {
    await clearPlace(scope);
    await driver.ensure(scope.spec(false));
    await backups.restore(workspace, backupId);
  } catch (error) {
    if (error instanceof ChangeClosed || error instanceof LeaseLost || error instanceof Stopping) throw error;
    const failure = asBackupFailure(error);
    return {
      kind: "failed",
      event: "arrival-delayed",
      reason: say("arrivalDelayed", { reason: failure.reason }),
      detail: failure.message,
    };
  }
  scope.seen = await driver.observe(workspace.id);
  // The tool is told everything again, because an older backup may not know it.
  await scope.observe(
    { arriving: null, ...toldNothing, failures: 0, reason: null, reasonCode: null },
    { event: "arrived", message: say("arrived") },
  );
  return done;
}
