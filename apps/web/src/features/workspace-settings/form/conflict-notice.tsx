import type { Instance } from "#contract/workspaces/workspace.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { settingText } from "./setting-text.ts";
import { valuesOf } from "./settings-values.ts";
import type { SettingsForm } from "./use-settings-form.ts";

/** Another tab or an update changed the settings: shows the current settings, and lets the owner choose which of their changes to keep. */
export function ConflictNotice({ instance, settings: { conflict, keepMine, takeTheirs } }: { instance: Instance; settings: SettingsForm }) {
  return (
    <div className="px-5 pb-5 sm:px-6">
      <Notice
        tone="warning"
        title={t("settings.conflict")}
        action={
          <>
            <Button tone="plain" onClick={keepMine}>
              {t("settings.keepMine")}
            </Button>
            <Button tone="quiet" onClick={takeTheirs}>
              {t("settings.takeTheirs")}
            </Button>
          </>
        }
      >
        <p>{t("settings.conflictLead")}</p>
        <ul className="mt-1 list-disc pl-5">
          {conflict.map((name) => (
            <li key={name}>{settingText(name, valuesOf(instance))}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
