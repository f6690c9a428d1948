import { maintenanceDays, maintenanceHours } from "#contract/workspaces/workspace-values.ts";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { t } from "../words.ts";
import { hourText } from "./setting-text.ts";
import type { SettingsForm } from "./use-settings-form.ts";

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

/** Whether updates are automatic, and when. */
export function MaintenanceFields({ settings: { form, values } }: { settings: SettingsForm }) {
  const { startHour } = values.configuration.maintenanceWindow;
  return (
    <fieldset>
      <legend className="float-left mb-3 w-full text-sm font-medium">{t("settings.updates")}</legend>
      <CheckboxField
        {...form.register("configuration.autoUpdate")}
        label={t("settings.autoUpdate")}
        hint={t("settings.autoUpdateHint")}
        className="clear-both"
      />
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.register("configuration.maintenanceWindow.weekday")}
          label={t("settings.day")}
          options={maintenanceDays.map((day) => ({ value: day, label: t(`settings.days.${day}`) }))}
        />
        <SelectField
          {...form.register("configuration.maintenanceWindow.startHour", { setValueAs: Number })}
          label={t("settings.hour")}
          options={hours}
        />
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-ink-soft">
        {t("settings.windowHint", { from: hourText(startHour), to: hourText((startHour + maintenanceHours) % 24) })}
      </p>
    </fieldset>
  );
}
