import { useState, type ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "../words.ts";
import { Loaded, type LoadedProps } from "../../../ui/notices/loaded.tsx";

interface HistorySectionProps<Entry> {
  title: string;
  /** Answers newest first. */
  query: LoadedProps<readonly Entry[]>["query"];
  /** What is said where the list could not be loaded. */
  failed: string;
  empty: { icon: ReactNode; title: string; text: string };
  row: (entry: Entry) => ReactNode;
}

/** A year of monthly entries would push everything else away. */
const firstShown = 6;

/** What happened, newest first: a few entries, and all of them when asked. */
export function HistorySection<Entry>({ title, query, failed, empty, row }: HistorySectionProps<Entry>) {
  return (
    <Section title={title}>
      <Loaded query={query} failed={failed} lines={4}>
        {(entries) =>
          entries.length > 0 ? (
            <Entries entries={entries} row={row} />
          ) : (
            <EmptyState icon={empty.icon} title={empty.title}>
              {empty.text}
            </EmptyState>
          )
        }
      </Loaded>
    </Section>
  );
}

function Entries<Entry>({ entries, row }: { entries: readonly Entry[]; row: (entry: Entry) => ReactNode }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? entries : entries.slice(0, firstShown);
  return (
    <>
      <ul className="-my-3 divide-y divide-line">{shown.map(row)}</ul>
      {shown.length < entries.length ? (
        <Button tone="quiet" onClick={() => setShowsAll(true)} className="mt-4 -ml-4">
          {t("billing.showAll", { count: entries.length })}
        </Button>
      ) : null}
    </>
  );
}
