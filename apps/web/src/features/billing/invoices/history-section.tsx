import { useState, type ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { Section } from "../../../ui/section.tsx";
import { Table, type Column } from "../../../ui/table.tsx";
import { t } from "../words.ts";
import { Loaded, type LoadedProps } from "../../../ui/notices/loaded.tsx";

interface HistorySectionProps<Entry> {
  title: string;
  lead?: string;
  /** Answers newest first. */
  query: LoadedProps<readonly Entry[]>["query"];
  /** The message if the list could not be loaded. */
  failed: string;
  empty: { icon: ReactNode; title: string; text: string };
  columns: readonly Column<Entry>[];
  /** Between the heading and the entries. */
  notice?: ReactNode;
}

/** A year of monthly entries would push everything else away. */
const firstShown = 6;

/** What happened, newest first: a few entries at first, all on request. */
export function HistorySection<Entry extends { id: string }>({
  title,
  lead,
  query,
  failed,
  empty,
  columns,
  notice,
}: HistorySectionProps<Entry>) {
  return (
    <Section title={title} {...(lead ? { lead } : {})}>
      {notice}
      <Loaded query={query} failed={failed} lines={4}>
        {(entries) =>
          entries.length > 0 ? (
            <Entries label={title} entries={entries} columns={columns} />
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

interface EntriesProps<Entry> {
  label: string;
  entries: readonly Entry[];
  columns: readonly Column<Entry>[];
}

function Entries<Entry extends { id: string }>({ label, entries, columns }: EntriesProps<Entry>) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? entries : entries.slice(0, firstShown);
  return (
    <>
      <Table label={label} columns={columns} rows={shown} keyOf={({ id }) => id} className="-my-2.5" />
      {shown.length < entries.length ? (
        <Button tone="quiet" onClick={() => setShowsAll(true)} className="mt-4 -ml-4">
          {t("billing.showAll", { count: entries.length })}
        </Button>
      ) : null}
    </>
  );
}
