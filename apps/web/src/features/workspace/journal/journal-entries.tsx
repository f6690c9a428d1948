import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import type { JournalEntry } from "#contract/workspaces/workspace.ts";
import { Button } from "../../../ui/button.tsx";
import { TimeText } from "../../../ui/marks/time-text.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { LoadingLines } from "../../../ui/notices/loaded.tsx";
import { t } from "../words.ts";
import { journalQuery } from "../workspace-queries.ts";
import { ago } from "../../../lib/ago.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { dateFormat } from "../../../lib/formats.ts";
import { said } from "../../../words/sentences.ts";

const shownAtFirst = 8;

interface JournalEntriesProps {
  kind: "all" | "crashes";
  empty: string;
  emptyText: string;
}

/** Journal lines of a kind: a few at first, more on request. */
export function JournalEntries({ kind, empty, emptyText }: JournalEntriesProps) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(journalQuery(kind));
  const [most, setMost] = useState(shownAtFirst);
  const nowMs = useNow(30_000);
  if (!data) return error ? <NotLoaded error={error} onRetry={() => void refetch()} /> : <Loading />;
  const entries = data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) {
    return (
      <EmptyState icon={<History />} title={empty}>
        {emptyText}
      </EmptyState>
    );
  }
  const showMore = () => {
    setMost(most + 20);
    if (most + 20 > entries.length && hasNextPage) void fetchNextPage();
  };
  return (
    <>
      <ol className="@container divide-y divide-line">
        {entries.slice(0, most).map((entry) => (
          <JournalLine key={entry.id} entry={entry} nowMs={nowMs} />
        ))}
      </ol>
      {error ? <NotLoaded error={error} onRetry={() => void fetchNextPage()} /> : null}
      {entries.length > most || hasNextPage ? (
        <div className="border-t border-line p-2">
          <Button tone="quiet" pending={isFetchingNextPage} pendingText={t("common.loading")} onClick={showMore} className="w-full">
            {t("journal.showMore")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="p-5">
      <ErrorNotice error={error} title={t("journal.notLoaded")} onRetry={onRetry} />
    </div>
  );
}

const Loading = () => (
  <div className="p-5 sm:px-6">
    <LoadingLines lines={3} />
  </div>
);

const shortTime = dateFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function JournalLine({ entry, nowMs }: { entry: JournalEntry; nowMs: number }) {
  const at = new Date(entry.at);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-5 gap-y-0.5 px-5 py-2.5 text-sm sm:px-6 @lg:grid-cols-[7rem_minmax(0,1fr)_auto]">
      <TimeText at={entry.at} className="text-ink-soft tabular-nums">
        {ago(at, nowMs) ?? shortTime.format(at)}
      </TimeText>
      {/* Below the time and the name if there is little room. */}
      <div className="[overflow-wrap:anywhere] @max-lg:order-last @max-lg:col-span-2">
        <p>{said(entry.message)}</p>
        {entry.detail ? (
          <details className="mt-0.5">
            <summary className="w-fit cursor-pointer rounded-sm text-[0.8125rem] text-ink-soft">{t("journal.detail")}</summary>
            <pre className="mt-1 rounded-md bg-sunken p-2.5 font-mono text-xs whitespace-pre-wrap">{entry.detail}</pre>
          </details>
        ) : null}
      </div>
      <p className="max-w-40 text-right text-[0.8125rem] [overflow-wrap:anywhere] text-ink-soft @lg:max-w-48">
        {entry.by ? t("journal.by", { name: entry.by }) : t("journal.byItself")}
      </p>
    </li>
  );
}
