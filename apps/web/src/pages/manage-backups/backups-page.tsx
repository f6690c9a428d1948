import { useInfiniteQuery } from "@tanstack/react-query";
import { BackUpNow, useBackUpNow } from "../../features/export/backups/back-up-now.tsx";
import { BackupSchedule } from "../../features/export/backups/backup-schedule.tsx";
import { BackupSection } from "../../features/export/backups/backup-section.tsx";
import { backupsQuery } from "../../features/export/backups-query.ts";
import { RefusedDownload } from "../../features/export/refused-download.tsx";
import { RestoreNotice } from "../../features/export/restore/restore-notice.tsx";
import { t } from "../../features/export/words.ts";
import { Place } from "../../ui/place.tsx";
import { t as manageText } from "../../features/manage/words.ts";
import { useNow } from "../../lib/browser/use-now.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";

export const handle: PageHandle = { title: () => manageText("places.nav.backups") };

/** Backups of the whole workspace: when they are made, what is in each, and restoring them. */
export function Component() {
  const query = useInfiniteQuery(backupsQuery);
  const { data, error, refetch } = query;
  const create = useBackUpNow();
  const nowMs = useNow(60_000);
  const now = data?.canBackUp ? <BackUpNow action={create} /> : null;
  const isEmpty = data?.backups.length === 0;
  return (
    <Place title={manageText("places.nav.backups")} lead={t("exporting.backups.pageLead")} action={isEmpty ? null : now}>
      <RefusedDownload />
      {data ? (
        <>
          {create.error ? <ErrorNotice error={create.error} title={t("exporting.backups.failed")} /> : null}
          <RestoreNotice restore={data.restore} />
          <BackupSchedule overview={data} nowMs={nowMs} />
          <BackupSection overview={data} pages={query} nowMs={nowMs} now={now} />
        </>
      ) : error ? (
        <ErrorNotice error={error} title={t("exporting.loadFailed")} onRetry={() => void refetch()} />
      ) : (
        <SkeletonGroup label={t("common.loading")}>
          <Skeleton className="h-38" />
          <Skeleton className="mt-5 h-72" />
        </SkeletonGroup>
      )}
    </Place>
  );
}
