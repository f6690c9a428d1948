import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { latePart } from "../../lib/first-view/late-part.tsx";
import { NewestBackupLoading } from "../../features/export/backups/newest-backup-loading.tsx";
import { DangerZone } from "../../features/workspace-settings/danger/danger-zone.tsx";
import { t as dangerText } from "../../features/workspace-settings/danger/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("places.nav.danger") };

const NewestBackup = latePart(async () => (await import("../../features/export/backups/newest-backup.tsx")).NewestBackup, {
  waiting: () => <NewestBackupLoading label={t("common.loading")} />,
});

/** Actions that cannot be undone, separate from everything else. */
export function Component() {
  return (
    <Place title={t("places.nav.danger")} lead={dangerText("danger.pageLead")}>
      <LiveWorkspace>
        {({ isBeingDeleted, life }) =>
          isBeingDeleted ? null : (
            <>
              <NewestBackup />
              <DangerZone life={life} />
            </>
          )
        }
      </LiveWorkspace>
    </Place>
  );
}
