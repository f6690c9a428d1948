/** The steps that stop a workspace, and those that remove it. Parts that are already gone are fine. */
import { say } from "#contract/sentences/say.ts";
import { readJournal, type JournalLine } from "#domain/workspaces/workspace-store.ts";
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { hasBackupOf, isGivenUp } from "#domain/backups/backup-store.ts";
import { keepWhatItBeganWith } from "#domain/backups/last-backup.ts";
import { keepAtLeast } from "#domain/backups/expired-backup-store.ts";
import { revokeAll } from "#domain/invitations/invitation-store.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { beginStory } from "#domain/workspaces/stories/begin-story.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import { nothingArrives, nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
import { neverSetUp } from "#domain/workspaces/observed/never-set-up.ts";
import { forgetLooks } from "#domain/workspaces/observed/look-store.ts";
import { isStillDesired } from "#domain/workspaces/observed/observation-store.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import type { Connection } from "#platform/database.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { done, forBackup, type Step } from "./step.ts";
import { giveBlankUp } from "./steps/claim-blank.ts";
import { closeAndLetFinish } from "./steps/let-finish.ts";
import { leaveHost } from "./steps/leave-host.ts";
import { wakeUp } from "./steps/sleep/wake-up.ts";

/** The row of a restored database may ask for a deletion that was taken back since, such as by a payment. */
const rememberFirst: Step = {
  name: "remember-first",
  run: async ({ db, observed }) =>
    observed.observedState !== "deleted" && (await isGapOpen(db)) ? { kind: "wait", afterMs: minuteMs } : done,
};

const closeGateway: Step = {
  name: "close-gateway",
  async run(scope) {
    if (scope.observed.gatewayOpen) await closeAndLetFinish(scope, () => scope.observe({ gatewayOpen: false }));
    return done;
  },
};

const stop: Step = {
  name: "stop",
  async run(scope) {
    const { seen, observed, target } = scope;
    const isStopped = observed.observedState === "stopped" && observed.observedGeneration === target.generation;
    // One that does not run may still be starting, since an earlier pass stopped waiting for the driver. The stop takes its turn after it.
    if (seen.state === "absent" || (seen.state === "stopped" && isStopped)) return done;
    // The address is cleared first: if the workspace should run again before that, its absence does not count as a crash.
    if (seen.state === "running") await scope.observe({ address: null, startedAt: null });
    await scope.driver.ensure(scope.spec(false));
    return done;
  },
};

const markStopped: Step = {
  name: "mark-stopped",
  async run({ workspace, observed, target, observe, clock }) {
    if (observed.observedState === "stopped" && observed.observedGeneration === target.generation) return done;
    const line: JournalLine = { event: "stopped", message: say("stopped") };
    await observe({ ...atRest, observedState: "stopped", observedGeneration: target.generation }, line, async (tx) => {
      // If it should run again by now, it has not stopped permanently, and newer changes must not be ended.
      if (!(await isStillDesired(tx, workspace.id, "stopped"))) throw new ChangeClosed(workspace.id);
      await beginStory(tx, workspace.id, "rest", clock.now());
    });
    return done;
  },
};

/** A permanent cause needs a person; a copy of gigabytes every few minutes would only be a burden. */
const seldomAfter = 8;
const seldomMs = hourMs;

/**
 * Before the workspace is removed, a last backup is made, and opened to verify it. Nothing is removed without one, whatever the reason: it is
 * tried again, metric and alert name it, and only an operator can give it up (`npm run ops -- delete-without-backup`).
 */
