import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { daysAgo } from "../../../lib/ago.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { paths } from "../../../lib/paths.ts";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { Section } from "../../../ui/section.tsx";
import { backupsQuery, isUnderWay } from "../backups-query.ts";
import { countText, exactText } from "../size-text.ts";
import { t } from "../words.ts";
import { BackUpNow, useBackUpNow } from "./back-up-now.tsx";

/** How old the newest backup is, what it has, and a button to make another: for a page on which more than that could be lost. */
export function NewestBackup() {
  const { data, error, refetch } = useInfiniteQuery(backupsQuery);
  const create = useBackUpNow();
  const nowMs = useNow(60_000);
  if (!data)
    return error ? (
      <ErrorNotice error={error} title={t("exporting.loadFailed")} onRetry={() => void refetch()} />
    ) : (
      <SkeletonGroup label={t("common.loading")}>
        <Skeleton className="h-36" />
      </SkeletonGroup>
    );
  const newest = data.backups.find(({ state }) => state === "successful");
  return (
    <Section title={t("exporting.newest.title")} action={data.canBackUp ? <BackUpNow action={create} tone="plain" /> : null}>
      {create.error ? <ErrorNotice error={create.error} title={t("exporting.backups.failed")} className="mb-4" /> : null}
      <p role="status" className="max-w-prose text-sm text-ink-soft">
        {data.backups.some(({ state }) => isUnderWay(state)) ? (
          t("exporting.newest.underWay")
        ) : newest ? (
          <>
            <span title={exactText(newest.createdAt)} className="block text-ink">
              {t("exporting.newest.has", {
                ago: daysAgo(new Date(newest.createdAt), nowMs),
                workflows: countText("workflows", newest.workflows ?? 0),
                credentials: countText("credentials", newest.credentials ?? 0),
              })}
            </span>
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
