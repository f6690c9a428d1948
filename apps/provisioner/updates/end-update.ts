/** How a change of version ends: the new one is online, or the previous one is desired again. The owner gets a mail. */
import { say, type Sentence } from "#contract/sentences/say.ts";
import { isMailMuted } from "#domain/accounts/credential-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { updateMail, type UpdateOutcome } from "#domain/mail/templates/workspaces/update-mail.ts";
import { changeUpdate, findOpenUpdate, type UpdateRow } from "#domain/updates/update-store.ts";
import { toldNothing } from "#domain/workspaces/observed/never-set-up.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import { revertDesiredVersion, revertGeneration } from "#domain/workspaces/observed/observation-store.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { hashRunSpec } from "../drivers/hash-run-spec.ts";
import { done, type Scope, type Step } from "../reconcile/step.ts";

interface TakenBack {
  state: "failed" | "rolled-back";
  reason: Sentence;
  event: JournalEvent;
  detail: string | undefined;
}

/** The previous version is desired again; the owner is told why. */
export async function takeBack(scope: Scope, update: UpdateRow, { state, reason, event, detail }: TakenBack): Promise<void> {
  const { clock, engine } = scope;
  const message = say("staysAsBefore", { reason, engine: engine.displayName, version: update.fromVersion });
  const line: JournalLine = { event, message, detail };
  const mail = await mailAbout(scope, update, "taken-back", reason);
  const before = runsAsBefore(scope, update) ? scope.observed.observedGeneration : null;
  await scope.observe({ failures: 0, reason: null, reasonCode: null, ...toldNothing }, line, async (tx) => {
    if (!(await revertDesiredVersion(tx, scope.workspace.id, { from: update.fromVersion, to: update.toVersion })))
      throw new ChangeClosed(update.id);
    if (before !== null && !(await revertGeneration(tx, scope.workspace.id, { from: before, to: scope.target.generation })))
      throw new ChangeClosed(update.id);
    await changeUpdate(tx, update.id, { state, reason, finishedAt: clock.now() });
    await queueMail(tx, mail, clock.now());
  });
  scope.target = { version: update.fromVersion, generation: before ?? scope.target.generation };
}

/**
 * Whether the process of before the update still runs and is what would be started now, so that a restart would be for nothing. Another
 * setting that was changed together with the version needs one.
 */
function runsAsBefore({ seen, observed, target, engine, described }: Scope, { snapshotAt, fromVersion }: UpdateRow): boolean {
  if (snapshotAt || seen.state !== "running" || seen.generation !== observed.observedGeneration) return false;
  // The update's own: a restart that was requested besides it would be lost.
  if (target.generation !== seen.generation + 1) return false;
  return seen.specHash === hashRunSpec(engine.runSpec({ ...described(true), generation: seen.generation }, fromVersion));
}

export const mailAbout = (
  { workspace, engine, publicUrl }: Scope,
  { fromVersion, toVersion }: UpdateRow,
  outcome: UpdateOutcome,
  reason: Sentence | null,
) =>
  updateMail(outcome, {
    to: workspace.ownerEmail,
    fullName: workspace.ownerFullName,
    language: workspace.ownerLanguage,
    accountName: workspace.accountName,
    engineName: engine.displayName,
    fromVersion,
    toVersion,
    reason,
    link: mailLinks(publicUrl).versions,
  });

/** The workspace is online: the change of version is over. */
export const finishUpdate: Step = {
  name: "finish-update",
  async run(scope) {
    const { db, workspace, observed, target, clock, engine } = scope;
    const update = observed.observedVersion === target.version ? await findOpenUpdate(db, workspace.id) : null;
    if (update?.toVersion !== target.version) return done;
    const isWayBack = update.restoreBackupId !== null;
    const now = { engine: engine.displayName, version: update.toVersion };
    const message = isWayBack ? say("rolledBack", now) : say("updated", { ...now, before: update.fromVersion });
    const back = update.askedBy === "operator" ? "back-by-service" : "back";
    const mail = await mailAbout(scope, update, isWayBack ? back : "updated", null);
    const line: JournalLine = isWayBack ? { event: "rolled-back", message } : { event: "updated", message };
    await scope.observe({ reason: null }, line, async (tx) => {
      await changeUpdate(tx, update.id, { state: "successful", finishedAt: clock.now() });
      // Rolling back discards what was made since the update, so the mail always says so.
      if (isWayBack || !(await isMailMuted(tx, workspace.accountId, "updates"))) await queueMail(tx, mail, clock.now());
    });
    return done;
  },
};