const backUpLast: Step = {
  name: "back-up-last",
  async run(scope) {
    const { db, workspace, observed, target, engine, backups, clock, log } = scope;
    if (observed.observedState === "deleted" || !engine.backups) return done;
    // Without an owner, the workspace was never used. It may have been meant to begin with a backup, which is needed again.
    if (!observed.ownerSetUpAt) {
      await keepWhatItBeganWith(db, workspace.id, after(clock.now(), scope.lastBackupDays * dayMs));
      return done;
    }
    // Each deletion has a separate generation, and one copy: nothing runs after it that could change the files.
    if (await hasBackupOf(db, workspace.id, "before-deletion", target.generation)) return done;
    if (await isGivenUp(db, workspace.id, target.generation)) return done;
    // Its files never got here: the backup with which it left its last host has them, and the files here are older.
    const isElsewhere = observed.arriving !== null && observed.arriving !== nothingArrives && observed.arriving !== nothingLeft;
    try {
      if (!isElsewhere) await backups.make(forBackup(scope), "before-deletion");
      else if (!(await keepAtLeast(db, observed.arriving!, after(clock.now(), scope.lastBackupDays * dayMs))))
        throw new BackupFailure("missing", `the backup ${observed.arriving} with which it left its last host is gone`);
      return done;
    } catch (error) {
      log.error({ err: error, workspaceId: workspace.id }, "a workspace is not deleted, because its last backup did not succeed");
      return {
        kind: "failed",
        event: "last-backup-failed",
        reason: say("lastBackupFailed"),
        detail: asBackupFailure(error).message,
        ...(observed.failures >= seldomAfter && { retryAt: after(clock.now(), seldomMs) }),
      };
    }
  },
};

/**
 * Its row is cleared first and the data removed afterwards: if it is requested again from here on, even after a crash, it is set up as new
 * and gets its owner before the gateway opens. If it was requested again earlier, during its last backup, it stays.
 */
const remove: Step = {
  name: "remove",
  async run({ workspace, observed, driver, observe, clock }) {
    if (observed.observedState === "deleted") return done;
    await observe(setUpAnew, undefined, async (tx) => {
      if (await isGapOpen(tx)) throw new ChangeClosed(workspace.id);
      if (!(await isStillDesired(tx, workspace.id, "deleted"))) throw new ChangeClosed(workspace.id);
      await endInvitations(tx, workspace, clock.now());
    });
    await driver.remove(workspace.id);
    return done;
  },
};

/** A deletion by the service; one by the owner, or with the account, ended all invitations when it was requested. */
const deletedByService: JournalEvent = "expired";
const deletionLines: readonly JournalEvent[] = [deletedByService, "deletion-requested", "account-closed"];

/**
 * A workspace that was not paid for in time is gone for good only now, and its invitations with it. One made since the deletion was
 * requested is for the next workspace, and waits for it.
 */
async function endInvitations(tx: Connection, { id, accountId }: { id: string; accountId: string }, now: Date): Promise<void> {
  const [line] = await readJournal(tx, id, { most: 1, events: deletionLines });
  if (line?.event === deletedByService) await revokeAll(tx, accountId, now, line.at);
}

const markDeleted: Step = {
  name: "mark-deleted",
  async run({ workspace, observed, target, observe, clock }) {
    if (observed.observedState === "deleted" && observed.observedGeneration === target.generation) return done;
    const line: JournalLine = { event: "deleted", message: say("deleted") };
    await observe({ ...atRest, observedState: "deleted", observedGeneration: target.generation }, line, async (tx) => {
      await forgetLooks(tx, workspace.id);
      if (await isStillDesired(tx, workspace.id, "deleted")) await beginStory(tx, workspace.id, "removal", clock.now());
    });
    return done;
  },
};

const setUpAnew = {
  ...neverSetUp,
  unhealthySince: null,
  arriving: null,
} as const;
const atRest = {
  coldSince: null,
  address: null,
  startedAt: null,
  progressStep: null,
  progressLabel: null,
  progressPercent: null,
  reason: null,
  reasonCode: null,
} as const;

export const stopSteps: readonly Step[] = [giveBlankUp, leaveHost, wakeUp, closeGateway, stop, markStopped];
export const deleteSteps: readonly Step[] = [rememberFirst, giveBlankUp, wakeUp, closeGateway, stop, backUpLast, remove, markDeleted];
