import { useId, useMemo, useState } from "react";
import { Controller } from "react-hook-form";
import { fieldMessage } from "#contract/api/field-words.ts";
import { executionsToKeepLimit, fewestExecutionsToKeep } from "#contract/workspaces/workspace-configuration.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { Button } from "../../../ui/button.tsx";
import { Combobox } from "../../../ui/form/combobox.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../words.ts";
import { t as workspaceText } from "../../workspace/words.ts";
import { listTimezones, matchesTimezone, timeIn, timezoneOffset } from "../../workspace/launch/timezones.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { MaintenanceFields } from "./maintenance-fields.tsx";
import { RestartWords } from "./restart-words.tsx";
import { needsRestart } from "./settings-values.ts";
import { useSettingsForm, type SettingsForm as Form } from "./use-settings-form.ts";
import { VersionField } from "./version-field.tsx";

/** Everything that can be set about the workspace; saved together, after a question where it restarts. */
export function SettingsForm({ instance }: { instance: Instance }) {
  const settings = useSettingsForm(instance);
  const { form, changed, save, conflict } = settings;
  const [isAsking, setIsAsking] = useState(false);
  const submit = form.handleSubmit((values) => (needsRestart(changed) ? setIsAsking(true) : save.run(values)));
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Section title={t("settings.title")} lead={t("settings.lead")} flush>
        <div className="divide-y divide-line [&>*]:px-5 [&>*]:py-5 sm:[&>*]:px-6">
          <div>
            <TimezoneField settings={settings} />
          </div>
          <VersionField instance={instance} settings={settings} />
          <div>
            <ExecutionsField settings={settings} />
          </div>
          <MaintenanceFields settings={settings} />
        </div>
        {save.error ? <ErrorNotice error={save.error} title={t("settings.saveFailed")} className="mx-5 mb-5 sm:mx-6" /> : null}
        {conflict.length > 0 ? <ConflictNotice instance={instance} settings={settings} /> : null}
        <SaveBar settings={settings} />
      </Section>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("settings.confirmTitle")}
        confirmLabel={t("settings.confirm")}
        cancelLabel={t("common.cancel")}
        onConfirm={() => void save.run(form.getValues())}
      >
        <RestartWords instance={instance} settings={settings} />
      </ConfirmDialog>
      <LeaveGuard active={changed.length > 0} />
    </form>
  );
}

function TimezoneField({ settings: { form } }: { settings: Form }) {
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
          items={timezones}
          value={field.value}
          onChange={(value) => value && field.onChange(value)}
          onBlur={field.onBlur}
          matches={matchesTimezone}
          detail={(timezone) => timezoneOffset(timezone, now)}
          placeholder={workspaceText("setup.timezoneChoose")}
          searchLabel={workspaceText("setup.timezoneSearch")}
          emptyText={workspaceText("setup.timezoneNone")}
          hint={workspaceText("setup.timezoneHint", { time: timeIn(field.value, now) })}
          error={error?.message && fieldMessage(error.message)}
        />
      )}
    />
  );
}

const number = new Intl.NumberFormat("en");

function ExecutionsField({ settings: { form, monthlyLimit } }: { settings: Form }) {
  const { error } = form.getFieldState("configuration.executionsToKeep", form.formState);
  const hours = useMaybeUser()?.account.planSpec?.pruneExecutionsInterval;
  const range = { least: number.format(fewestExecutionsToKeep), most: number.format(executionsToKeepLimit(monthlyLimit)) };
  return (
    <TextField
      {...form.register("configuration.executionsToKeep", { valueAsNumber: true })}
      label={t("settings.executions")}
      type="number"
      inputMode="numeric"
      min={fewestExecutionsToKeep}
      max={executionsToKeepLimit(monthlyLimit)}
      step={1}
      hint={hours ? t("settings.executionsHint", { ...range, count: Math.round(hours / 24) }) : t("settings.executionsRange", range)}
      error={error?.message && fieldMessage(error.message)}
      className="max-w-sm"
    />
  );
}

function SaveBar({ settings: { changed, conflict, save, discard } }: { settings: Form }) {
  const id = useId();
  const { instanceOperations } = useFrontEndConfig();
  const isDirty = changed.length > 0;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-5 py-4 sm:px-6">
      <Button
        type="submit"
        disabled={!isDirty || conflict.length > 0 || !instanceOperations}
        aria-describedby={`${id}-state`}
        pending={save.pending}
        pendingText={t("settings.saving")}
      >
        {t("settings.save")}
      </Button>
      {isDirty ? (
        <Button tone="quiet" onClick={discard}>
          {t("settings.discard")}
        </Button>
      ) : null}
      <p id={`${id}-state`} className="text-sm text-ink-soft">
        {instanceOperations
          ? isDirty
            ? t("settings.unsaved", { count: changed.length })
            : t("settings.allSaved")
          : workspaceText("manage.operationsOff")}
      </p>
    </div>
  );
}
