import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Backup, BackupOverview } from "#contract/workspaces/backup.ts";
import { daysAgo } from "../../../lib/ago.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { paths } from "../../../lib/paths.ts";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { TimeText } from "../../../ui/marks/time-text.tsx";
import { Section } from "../../../ui/section.tsx";
import { backupsQuery, isUnderWay } from "../backups-query.ts";
import { countText } from "../size-text.ts";
import { t } from "../words.ts";
import { BackUpNow, useBackUpNow } from "./back-up-now.tsx";
import { NewestBackupLoading } from "./newest-backup-loading.tsx";

/** The newest successful backup of the current workspace; the last one of a deleted workspace does not count. */
function newestOf({ backups }: BackupOverview): Backup | undefined {
  const newest = backups.find(({ state }) => state === "successful");
  return newest?.isOfThisWorkspace && newest.kind !== "before-deletion" ? newest : undefined;
}

/** How old the newest backup is, what it has, and a button to make another: for pages where newer changes could be lost. */
export function NewestBackup() {
  const { data, error, refetch } = useInfiniteQuery(backupsQuery);
  const create = useBackUpNow();
  const nowMs = useNow(60_000);
  if (!data)
    return error ? (
      <ErrorNotice error={error} title={t("exporting.loadFailed")} onRetry={() => void refetch()} />
    ) : (
      <NewestBackupLoading label={t("common.loading")} />
    );
  const newest = newestOf(data);
  const counts = (["workflows", "credentials"] as const).flatMap((kind) => {
    const count = newest?.[kind] ?? null;
    return count === null ? [] : [countText(kind, count)];
  });
  const contents = counts.join(", ");
  return (
    <Section title={t("exporting.newest.title")} action={data.canBackUp ? <BackUpNow action={create} tone="plain" /> : null}>
      {create.error ? <ErrorNotice error={create.error} title={t("exporting.backups.failed")} className="mb-4" /> : null}
      <p role="status" className="min-h-16 max-w-prose text-sm text-ink-soft sm:min-h-11">
        {data.backups.some(({ state }) => isUnderWay(state)) ? (
          t("exporting.newest.underWay")
        ) : newest ? (
          <>
            <TimeText at={newest.createdAt} className="block text-ink">
              {t(contents ? "exporting.newest.has" : "exporting.newest.uncounted", {
                ago: daysAgo(new Date(newest.createdAt), nowMs),
                contents,
              })}
            </TimeText>
            <span className="mt-0.5 block">{t("exporting.newest.since")}</span>
          </>
        ) : (
          t("exporting.newest.none")
        )}
      </p>
      <Link to={paths.backups} className="link mt-3 inline-block text-sm">
        {t("exporting.whole.link")}
      </Link>
    </Section>
  );
}
