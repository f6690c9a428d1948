import { useInfiniteQuery } from "@tanstack/react-query";
import { latePart } from "../../../lib/first-view/late-part.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { LoadingLines } from "../../../ui/notices/loaded.tsx";
import { t } from "../words.ts";
import { journalQuery } from "../workspace-queries.ts";

const JournalEntries = latePart(async () => (await import("./journal-entries.tsx")).JournalEntries, {
  waiting: () => (
    <div className="p-5 sm:px-6">
      <LoadingLines lines={3} />
    </div>
  ),
  failed: (failure) => (
    <div className="p-5">
      <ErrorNotice {...failure} title={t("journal.notLoaded")} />
    </div>
  ),
});

/** What happened to the workspace and who did it, newest first. */
export function JournalList() {
  // The lines and what shows them are requested together.
  useInfiniteQuery(journalQuery("all"));
  return (
    <Card label={t("journal.title")}>
      <h2 className="border-b border-line px-5 py-3.5 font-semibold sm:px-6">{t("journal.title")}</h2>
      <JournalEntries kind="all" empty={t("journal.empty")} emptyText={t("journal.emptyText")} />
    </Card>
  );
}
