import { useId, useState, type ReactNode } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "../words.ts";
import { t as workspaceText } from "../../workspace/words.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { RestartWords } from "./restart-words.tsx";
import { needsRestart } from "./settings-values.ts";
import { useSettingsForm, type SettingsForm as Form } from "./use-settings-form.ts";

interface SettingsFormProps {
  instance: Instance;
  part: "general" | "versions";
  /** The settings that this part of the form has. */
  fields: (settings: Form) => ReactNode;
}

/** The settings of the workspace, in two places; saved together, after a confirmation if the workspace restarts. */
export function SettingsForm({ instance, part, fields }: SettingsFormProps) {
  const settings = useSettingsForm(instance, part);
  const { form, changed, save, conflict } = settings;
  const [isAsking, setIsAsking] = useState(false);
  const submit = form.handleSubmit((values) => (needsRestart(changed) ? setIsAsking(true) : save.run(values)));
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Section title={t(`settings.parts.${part}.title`)} lead={t(`settings.parts.${part}.lead`)} flush>
        <div className="divide-y divide-line [&>*]:px-5 [&>*]:py-5 sm:[&>*]:px-6">{fields(settings)}</div>
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
