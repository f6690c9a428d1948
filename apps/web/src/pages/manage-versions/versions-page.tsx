import { lazy, Suspense } from "react";
import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { MaintenanceFields } from "../../features/workspace-settings/form/maintenance-fields.tsx";
import { SettingsForm } from "../../features/workspace-settings/form/settings-form.tsx";
import { VersionField } from "../../features/workspace-settings/form/version/version-field.tsx";
import { UpdateSection } from "../../features/workspace-settings/update/update-section.tsx";
import { loadPage } from "../../lib/faults/load-page.ts";
import type { PageHandle } from "../../lib/page-title.ts";

/** A chunk of its own: nothing comes below it. */
const VersionHistory = lazy(() =>
  loadPage(() => import("../../features/workspace-settings/version-history/version-history.tsx")).then(({ VersionHistory: history }) => ({
    default: history,
  })),
);

export const handle: PageHandle = { title: () => t("places.nav.versions") };

/** The last change, the releases with what each brings, when updates are installed, and which version ran when. */
export function Component() {
  return (
    <Place title={t("places.nav.versions")} lead={t("places.versions.lead")}>
      <LiveWorkspace>
        {(instance) =>
          instance.isBeingDeleted ? null : (
            <UpdateSection instance={instance}>
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
              <Suspense fallback={<span hidden data-waiting />}>
                <VersionHistory instance={instance} />
              </Suspense>
            </UpdateSection>
          )
        }
      </LiveWorkspace>
    </Place>
  );
}
