/** The values of the settings form, and how they differ from the saved settings. */
import type { Instance } from "#contract/workspaces/workspace.ts";

export type SettingsValues = Pick<Instance, "timezone" | "versionName" | "configuration">;

const settingNames = ["timezone", "versionName", "channel", "autoUpdate", "maintenanceWindow", "executionsToKeep"] as const;
export type SettingName = (typeof settingNames)[number];

/** The settings of an instance, in the form's shape. */
export const valuesOf = ({
  timezone,
  versionName,
  configuration: set,
}: Pick<Instance, "timezone" | "versionName" | "configuration">): SettingsValues => ({
  timezone,
  versionName,
  configuration: { ...set, maintenanceWindow: { ...set.maintenanceWindow } },
});

/** Which settings differ between two states. */
export function changedSettings(from: SettingsValues, to: SettingsValues): SettingName[] {
  const [a, b] = [from, to].map(({ timezone, versionName, configuration: { maintenanceWindow, ...rest } }) => ({
    timezone,
    versionName,
    ...rest,
    maintenanceWindow: `${maintenanceWindow.weekday} ${maintenanceWindow.startHour}`,
  }));
  return settingNames.filter((name) => a![name] !== b![name]);
}

/** Applies the changes `from → mine` to `theirs`: if both changed a setting, mine wins. */
export function rebase(from: SettingsValues, mine: SettingsValues, theirs: SettingsValues): SettingsValues {
  const changed = new Set(changedSettings(from, mine));
  const pick = <Name extends keyof SettingsValues["configuration"]>(name: Name) => (changed.has(name) ? mine : theirs).configuration[name];
  return {
    timezone: (changed.has("timezone") ? mine : theirs).timezone,
    versionName: (changed.has("versionName") ? mine : theirs).versionName,
    configuration: {
      channel: pick("channel"),
      autoUpdate: pick("autoUpdate"),
      maintenanceWindow: pick("maintenanceWindow"),
      executionsToKeep: pick("executionsToKeep"),
    },
  };
}

/** Settings that the running workspace follows only after a restart. */
export const needsRestart = (changed: readonly SettingName[]): boolean =>
  changed.some((name) => name === "timezone" || name === "versionName" || name === "executionsToKeep");
