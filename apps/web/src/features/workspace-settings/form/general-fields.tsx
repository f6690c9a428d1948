import { useMemo } from "react";
import { Controller } from "react-hook-form";
import { fewestExecutionsToKeep } from "#contract/workspaces/kept-executions.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { Combobox } from "../../../ui/form/combobox.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../words.ts";
import { t as workspaceText } from "../../workspace/words.ts";
import { listTimezones, matchesTimezone, timeIn, timezoneOffset } from "../../workspace/launch/timezones.ts";
import { number } from "../../../lib/formats.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";
import type { SettingsForm } from "./use-settings-form.ts";

/** The timezone, and how many executions are kept. */
export function GeneralFields({ settings }: { settings: SettingsForm }) {
  return (
    <>
      <div>
        <TimezoneField settings={settings} />
      </div>
      <div>
        <ExecutionsField settings={settings} />
      </div>
    </>
  );
}

function TimezoneField({ settings: { form } }: { settings: SettingsForm }) {
  const timezones = useMemo(() => listTimezones(), []);
  const now = new Date(useNow(30_000));
  const { error } = form.getFieldState("timezone", form.formState);
  return (
    <Controller
      control={form.control}
      name="timezone"
      render={({ field }) => (
        <Combobox
          label={workspaceText("workspace.timezone")}
          items={timezones.includes(field.value) ? timezones : [field.value, ...timezones]}
          value={field.value}
          onChange={(value) => value && field.onChange(value)}
          onBlur={field.onBlur}
          matches={matchesTimezone}
          detail={(timezone) => timezoneOffset(timezone, now)}
          placeholder={workspaceText("timezones.choose")}
          searchLabel={workspaceText("timezones.search")}
          emptyText={workspaceText("timezones.none")}
          hint={timezoneHint(field.value, now)}
          error={error?.message && fieldMessage(error.message)}
        />
      )}
    />
  );
}

function timezoneHint(timezone: string, now: Date): string {
  const time = timeIn(timezone, now);
  return time === null ? t("settings.timezoneUnknown") : workspaceText("timezones.hint", { time });
}

function ExecutionsField({ settings: { form, mostExecutions } }: { settings: SettingsForm }) {
  const { error } = form.getFieldState("configuration.executionsToKeep", form.formState);
  const hours = useMaybeUser()?.account.planSpec?.pruneExecutionsInterval;
  const range = { least: number.format(fewestExecutionsToKeep), most: number.format(mostExecutions) };
  return (
    <TextField
      {...form.register("configuration.executionsToKeep", { valueAsNumber: true })}
      label={t("settings.executions")}
      type="number"
      inputMode="numeric"
      min={fewestExecutionsToKeep}
      max={mostExecutions}
      step={1}
      hint={hours ? t("settings.executionsHint", { ...range, count: Math.round(hours / 24) }) : t("settings.executionsRange", range)}
      error={error?.message && fieldMessage(error.message)}
      className="max-w-sm"
    />
  );
}
