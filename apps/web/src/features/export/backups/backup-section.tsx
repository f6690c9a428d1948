import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { DatabaseBackup } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { BackupRow } from "./backup-row.tsx";

type Pages = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "error" | "fetchNextPage">;

/** The list of backups, and the button that loads older ones. */
export function BackupSection({
  overview: { backups, canRestore, restore },
  pages,
  nowMs,
  now,
}: {
  overview: BackupOverview;
  pages: Pages;
  nowMs: number;
  /** Makes the first one; absent if that is not possible yet. */
  now: ReactNode;
}) {
  const { list, showOlder } = useOlder(backups.length, pages.fetchNextPage);
  // With a reason, it waits for the next try, and another backup can be chosen instead.
  const isRestoring = restore !== null && restore.finishedAt === null && restore.reason === null;
  return (
    <Card label={t("exporting.backups.title")} className="overflow-hidden">
      {backups.length === 0 ? (
        <EmptyState icon={<DatabaseBackup />} title={t("exporting.backups.emptyTitle")} action={now}>
          {now ? t("exporting.backups.emptyText") : t("exporting.backups.emptyNever")}
        </EmptyState>
      ) : (
        <ul ref={list} className="divide-y divide-line">
          {backups.map((backup) => (
            <BackupRow key={backup.id} backup={backup} canRestore={canRestore && !isRestoring} nowMs={nowMs} />
          ))}
        </ul>
      )}
      {pages.isFetchNextPageError ? (
        <ErrorNotice
          error={pages.error}
          title={t("exporting.backups.olderFailed")}
          className="m-5 sm:mx-6"
          onRetry={showOlder}
          retrying={pages.isFetchingNextPage}
        />
      ) : pages.hasNextPage ? (
        <div className="border-t border-line p-2">
          <Button tone="quiet" pending={pages.isFetchingNextPage} pendingText={t("common.loading")} onClick={showOlder} className="w-full">
            {t("exporting.backups.older")}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

/**
 * Loads the next page and moves the focus to its first row, because the pressed button disappears with the last page. `count`: rows in the
 * list.
 */
function useOlder(count: number, load: Pages["fetchNextPage"]) {
  const list = useRef<HTMLUListElement>(null);
  const from = useRef<number | null>(null);
  useEffect(() => {
    if (from.current === null || count <= from.current) return;
    const row = list.current?.children[from.current];
    from.current = null;
    if (!(row instanceof HTMLElement)) return;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  }, [count]);
  const showOlder = () => {
    from.current = count;
    void load().then(({ isError }) => {
      if (isError) from.current = null;
    });
  };
  return { list, showOlder };
}
