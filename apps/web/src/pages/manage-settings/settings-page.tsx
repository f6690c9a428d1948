import { lazy, Suspense, useState } from "react";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { isOnline } from "../../features/workspace/state/workspace-status.ts";
import { GeneralFields } from "../../features/workspace-settings/form/general-fields.tsx";
import { SettingsForm } from "../../features/workspace-settings/form/settings-form.tsx";
import { loadPage } from "../../lib/faults/chunk-reload.ts";
import type { PageHandle } from "../../lib/page-title.ts";

/** Separate chunks: the page is at its size budget, and only they are below its form. */
const VariablesSection = lazy(() =>
  loadPage(() => import("../../features/workspace-settings/variables/variables-section.tsx")).then(({ VariablesSection: section }) => ({
    default: section,
  })),
);
const CommunityNodesSection = lazy(() =>
  loadPage(() => import("../../features/workspace-settings/community-nodes/community-nodes-section.tsx")).then(
    ({ CommunityNodesSection: section }) => ({
      default: section,
    }),
  ),
);

export const handle: PageHandle = { title: () => t("places.nav.settings") };

/** The settings that the workspace gets when it starts. */
export function Component() {
  const [isUnsaved, setIsUnsaved] = useState(false);
  return (
    <Place title={t("places.nav.settings")} lead={t("places.settings.lead")}>
      <LiveWorkspace>
        {(instance) =>
          instance.isBeingDeleted ? null : (
            <>
              <SettingsForm
                instance={instance}
                part="general"
                isMoreUnsaved={isUnsaved}
                fields={(settings) => <GeneralFields settings={settings} />}
              />
              <Suspense fallback={<span hidden data-waiting />}>
                <VariablesSection instance={instance} onUnsaved={setIsUnsaved} />
                {engineTraits[instance.engine].communityNodes ? <CommunityNodesSection isOnline={isOnline(instance)} /> : null}
              </Suspense>
            </>
          )
        }
      </LiveWorkspace>
    </Place>
  );
}
