import { useState, type ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { LeaveGuard } from "../../../lib/forms/leave-guard.tsx";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { SaveBar } from "../../../ui/form/save-bar.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "../words.ts";
import { t as workspaceText } from "../../workspace/words.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { settingText } from "./setting-text.ts";
import { needsRestart } from "./settings-values.ts";
import { useSettingsForm, type SettingsForm as Form } from "./use-settings-form.ts";
import { versionsQuery } from "./version/versions-query.ts";

interface SettingsFormProps {
  instance: Instance;
  part: "general" | "versions";
  /** Something else on the page is not saved, either: only one guard can ask. */
  isMoreUnsaved?: boolean;
  /** The settings that this part of the form has. */
  fields: (settings: Form) => ReactNode;
}

/** The settings of the workspace, in two places; saved together, after a confirmation if the workspace restarts. */
export function SettingsForm({ instance, part, isMoreUnsaved = false, fields }: SettingsFormProps) {
  const settings = useSettingsForm(instance, part);
  const { form, changed, save, conflict, discard } = settings;
  const { instanceOperations } = useFrontEndConfig();
  const [isAsking, setIsAsking] = useState(false);
  const submit = form.handleSubmit((values) => (needsRestart(changed) ? setIsAsking(true) : save.run(values)));
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Section title={t(`settings.parts.${part}.title`)} lead={t(`settings.parts.${part}.lead`)} flush>
        <div className="divide-y divide-line [&>*]:px-5 [&>*]:py-5 sm:[&>*]:px-6">{fields(settings)}</div>
        {save.error ? <ErrorNotice error={save.error} title={t("settings.saveFailed")} className="mx-5 mb-5 sm:mx-6" /> : null}
        {conflict.length > 0 ? <ConflictNotice instance={instance} settings={settings} /> : null}
        <SaveBar
          isDirty={changed.length > 0}
          isHeld={conflict.length > 0}
          blocked={instanceOperations ? undefined : workspaceText("manage.operationsOff")}
          pending={save.pending}
          state={changed.length > 0 ? t("settings.unsaved", { count: changed.length }) : t("settings.allSaved")}
          words={{ save: t("settings.save"), saving: t("settings.saving"), discard: t("settings.discard") }}
          onDiscard={discard}
        />
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
      <LeaveGuard
        active={changed.length > 0 || isMoreUnsaved}
        words={{ title: t("settings.leaveTitle"), text: t("settings.leaveText"), leave: t("settings.leave"), stay: t("settings.stay") }}
      />
    </form>
  );
}

/** What is about to be saved, and what it means for the running workspace. */
function RestartWords({ instance, settings: { changed, values } }: { instance: Instance; settings: Form }) {
  const { data } = useQuery(versionsQuery(instance.versionName));
  const version = changed.includes("versionName") ? data?.versions.find(({ name }) => name === values.versionName) : undefined;
  return (
    <>
      {changed.map((name) => (
        <span key={name} className="block font-medium text-ink">
          {settingText(name, values)}
        </span>
      ))}
      <span className="mt-2 block">{t("settings.confirmText")}</span>
      {version?.needsMigration ? <span className="mt-2 block font-medium text-ink">{t("settings.noDowngrade")}</span> : null}
    </>
  );
}
