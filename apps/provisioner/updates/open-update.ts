/** The change of version in progress: whether there is one, its row, and stopping what runs. */
import type { Sentence } from "#contract/sentences/say.ts";
import { changeUpdate, findOpenUpdate, insertUpdate, type UpdateRow } from "#domain/updates/update-store.ts";
import { endReasons } from "#domain/workspaces/stories/stories.ts";
import { closeAndLetFinish } from "../reconcile/steps/let-finish.ts";
import type { Scope } from "../reconcile/step.ts";

export const isChanging = ({ observed, target }: Scope): boolean =>
  observed.observedVersion !== null && target.version !== observed.observedVersion;

/**
 * The change in progress; one requested only by the settings begins here. If the desired version has changed since, the backup for the
 * rollback stays.
 */
export async function openUpdate(scope: Scope): Promise<UpdateRow> {
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

const overruled = (now: Date) => ({ state: "failed", reason: endReasons.overruled, finishedAt: now }) as const;

/**
 * The running version is desired again: nothing else would end the change to another one. Returns one whose snapshot exists: the other
 * version may have changed the files, so the snapshot must be put back before the running version starts again.
 */
export async function closeOverruled({ db, workspace, observed, target, clock }: Scope): Promise<UpdateRow | null> {
  if (observed.observedVersion === null) return null;
  const open = await findOpenUpdate(db, workspace.id);
  if (!open || open.toVersion === target.version) return null;
  if (open.snapshotAt) return open;
  await changeUpdate(db, open.id, overruled(clock.now()));
  return null;
}

/** When this resolves, its process has ended, and its absence does not count as a crash. */
export async function stopForChange(scope: Scope, label: Sentence): Promise<void> {
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
