import { t } from "../words.ts";
import type { SettingName, SettingsValues } from "./settings-values.ts";

/** "Timezone: Europe/Berlin". */
export function settingText(name: SettingName, values: SettingsValues): string {
  return t("settings.is", { name: t(`settings.names.${name}`), value: valueText(name, values) });
}

function valueText(name: SettingName, { timezone, versionName, configuration }: SettingsValues): string {
  switch (name) {
    case "timezone":
      return timezone;
    case "versionName":
      return versionName;
    case "channel":
      return t(`settings.channels.${configuration.channel}.label`);
    case "autoUpdate":
      return t(configuration.autoUpdate ? "settings.on" : "settings.off");
    case "maintenanceWindow":
      return windowText(configuration.maintenanceWindow);
    case "executionsToKeep":
      return String(configuration.executionsToKeep);
  }
}

/** "Sunday, 03:00". */
const windowText = ({ weekday, startHour }: SettingsValues["configuration"]["maintenanceWindow"]): string =>
  `${t(`settings.days.${weekday}`)}, ${hourText(startHour)}`;

export const hourText = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
