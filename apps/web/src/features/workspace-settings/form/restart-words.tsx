import { useQuery } from "@tanstack/react-query";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { t } from "../words.ts";
import { settingText } from "./setting-text.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import { versionsQuery } from "./version/versions-query.ts";

/** What is about to be saved, and what it means for the running workspace. */
export function RestartWords({ instance, settings: { changed, values } }: { instance: Instance; settings: SettingsForm }) {
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
