/** What the settings form holds, and how it differs from what is set. */
import { z } from "zod";
import * as fields from "#contract/api/fields.ts";
import type { FieldCode } from "#contract/api/field-words.ts";
import { configuration, executionsToKeepLimit, mostExecutionsToKeep } from "#contract/workspaces/workspace-configuration.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";

const overPlan: FieldCode = "executions.over_plan";

/** The contract's own rules, and the plan's bound that only the account knows. */
export const settingsSchema = (monthlyExecutionsLimit: number) =>
  z
    .object({ timezone: fields.timezone, versionName: z.string(), configuration })
    .refine(
      ({ configuration: { executionsToKeep } }) =>
        executionsToKeep > mostExecutionsToKeep || executionsToKeep <= executionsToKeepLimit(monthlyExecutionsLimit),
      { message: overPlan, path: ["configuration", "executionsToKeep"] },
    );

export type SettingsValues = z.infer<ReturnType<typeof settingsSchema>>;

export const settingNames = ["timezone", "versionName", "channel", "autoUpdate", "maintenanceWindow", "executionsToKeep"] as const;
export type SettingName = (typeof settingNames)[number];

/** The settings of an instance, as the form holds them. */
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

/** Puts what was changed in `from → mine` on top of `theirs`: what both changed is mine. */
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

/** What the running workspace follows only after a restart. */
export const needsRestart = (changed: readonly SettingName[]): boolean =>
  changed.some((name) => name === "timezone" || name === "versionName" || name === "executionsToKeep");
