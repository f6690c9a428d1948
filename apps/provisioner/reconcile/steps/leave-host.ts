/**
 * The step with which a workspace leaves a host that is being drained: it is stopped and backed up, and in one write its row records that
 * no host has it and which backup it arrives with. Until that write it belongs to this host, and after it to the next one
 * (steps/arrive.ts).
 */
import { say } from "#contract/sentences/say.ts";
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { holdBackup } from "#domain/backups/expired-backup-store.ts";
import { findOpenRestore } from "#domain/backups/restores/restore-store.ts";
import { findOpenUpdate } from "#domain/updates/update-store.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import { nothingArrives, nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
import { leaveToOthers } from "#domain/workspaces/hosts/host-store.ts";
import { Stopping } from "../boots.ts";
import { begins, done, forBackup, LeaseLost, type Scope, type Step, type StepResult } from "../step.ts";
import { closeAndLetFinish } from "./let-finish.ts";
import { filesMissing } from "./notice-missing-files.ts";
import { awake } from "./sleep/rest.ts";

export const leaveHost: Step = {
  name: "leave-host",
  async run(scope) {
    const { workspace, observed } = scope;
    if (!scope.leaving?.has(workspace.id)) return done;
    // Its files never got here, or were never used.
    if (observed.ownerSetUpAt === null) return leave(scope, observed.arriving ?? nothingArrives);
    const { arriving } = observed;
    if (arriving !== null && arriving !== nothingArrives && arriving !== nothingLeft) return leave(scope, arriving);
    // A change in progress ends first; one of a stopped workspace moves with it.
    if (workspace.desiredState === "running" && (await isChanging(scope))) return done;
    if (arriving === nothingLeft)
      return stay(scope, new BackupFailure("missing", "its files are missing: what this host has of it may be left over from a restore"));
    await stop(scope);
    let backupId: string;
    try {
      backupId = (await scope.backups.make(forBackup(scope), "before-move")).id;
    } catch (error) {
      if (error instanceof ChangeClosed || error instanceof LeaseLost || error instanceof Stopping) throw error;
      return stay(scope, asBackupFailure(error));
    }
    return leave(scope, backupId);
  },
};

/** It stays if the backup is gone by the time the row would name it. */
async function leave(scope: Scope, arriving: string): Promise<StepResult> {
  try {
    return await leaveWith(scope, arriving);
  } catch (error) {
    if (error instanceof BackupFailure) return stay(scope, error);
    throw error;
  }
}

async function isChanging({ db, workspace }: Scope): Promise<boolean> {
  return (await findOpenUpdate(db, workspace.id)) !== null || (await findOpenRestore(db, workspace.id)) !== null;
}

async function stop(scope: Scope): Promise<void> {
  const { workspace, driver } = scope;
  const shouldRun = workspace.desiredState === "running";
  const progress = {
    observedState: "starting",
    progressStep: "prepare",
    progressLabel: say("moving"),
    progressPercent: begins.prepare,
  } as const;
  const seen = {
    ...awake,
    coldSince: null,
    address: null,
    startedAt: null,
    gatewayOpen: false,
    reason: null,
    reasonCode: null,
    ...(shouldRun && progress),
  };
  const line = { event: "move-started", message: say("moveStarted") } as const;
  await closeAndLetFinish(scope, () => scope.observe(seen, shouldRun ? line : undefined));
  if (scope.seen.state === "running") await driver.ensure(scope.spec(false));
  scope.seen = await driver.observe(workspace.id);
}

/** It keeps running here, and is moved later. */
async function stay(scope: Scope, failure: BackupFailure): Promise<StepResult> {
  const { workspace, observed } = scope;
  scope.leaving?.putOff(workspace.id);
  // If it should not run, no later step records this, and the operator would wait for it without knowing why.
  const hasNoFiles = scope.seen.state === "absent" || observed.arriving === nothingLeft;
  const reasonCode = hasNoFiles && workspace.desiredState === "stopped" ? { reasonCode: filesMissing.event } : {};
  await scope.observe({ reason: null, ...reasonCode }, { event: "move-delayed", message: say("moveDelayed"), detail: failure.message });
  return done;
}

async function leaveWith(scope: Scope, arriving: string): Promise<never> {
  const { workspace, observed, driver, clock, log } = scope;
  const shouldRun = workspace.desiredState === "running";
  await scope.observe(
    {
      ...awake,
      coldSince: null,
      host: null,
      arriving,
      blank: null,
      address: null,
      startedAt: null,
      gatewayOpen: false,
      runningMemoryMb: null,
      unhealthySince: null,
      failures: 0,
      ...(observed.ownerSetUpAt === null && { observedVersion: null }),
      ...(shouldRun && { observedState: "starting" }),
    },
    undefined,
    async (tx) => {
      if (arriving !== nothingArrives && !(await holdBackup(tx, arriving)))
        throw new BackupFailure("again", "the backup was removed as soon as it was made");
      await leaveToOthers(tx, workspace.id, clock.now());
    },
  );
  // If this fails, its leftovers are removed when it arrives here again.
  await driver
    .remove(workspace.id)
    .catch((err: unknown) => log.warn({ err, workspaceId: workspace.id }, "a workspace that left this host left files behind"));
  log.info({ workspaceId: workspace.id, backup: arriving }, "a workspace left this host");
  throw new LeaseLost(workspace.id);
}
