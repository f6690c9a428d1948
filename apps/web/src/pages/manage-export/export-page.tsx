import { useInfiniteQuery } from "@tanstack/react-query";
import { BackupSection } from "../../features/export/backup-section.tsx";
import { backupsQuery } from "../../features/export/backups-query.ts";
import { ExportSection } from "../../features/export/export-section.tsx";
import { RestoreNotice } from "../../features/export/restore-notice.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "../../features/export/words.ts";
import { t as memberText } from "../../features/members/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => memberText("manageArea.nav.export") };

/** Everything in the workspace: copied, put back, and taken away. */
export function Component() {
  const query = useInfiniteQuery(backupsQuery);
  const { data, error, refetch } = query;
  return (
    <div className="max-w-3xl space-y-5">
      <div>
        <h1 className="text-2xl font-semibold">{t("exporting.title")}</h1>
        <p className="mt-1 text-ink-soft">{t("exporting.lead")}</p>
      </div>
      {data ? (
        <>
          <RestoreNotice restore={data.restore} />
          <BackupSection overview={data} pages={query} />
          {data.hasExports || data.exports.length > 0 ? <ExportSection overview={data} /> : null}
        </>
      ) : error ? (
        <ErrorNotice error={error} title={t("exporting.loadFailed")} onRetry={() => void refetch()} />
      ) : (
        <SkeletonGroup label={t("common.loading")} className="space-y-5">
          <Skeleton className="h-72" />
          <Skeleton className="h-48" />
        </SkeletonGroup>
      )}
    </div>
  );
}
