import { Search } from "lucide-react";
import { startTransition, useCallback, useMemo, useRef, useState, useEffect } from "react";
import { flushSync } from "react-dom";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { Button } from "../../ui/button.tsx";
import { inputClass } from "../../ui/form/field-frame.tsx";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../sign-up/words.ts";
import type { AppCatalogue } from "./apps-query.ts";
import { AppList } from "./app-list.tsx";
import { ChosenApps } from "./chosen-apps.tsx";
import { orderApps } from "./order-apps.ts";
import { makeSearchable, searchApps } from "./search-apps.ts";
import { analytics } from "../../lib/analytics/analytics.ts";

interface AppPickerProps {
  catalogue: AppCatalogue;
  /** The engine's name, which is part of its own tools' names. */
  provider: string;
  chosen: readonly string[];
  onChange: (change: (before: readonly string[]) => readonly string[]) => void;
}

/**
 * Search, list and choice. Typing never waits for the list, which is updated as soon as the browser has time. Moving into the list by
 * keyboard updates it first, because the next keys would otherwise act on the earlier list.
 */
export function AppPicker({ catalogue, provider, chosen, onChange }: AppPickerProps) {
  const [query, setQuery] = useState("");
  const [shownQuery, setShownQuery] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const apps = useMemo(
    () => makeSearchable(orderApps(catalogue.nodes, (name) => t("apps.provider", { name, provider }))),
    [catalogue, provider],
  );
  const names = useMemo(() => new Map(apps.map(({ name, displayName }) => [name, displayName])), [apps]);
  const found = useMemo(() => searchApps(apps, shownQuery), [apps, shownQuery]);
  useSearchEvent(shownQuery, found.length);
  const chosenSet = useMemo(() => new Set(chosen), [chosen]);

  const type = (text: string) => {
    setQuery(text);
    startTransition(() => setShownQuery(text));
  };
  const enterList = () => {
    flushSync(() => setShownQuery(query));
    list.current?.focus();
  };
  // The same function for all five hundred rows, so that neither typing nor choosing renders unchanged rows again.
  const toggle = useCallback(
    (name: string) => onChange((before) => (before.includes(name) ? before.filter((other) => other !== name) : [...before, name])),
    [onChange],
  );

  return (
    <div className="space-y-4">
      <div className="relative">
        <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft" aria-hidden="true" />
        <input
          ref={search}
          type="search"
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") {
              event.preventDefault();
              enterList();
            } else if (event.key === "Enter") {
              // Enter after typing a name selects the app and never submits the form.
              event.preventDefault();
              const best = query.trim() === "" ? undefined : searchApps(apps, query)[0];
              if (best) toggle(best.name);
            }
          }}
          aria-label={t("apps.search")}
          aria-describedby="apps-hint"
          placeholder={t("apps.search")}
          autoComplete="off"
          spellCheck={false}
          className={classNames(inputClass, "border-line-strong pl-9")}
        />
      </div>
      <p id="apps-hint" className="-mt-2 flex justify-between gap-4 text-[0.8125rem] text-ink-soft">
        <span>{t("apps.searchHint")}</span>
        <span aria-live="polite" className="shrink-0 tabular-nums">
          {t("apps.found", { count: found.length })}
        </span>
      </p>
      {found.length > 0 ? (
        <AppList
          ref={list}
          apps={found}
          query={shownQuery}
          version={catalogue.version}
          chosen={chosenSet}
          onToggle={toggle}
          onType={() => search.current?.focus()}
        />
      ) : (
        <EmptyState
          icon={<Search />}
          title={t("apps.none", { query: shownQuery.trim() })}
          action={
            <Button tone="plain" onClick={() => (type(""), search.current?.focus())}>
              {t("apps.clearSearch")}
            </Button>
          }
        >
          {t("apps.noneText")}
        </EmptyState>
      )}
      <ChosenApps chosen={chosen} nameOf={(name) => names.get(name) ?? name} onRemove={toggle} />
    </div>
  );
}

/** Input counts as a search once it has not changed for a second. */
const settledMs = 1000;

/** Records the search term, with the number of apps found. */
function useSearchEvent(query: string, results: number): void {
  const term = query.trim();
  useEffect(() => {
    if (term === "") return;
    const timer = setTimeout(() => analytics.track("search term", { search_string: term, results_count: results }), settledMs);
    return () => clearTimeout(timer);
  }, [term, results]);
}
