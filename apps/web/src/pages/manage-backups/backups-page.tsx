import { useInfiniteQuery } from "@tanstack/react-query";
import { BackupSection } from "../../features/export/backup-section.tsx";
import { backupsQuery } from "../../features/export/backups-query.ts";
import { RestoreNotice } from "../../features/export/restore/restore-notice.tsx";
import { t } from "../../features/export/words.ts";
import { Place } from "../../ui/place.tsx";
import { t as manageText } from "../../features/manage/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";

export const handle: PageHandle = { title: () => manageText("places.nav.backups") };

/** Backups of the whole workspace, and restoring them. */
export function Component() {
  const query = useInfiniteQuery(backupsQuery);
  const { data, error, refetch } = query;
  return (
    <Place title={manageText("places.nav.backups")} lead={t("exporting.backups.pageLead")}>
      {data ? (
        <>
          <RestoreNotice restore={data.restore} />
          <BackupSection overview={data} pages={query} />
        </>
      ) : error ? (
        <ErrorNotice error={error} title={t("exporting.loadFailed")} onRetry={() => void refetch()} />
      ) : (
        <SkeletonGroup label={t("common.loading")}>
          <Skeleton className="h-72" />
        </SkeletonGroup>
      )}
    </Place>
  );
}
