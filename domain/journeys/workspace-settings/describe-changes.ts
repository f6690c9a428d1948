/** What a change of the settings means: for the journal, and for whether the workspace must restart. */
import type { MaintenanceWindow } from "#contract/workspaces/workspace-configuration.ts";
import type { Settings } from "#domain/workspaces/settings/settings-revision.ts";

/** The settings of `wanted` that differ from the current ones. */
export function changedSettings(set: Settings, wanted: Partial<Settings>): Partial<Settings> {
  const differs = (key: keyof Settings) => canonical(set[key]) !== canonical(wanted[key]);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => differs(key as keyof Settings)));
}

/** PostgreSQL returns the members of a JSON value in its own order. */
const canonical = (value: Settings[keyof Settings] | undefined): string =>
  typeof value === "object" ? `${value.weekday} ${value.startHour}` : String(value);

/** The settings that the running process is started with; the others are only stored. */
export const needsRestart = ({ desiredVersion, timezone, executionsToKeep }: Partial<Settings>): boolean =>
  desiredVersion !== undefined || timezone !== undefined || executionsToKeep !== undefined;

/** One sentence per setting, in the owner's words. */
export function describeChanges(before: Settings, after: Partial<Settings>): string {
  const sentences = [
    after.timezone && `The timezone was changed from ${before.timezone} to ${after.timezone}.`,
    after.desiredVersion && `The version was changed from ${before.desiredVersion} to ${after.desiredVersion}.`,
    after.executionsToKeep && `${words(after.executionsToKeep)} executions are kept, before it were ${words(before.executionsToKeep)}.`,
    after.channel && `The release channel was changed to ${after.channel}.`,
    after.autoUpdate !== undefined && `Automatic updates were switched ${after.autoUpdate ? "on" : "off"}.`,
    after.maintenanceWindow && `Maintenance may happen ${windowWords(after.maintenanceWindow)}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

const words = (count: number): string => new Intl.NumberFormat("en").format(count);

function windowWords({ weekday, startHour }: MaintenanceWindow): string {
  const day = weekday === "any" ? "on any day" : `on ${weekday[0]!.toUpperCase()}${weekday.slice(1)}s`;
  return `${day} from ${String(startHour).padStart(2, "0")}:00`;
}
