import { lazy, Suspense, useState } from "react";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { isOnline } from "../../features/workspace/state/workspace-status.ts";
import { GeneralFields } from "../../features/workspace-settings/form/general-fields.tsx";
import { SettingsForm } from "../../features/workspace-settings/form/settings-form.tsx";
import { latePart } from "../../lib/first-view/late-part.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t as workspaceText } from "../../features/workspace/words.ts";
import { loadPage } from "../../lib/faults/load-page.ts";
import type { PageHandle } from "../../lib/page-title.ts";

/** Like the sections below the form a separate chunk, because the page is at its size budget; as high before it is there as after it. */
const StatusLine = latePart(async () => (await import("./status-line.tsx")).StatusLine, {
  waiting: () => (
    <Card className="h-[174px] px-5 py-5 sm:h-[126px] sm:px-6 lg:h-[74px]">
      <SkeletonGroup label={t("common.loading")}>
        <Skeleton className="h-8 w-56" />
      </SkeletonGroup>
    </Card>
  ),
  failed: (failure) => <ErrorNotice {...failure} title={workspaceText("workspace.notLoaded")} />,
});

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

/** How the workspace is, and the settings that it gets when it starts. */
export function Component() {
  const [isUnsaved, setIsUnsaved] = useState(false);
  return (
    <Place title={t("places.nav.settings")} lead={t("places.settings.lead")}>
      <LiveWorkspace>
        {(instance) => (
          <>
            <StatusLine instance={instance} />
            {instance.isBeingDeleted ? null : (
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
            )}
          </>
        )}
      </LiveWorkspace>
    </Place>
  );
}
