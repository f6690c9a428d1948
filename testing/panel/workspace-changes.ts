/** What the service answers to an owner who changes the settings or the variables of their workspace: by the domain's rules, without a database. */
import { say } from "#contract/sentences/say.ts";
import type { Instance, JournalEntry } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { n8nOwnerSettings } from "#apps/provisioner/engines/n8n/n8n-owner-settings.ts";
import { releasesOf } from "#apps/provisioner/engines/releases/releases-of.ts";
import { changedSettings, describeChanges, needsRestart } from "#domain/journeys/workspace-settings/describe-changes.ts";
import { fillVariables } from "#domain/journeys/workspace-variables/change-variables.ts";
import { offerVersions } from "#domain/workspaces/offered-release.ts";
import { settingsRevision, type Settings } from "#domain/workspaces/settings/settings-revision.ts";
import type { StoredVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { AppError } from "#platform/app-error.ts";
import { newId } from "#platform/ids.ts";
import { workspaceOf } from "./panel-answers.ts";
import type { PanelPerson } from "./serve-panel.ts";

const releases = releasesOf("n8n");

export interface Changes {
  /** Newest first. */
  journal: JournalEntry[];
  variables: StoredVariables;
  /** The restart that a change began is over: the workspace runs what was requested. */
  restarted(): void;
}

/** From now on this person's changes are kept, refused if they are outdated, and restart the workspace if it needs them, until `restarted`. */
export function keepChanges(person: PanelPerson): Changes {
  const { answers } = person;
  const kept: Changes = {
    journal: [],
    variables: { revision: 0, variables: [] },
    restarted: () => person.workspaceIs({ status: instanceStatus.online, runningVersion: undefined }),
  };
  const record = (event: string, message: string): void => {
    const { now, user } = person.state;
    kept.journal.unshift({ id: newId(), at: now.toISOString(), event, message, detail: null, by: user.fullName });
  };
  answers.getInstanceJournal = () => ({ entries: kept.journal, next: null });

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
    const { desiredVersion: versionName, timezone, ...configuration } = { ...settings, ...after };
    const revision = settingsRevision({ ...settings, ...after, life: before.life });
    const changed = { versionName, timezone, configuration, revision };
    person.workspaceIs(needsRestart(after) ? { ...changed, ...restarting(before, versionName) } : changed);
    return workspaceOf(state);
  };

  answers.listVariableSettings = () => ({ settings: n8nOwnerSettings.map(({ name, values }) => ({ name, values })) });
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
    person.workspaceIs(restarting(workspaceOf(state)));
    return view();
  };
  return kept;
}

const settingsOf = ({ versionName, timezone, configuration }: Instance): Settings => ({
  desiredVersion: versionName,
  timezone,
  ...configuration,
});

/** As the service describes it until the process runs again. */
function restarting(before: Instance, versionName = before.versionName): Partial<Instance> {
  const running = before.runningVersion ?? before.versionName;
  return { status: instanceStatus.pending, runningVersion: running === versionName ? undefined : running };
}
