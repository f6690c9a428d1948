import { useQueryClient, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { DatabaseBackup } from "lucide-react";
import { useEffect, useRef } from "react";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "./words.ts";
import { BackupRow } from "./backup-row.tsx";
import { backupsQuery } from "./backups-query.ts";

type Pages = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "error" | "fetchNextPage">;

/** The list of backups, the button that requests another, and the one that loads older ones. */
export function BackupSection({
  overview: { backups, keptDays, canBackUp, canRestore, restore },
  pages,
}: {
  overview: BackupOverview;
  pages: Pages;
}) {
  const queries = useQueryClient();
  const { list, showOlder } = useOlder(backups.length, pages.fetchNextPage);
  const create = useAction(async () => {
    await callApi("createBackup");
    notify("info", t("exporting.backups.asked"));
    await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
  });
  const now = canBackUp ? (
    <Button
      tone={backups.length === 0 ? "primary" : "plain"}
      pending={create.pending}
      pendingText={t("exporting.backups.starting")}
      onClick={() => void create.run()}
    >
      {t("exporting.backups.now")}
    </Button>
  ) : undefined;
  const isRestoring = restore !== null && restore.finishedAt === null;
  return (
    <Section
      title={t("exporting.backups.title")}
      lead={t("exporting.backups.lead", { count: keptDays })}
      flush
      action={backups.length === 0 ? undefined : now}
    >
      {create.error ? <ErrorNotice error={create.error} title={t("exporting.backups.failed")} className="m-5 sm:mx-6" /> : null}
      {backups.length === 0 ? (
        <EmptyState icon={<DatabaseBackup />} title={t("exporting.backups.emptyTitle")} action={now}>
          {canBackUp ? t("exporting.backups.emptyText") : t("exporting.backups.emptyNever")}
        </EmptyState>
      ) : (
        <ul ref={list} className="divide-y divide-line">
          {backups.map((backup) => (
            <BackupRow key={backup.id} backup={backup} canRestore={canRestore && !isRestoring} />
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
    </Section>
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
