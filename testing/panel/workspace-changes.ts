/**
 * What the service answers to an owner who changes the settings, the variables or the version of their workspace: by the domain's rules,
 * without a database.
 */
import { say, type Sentence } from "#contract/sentences/say.ts";
import type { Instance, JournalEntry } from "#contract/workspaces/workspace.ts";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { n8nOwnerSettings } from "#apps/provisioner/engines/n8n/n8n-owner-settings.ts";
import { releasesOf } from "#apps/provisioner/engines/releases/releases-of.ts";
import { crashEvents } from "#domain/workspaces/journal-events.ts";
import { changedSettings, describeChanges, needsRestart } from "#domain/journeys/workspace-settings/describe-changes.ts";
import { fillVariables, needsRestart as needsVariablesRestart } from "#domain/journeys/workspace-variables/change-variables.ts";
import { offerVersions } from "#domain/workspaces/offered-release.ts";
import { settingsRevision, type Settings } from "#domain/workspaces/settings/settings-revision.ts";
import type { StoredVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { AppError } from "#platform/app-error.ts";
import { dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { workspaceOf } from "./panel-answers.ts";
import type { PanelPerson } from "./serve-panel.ts";

const releases = releasesOf("n8n");
const inThreeDays = (): string => new Date(Date.now() + 3 * dayMs).toISOString();

export interface Changes {
  /** Newest first. */
  journal: JournalEntry[];
  variables: StoredVariables;
  /** Changes of version, newest first. */
  updates: WorkspaceUpdate[];
  /** The restart that a change began is over. `failure`: why the requested version did not start, so that the one before it runs again. */
  restarted(failure?: Sentence): void;
}

/** From now on this person's changes are kept, refused if they are outdated, and restart the workspace if it needs them, until `restarted`. */
export function keepChanges(person: PanelPerson): Changes {
  const { answers } = person;
  const kept: Changes = {
    journal: [],
    variables: { revision: 0, variables: [] },
    updates: [],
    restarted(failure) {
      const [last, ...earlier] = kept.updates;
      const online = { status: instanceStatus.online, runningVersion: undefined };
      if (last?.state !== "running") return person.workspaceIs(online);
      const state = failure ? "rolled-back" : "successful";
      const canRollBackUntil = failure || last.isRollBack ? null : inThreeDays();
      kept.updates = [{ ...last, state, reason: failure ?? null, finishedAt: new Date().toISOString(), canRollBackUntil }, ...earlier];
      person.workspaceIs(
        failure ? { ...online, ...withSettings(workspaceOf(person.state), { desiredVersion: last.fromVersion }) } : online,
      );
    },
  };
  const launch = { version: workspaceOf(person.state).versionName, at: person.state.now.toISOString() };
  const record = (event: string, message: string): void => {
    const { now, user } = person.state;
    kept.journal.unshift({ id: newId(), at: now.toISOString(), event, message, detail: null, by: user.fullName });
  };
  const beginUpdate = (fromVersion: string, toVersion: string, isRollBack: boolean): void => {
    const request = { fromVersion, toVersion, isRollBack, askedBy: "owner", state: "running", reason: null } as const;
    const earlier = kept.updates.map((each) => ({ ...each, canRollBackUntil: null }));
    kept.updates = [{ ...request, startedAt: new Date().toISOString(), finishedAt: null, canRollBackUntil: null }, ...earlier];
  };
  answers.getInstanceJournal = ({ query: { kind } }) => {
    const isListed = ({ event }: JournalEntry): boolean => kind !== "crashes" || crashEvents.includes(event);
    return { entries: kept.journal.filter(isListed), next: null };
  };

  answers.listInstanceVersions = (_asked, state) => {
    const { versionName, runningVersion } = workspaceOf(state);
    const ran = { desiredVersion: versionName, observedVersion: runningVersion ?? versionName };
    return { current: versionName, versions: offerVersions(releases, ran) };
  };
  answers.changeInstance = ({ body }, state) => {
    const before = workspaceOf(state);
    if (body.revision !== undefined && body.revision !== before.revision) throw new AppError("settings_changed");
    const settings = settingsOf(before);
    const wanted = { timezone: body.timezone, desiredVersion: body.versionName, ...body.configuration };
    const after = changedSettings(settings, Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)));
    if (Object.keys(after).length === 0) return before;
    record("settings-changed", describeChanges(settings, after));
    const changed = withSettings(before, after);
    if (after.desiredVersion !== undefined) beginUpdate(before.versionName, after.desiredVersion, false);
    person.workspaceIs(needsRestart(after) ? { ...changed, ...restarting(before, after.desiredVersion) } : changed);
    return workspaceOf(state);
  };

  answers.getInstanceUpdate = () => ({ update: kept.updates[0] ?? null });
  answers.getVersionHistory = () => ({ updates: kept.updates, next: null, launch });
  answers.rollBackInstance = (_asked, state) => {
    const [last] = kept.updates;
    if (!last?.canRollBackUntil) throw new AppError("roll_back_impossible");
    const { fromVersion, toVersion } = last;
    record("roll-back-requested", say("rollBackRequested", { from: toVersion, to: fromVersion }));
    beginUpdate(toVersion, fromVersion, true);
    const before = workspaceOf(state);
    person.workspaceIs({ ...withSettings(before, { desiredVersion: fromVersion }), ...restarting(before, fromVersion) });
    return workspaceOf(state);
  };

  answers.listVariableSettings = () => ({
    settings: n8nOwnerSettings.map(({ name, values }) => ({ name, values })),
    onlySettingsRestart: true,
  });
  const view = () => ({
    ...kept.variables,
    variables: kept.variables.variables.map((each) => ({ ...each, value: each.isSecret ? null : each.value })),
  });
  answers.listVariables = view;
  answers.changeVariables = ({ body }, state) => {
    const { revision, variables } = kept.variables;
    if (body.revision !== revision) throw new AppError("settings_changed");
    const wanted = fillVariables(body.variables, variables, n8nOwnerSettings);
    if (JSON.stringify(wanted) === JSON.stringify(variables)) return view();
    kept.variables = { revision: revision + 1, variables: wanted };
    record("variables-changed", say("variablesChanged"));
    const restarts = needsVariablesRestart(variables, wanted, { settings: n8nOwnerSettings, takesVariablesRunning: true });
    if (restarts) person.workspaceIs(restarting(workspaceOf(state)));
    return view();
  };
  return kept;
}

const settingsOf = ({ versionName, timezone, configuration }: Instance): Settings => ({
  desiredVersion: versionName,
  timezone,
  ...configuration,
});

/** Each change of a setting changes the revision. */
function withSettings(before: Instance, change: Partial<Settings>): Partial<Instance> {
  const settings = { ...settingsOf(before), ...change };
  const { desiredVersion: versionName, timezone, ...chosen } = settings;
  const configuration = { ...chosen, executionsToKeep: chosen.executionsToKeep ?? before.configuration.executionsToKeep };
  return { versionName, timezone, configuration, revision: settingsRevision({ ...settings, life: before.life }) };
}

/** As the service describes it until the process runs again. */
function restarting(before: Instance, versionName = before.versionName): Partial<Instance> {
  const running = before.runningVersion ?? before.versionName;
  return { status: instanceStatus.pending, runningVersion: running === versionName ? undefined : running };
}
