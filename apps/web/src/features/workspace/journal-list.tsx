import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/skeleton.tsx";
import { t } from "../../words/words.ts";
import { journalQuery } from "./workspace-queries.ts";

const shownAtFirst = 8;

interface Entry {
  at: string;
  event: string;
  message: string;
  detail: string | null;
}

/** What happened to the workspace, newest first. */
export function JournalList() {
  const { data: entries, error, refetch } = useQuery(journalQuery);
  return (
    <Card label={t("journal.title")}>
      <h2 className="border-b border-line px-5 py-3.5 font-semibold sm:px-6">{t("journal.title")}</h2>
      {entries ? (
        <Entries entries={entries} />
      ) : error ? (
        <div className="p-5">
          <ErrorNotice
            error={error}
            title={t("journal.notLoaded")}
            action={
              <Button tone="plain" onClick={() => void refetch()}>
                {t("common.tryAgain")}
              </Button>
            }
          />
        </div>
      ) : (
        <SkeletonGroup label={t("common.loading")} className="space-y-3.5 p-5 sm:px-6">
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-4 w-2/3" />
        </SkeletonGroup>
      )}
    </Card>
  );
}

function Entries({ entries }: { entries: Entry[] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (entries.length === 0) {
    return (
      <EmptyState icon={<History />} title={t("journal.empty")}>
        {t("journal.emptyText")}
      </EmptyState>
    );
  }
  const shown = showsAll ? entries : entries.slice(0, shownAtFirst);
  return (
    <>
      <ol className="divide-y divide-line">
        {shown.map((entry) => (
          <JournalLine key={`${entry.at} ${entry.event} ${entry.message}`} entry={entry} />
        ))}
      </ol>
      {entries.length > shownAtFirst ? (
        <div className="border-t border-line p-2">
          <Button tone="quiet" onClick={() => setShowsAll(!showsAll)} className="w-full">
            {showsAll ? t("journal.showFewer") : t("journal.showAll", { count: entries.length })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

const shortTime = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const longTime = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });

function JournalLine({ entry }: { entry: Entry }) {
  const at = new Date(entry.at);
  return (
    <li className="flex flex-wrap gap-x-5 gap-y-0.5 px-5 py-2.5 text-sm sm:px-6">
      <time dateTime={entry.at} title={longTime.format(at)} className="w-28 shrink-0 text-ink-soft tabular-nums">
        {shortTime.format(at)}
      </time>
      <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <p>{entry.message}</p>
        {entry.detail ? (
          <details className="mt-0.5">
            <summary className="w-fit cursor-pointer rounded-sm text-[0.8125rem] text-ink-soft">{t("journal.detail")}</summary>
            <pre className="mt-1 rounded-md bg-sunken p-2.5 font-mono text-xs whitespace-pre-wrap">
              {entry.detail}
            </pre>
          </details>
        ) : null}
      </div>
    </li>
  );
}
