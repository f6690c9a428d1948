/** What a change of the settings means: for the journal, and for whether the workspace must restart. */
import type { MaintenanceWindow } from "#contract/workspaces/workspace-configuration.ts";
import { inARow, say, type Sentence } from "#contract/sentences/say.ts";
import type { Settings } from "#domain/workspaces/settings/settings-revision.ts";

/** The settings of `wanted` that differ from the current ones. */
export function changedSettings(set: Settings, wanted: Partial<Settings>): Partial<Settings> {
  const differs = (key: keyof Settings) => canonical(set[key]) !== canonical(wanted[key]);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => differs(key as keyof Settings)));
}

/** PostgreSQL returns the members of a JSON value in its own order. */
const canonical = (value: Settings[keyof Settings] | undefined): string =>
  typeof value === "object" && value !== null ? `${value.weekday} ${value.startHour}` : String(value);

/** The settings that the running process is started with; the others are only stored. */
export const needsRestart = ({ desiredVersion, timezone, executionsToKeep }: Partial<Settings>): boolean =>
  desiredVersion !== undefined || timezone !== undefined || executionsToKeep !== undefined;

/** One sentence per setting, in the owner's words. */
export function describeChanges(before: Settings, after: Partial<Settings>): Sentence {
  return inARow([
    after.timezone && say("timezoneChanged", { from: before.timezone, to: after.timezone }),
    after.desiredVersion && say("versionChanged", { from: before.desiredVersion, to: after.desiredVersion }),
    typeof after.executionsToKeep === "number" &&
      say("executionsKept", { count: after.executionsToKeep, before: before.executionsToKeep ?? 0 }),
    after.channel && say(after.channel === "stable" ? "channelStable" : "channelNewest"),
    after.autoUpdate !== undefined && say(after.autoUpdate ? "automaticUpdatesOn" : "automaticUpdatesOff"),
    after.maintenanceWindow && windowSentence(after.maintenanceWindow),
  ]);
}

const windows = {
  any: "maintenanceAnyDay",
  monday: "maintenanceMonday",
  tuesday: "maintenanceTuesday",
  wednesday: "maintenanceWednesday",
  thursday: "maintenanceThursday",
  friday: "maintenanceFriday",
  saturday: "maintenanceSaturday",
  sunday: "maintenanceSunday",
} as const;

const windowSentence = ({ weekday, startHour }: MaintenanceWindow): Sentence =>
  say(windows[weekday], { hour: `${String(startHour).padStart(2, "0")}:00` });
