/**
 * The owner saves the settings of their workspace. A setting that the running process needs raises the generation; a worker
 * then restarts it (apps/provisioner/reconcile/reconcile-workspace.ts), with care if the version changed.
 */
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import type { FieldProblem } from "#contract/api/problem.ts";
import { executionsKeptBy, executionsToKeepOf, type KeepingPlan } from "#contract/workspaces/kept-executions.ts";
import type { InstanceChange } from "#contract/workspaces/workspace-settings.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { beginStory, StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { offerVersions, type OfferedRelease } from "#domain/workspaces/offered-release.ts";
import { offeredNow } from "#domain/workspaces/present-releases.ts";
import { settingsRevision, type Settings } from "#domain/workspaces/settings/settings-revision.ts";
import { lockLivingWorkspace, saveSettings } from "#domain/workspaces/settings/settings-store.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { announceWorkspace, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import { needRecentPassword } from "#platform/http/refuse-session.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { changedSettings, describeChanges, needsRestart } from "./describe-changes.ts";

/**
 * Saves the whole change or nothing and returns the workspace's desired state; a change without an effect does nothing.
 * Refuses changes based on outdated settings, versions that are not offered or cannot be changed back to, keeping more executions than
 * the plan allows, and keeping fewer than before without a recently typed password.
 */
export async function changeSettings(
  services: Services,
  current: CurrentUser,
  change: InstanceChange,
  address: string,
): Promise<WorkspaceRow> {
  if (!services.instanceOperations) throw new AppError("instance_operations_off");
  const { accountId, accountName, userId, fullName } = current;
  return services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const row = await lockLivingWorkspace(tx, accountId);
    if (change.revision !== undefined && change.revision !== settingsRevision(row)) throw new AppError("settings_changed");

    const plan = current.planSpec as KeepingPlan | null;
    const wanted: Partial<Settings> = definedOf({
      timezone: change.timezone,
      desiredVersion: change.versionName,
      ...change.configuration,
      executionsToKeep: ownNumber(row, change.configuration?.executionsToKeep, plan),
    });
    const after = changedSettings(row, wanted);
    const { releases } = await offeredNow(tx, services.workspace, now);
    const errors = [...refuseVersion(services, row, after, releases), ...refuseExecutions(plan, after)];
    if (errors.length > 0) throw new AppError("validation_failed", { errors });
    if (Object.keys(after).length === 0) return row;
    if (keepsFewer(row, after, plan)) needRecentPassword(current, now);

    // A backup about to be restored, by a restore or a rollback, was chosen for the running version.
    if (after.desiredVersion !== undefined) {
      await beginStory(tx, row.id, "version-choice", now).catch((error: unknown) => {
        if (!(error instanceof StoryInTheWay)) throw error;
        throw new AppError(error.open === "restore" ? "restore_under_way" : "update_under_way");
      });
    }

    const before = Object.fromEntries(Object.keys(after).map((key) => [key, row[key as keyof Settings]]));
    const saved = await saveSettings(tx, row.id, after, { restart: needsRestart(after), now });
    await writeJournal(
      tx,
      row.id,
      { event: "settings-changed", message: describeChanges(asKept(row, plan), asKept(after, plan)), actor: fullName },
      now,
    );
    await writeAudit(tx, { accountId, userId, action: "workspace.configured", before, after, address }, now);
    await announceWorkspace(tx, row.id, accountName);
    return saved;
  });
}

const definedOf = <T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

/** Before anything is touched: a version that is missing where workspaces run would be backed up and stopped for nothing. */
function refuseVersion(
  { workspace }: Services,
  row: WorkspaceRow,
  { desiredVersion }: Partial<Settings>,
  present: readonly OfferedRelease[],
): FieldProblem[] {
  if (desiredVersion === undefined) return [];
  const offered = offerVersions(workspace.releases, row).find(({ name }) => name === desiredVersion);
  if (!offered) return [fieldProblem("versionName", "version.unknown")];
  if (!offered.isPossible) return [fieldProblem("versionName", "version.downgrade")];
  return present.some(({ version }) => version === desiredVersion) ? [] : [fieldProblem("versionName", "version.missing")];
}

/**
 * What to store for the number that was sent: null for as many as the plan keeps, also after a change of plan. A number that was only shown
 * changes nothing, though a smaller plan shows a smaller one.
 */
function ownNumber({ executionsToKeep: own }: WorkspaceRow, sent: number | undefined, plan: KeepingPlan | null): number | null | undefined {
  if (sent === undefined || sent === executionsToKeepOf(own, plan)) return undefined;
  return sent === executionsKeptBy(plan) ? null : sent;
}

/** With the number of executions that is kept in fact. */
const asKept = <Some extends Partial<Settings>>(settings: Some, plan: KeepingPlan | null): Some =>
  settings.executionsToKeep === undefined
    ? settings
    : { ...settings, executionsToKeep: executionsToKeepOf(settings.executionsToKeep, plan) };

/** n8n deletes the executions beyond the number at its next start, and nothing brings them back but a backup. */
const keepsFewer = (row: WorkspaceRow, { executionsToKeep: own }: Partial<Settings>, plan: KeepingPlan | null): boolean =>
  own !== undefined && executionsToKeepOf(own, plan) < executionsToKeepOf(row.executionsToKeep, plan);

function refuseExecutions(plan: KeepingPlan | null, { executionsToKeep }: Partial<Settings>): FieldProblem[] {
  if (executionsToKeep === undefined || executionsToKeep === null || executionsToKeep <= executionsKeptBy(plan)) return [];
  return [fieldProblem("configuration.executionsToKeep", "executions.over_plan")];
}

const fieldProblem = (path: string, code: FieldCode): FieldProblem => ({ path, code, message: fieldMessage(code) });
