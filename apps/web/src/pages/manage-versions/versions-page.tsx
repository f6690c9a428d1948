import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { MaintenanceFields } from "../../features/workspace-settings/form/maintenance-fields.tsx";
import { SettingsForm } from "../../features/workspace-settings/form/settings-form.tsx";
import { VersionField } from "../../features/workspace-settings/form/version/version-field.tsx";
import { UpdateSection } from "../../features/workspace-settings/update/update-section.tsx";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("places.nav.versions") };

/** The running release, how it changes, and the way back. */
export function Component() {
  return (
    <Place title={t("places.nav.versions")} lead={t("places.versions.lead")}>
      <LiveWorkspace>
        {(instance) =>
          instance.isBeingDeleted ? null : (
            <>
              <UpdateSection instance={instance} />
              <SettingsForm
                instance={instance}
                part="versions"
                fields={(settings) => (
                  <>
                    <VersionField instance={instance} settings={settings} />
                    <MaintenanceFields settings={settings} />
                  </>
                )}
              />
            </>
          )
        }
      </LiveWorkspace>
    </Place>
  );
}
