import { useInfiniteQuery } from "@tanstack/react-query";
import { backupsQuery } from "../../features/export/backups-query.ts";
import { RefusedDownload } from "../../features/export/refused-download.tsx";
import { ExportSection } from "../../features/export/export-section.tsx";
import { t } from "../../features/export/words.ts";
import { Place } from "../../ui/place.tsx";
import { t as manageText } from "../../features/manage/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";

export const handle: PageHandle = { title: () => manageText("places.nav.export") };

/** Exports of workflows, and the link to the backups, which had this address before. */
export function Component() {
  const { data, error, refetch } = useInfiniteQuery(backupsQuery);
  return (
    <Place title={manageText("places.nav.export")} lead={t("exporting.lead")}>
      <RefusedDownload />
      {data ? (
        data.hasExports || data.exports.length > 0 ? (
          <ExportSection overview={data} />
        ) : null
      ) : error ? (
        <ErrorNotice error={error} title={t("exporting.loadFailed")} onRetry={() => void refetch()} />
      ) : (
        <SkeletonGroup label={t("common.loading")}>
          <Skeleton className="h-[475px] sm:h-[399px]" />
        </SkeletonGroup>
      )}
      {/* Not before what is above it, because its position depends on that. */}
      {data || error ? (
        <Notice
          tone="info"
          title={t("exporting.whole.title")}
          action={
            <ButtonLink to={paths.backups} tone="plain">
              {t("exporting.whole.link")}
            </ButtonLink>
          }
        >
          {t("exporting.whole.text")}
        </Notice>
      ) : null}
    </Place>
  );
}
