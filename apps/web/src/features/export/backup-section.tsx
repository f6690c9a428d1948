import { useQueryClient } from "@tanstack/react-query";
import { DatabaseBackup } from "lucide-react";
import type { BackupOverview } from "#contract/backup.ts";
import { callApi } from "../../lib/api-client.ts";
import { notify } from "../../lib/notices.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "../../words/words.ts";
import { BackupRow } from "./backup-row.tsx";
import { backupsQuery } from "./backups-query.ts";

/** The list of backups, and the way to one more. */
export function BackupSection({ overview: { backups, keptDays, canBackUp, canRestore, restore } }: { overview: BackupOverview }) {
  const queries = useQueryClient();
  const create = useAction(async () => {
    await callApi("createBackup");
    notify("info", t("exporting.backups.asked"));
    await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
  });
  const now = canBackUp ? (
    <Button tone={backups.length === 0 ? "primary" : "plain"} pending={create.pending} pendingText={t("exporting.backups.starting")} onClick={() => void create.run()}>
      {t("exporting.backups.now")}
    </Button>
  ) : undefined;
  const isRestoring = restore !== null && restore.finishedAt === null;
  return (
    <Section title={t("exporting.backups.title")} lead={t("exporting.backups.lead", { count: keptDays })} flush action={backups.length === 0 ? undefined : now}>
      {create.error ? <ErrorNotice error={create.error} title={t("exporting.backups.failed")} className="m-5 sm:mx-6" /> : null}
      {backups.length === 0 ? (
        <EmptyState icon={<DatabaseBackup />} title={t("exporting.backups.emptyTitle")} action={now}>
          {canBackUp ? t("exporting.backups.emptyText") : t("exporting.backups.emptyNever")}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {backups.map((backup) => (
            <BackupRow key={backup.id} backup={backup} canRestore={canRestore && !isRestoring} />
          ))}
        </ul>
      )}
    </Section>
  );
}
