import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { AfterPaint } from "../../lib/browser/after-paint.tsx";
import { loadPage } from "../../lib/faults/chunk-reload.ts";
import { Card } from "../../ui/card.tsx";
import { LoadingLines } from "../../ui/notices/loaded.tsx";
import { t } from "./words.ts";
import { journalQuery } from "./workspace-queries.ts";

const JournalEntries = lazy(() =>
  loadPage(() => import("./journal-entries.tsx")).then(({ JournalEntries: entries }) => ({ default: entries })),
);

/** What happened to the workspace and who did it, newest first. */
export function JournalList() {
  // The lines and what shows them are requested together.
  useInfiniteQuery(journalQuery("all"));
  const waiting = (
    <div className="p-5 sm:px-6">
      <LoadingLines lines={3} />
    </div>
  );
  return (
    <Card label={t("journal.title")}>
      <h2 className="border-b border-line px-5 py-3.5 font-semibold sm:px-6">{t("journal.title")}</h2>
      <AfterPaint waiting={waiting}>
        <JournalEntries kind="all" empty={t("journal.empty")} emptyText={t("journal.emptyText")} />
      </AfterPaint>
    </Card>
  );
}
