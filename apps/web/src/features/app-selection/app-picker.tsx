import { Search } from "lucide-react";
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { Button } from "../../ui/button.tsx";
import { inputClass } from "../../ui/form/field-frame.tsx";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../sign-up/words.ts";
import { AppList } from "./app-list.tsx";
import type { App } from "./apps-of-nodes.ts";
import { inCategory, listCategories } from "./categories.ts";
import { CategoryChoice } from "./category-choice.tsx";
import { makeSearchable, searchApps } from "./search-apps.ts";
import { analytics } from "../../lib/analytics/analytics.ts";

interface AppPickerProps {
  /** In the order in which they are offered. */
  apps: readonly App[];
  /** From the catalogue, for its pictures. */
  version: string;
  chosen: readonly string[];
  onToggle: (name: string) => void;
}

/** What the list shows: a search looks through all apps, a category through its own. */
interface Shown {
  query: string;
  category: string;
}

/**
 * Search, categories and list. Typing never waits for the list, which is updated as soon as the browser has time. Moving into the list by
 * keyboard updates it first, because the next keys would otherwise act on the earlier list.
 */
export function AppPicker({ apps, version, chosen, onToggle }: AppPickerProps) {
  const [query, setQuery] = useState("");
  const [shown, setShown] = useState<Shown>({ query: "", category: "" });
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const searchable = useMemo(() => makeSearchable(apps), [apps]);
  const categories = useMemo(() => listCategories(apps), [apps]);
  const found = useMemo(() => searchApps(inCategory(searchable, shown.category), shown.query), [searchable, shown]);
  useSearchEvent(shown.query, found.length);
  const chosenSet = useMemo(() => new Set(chosen), [chosen]);

  const type = (text: string) => {
    setQuery(text);
    startTransition(() => setShown({ query: text, category: "" }));
  };
  const look = (category: string) => {
    setQuery("");
    setShown({ query: "", category });
  };
  const enterList = () => {
    flushSync(() => setShown({ ...shown, query }));
    list.current?.focus();
  };
  const focusSearch = useCallback(() => search.current?.focus(), []);

  return (
    <div className="space-y-3">
      <div className="relative">
        <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft" aria-hidden="true" />
        <input
          ref={search}
          type="search"
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "ArrowDown") {
              event.preventDefault();
              enterList();
            } else if (event.key === "Enter") {
              // Enter after typing a name selects the app and never submits the form.
              event.preventDefault();
              const best = query.trim() === "" ? undefined : searchApps(searchable, query)[0];
              if (best) onToggle(best.name);
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
      <CategoryChoice categories={categories} chosen={shown.category} onChange={look} />
      <p id="apps-hint" className="flex justify-between gap-4 text-[0.8125rem] text-ink-soft">
        {/* On a small screen there are usually no keys to press. */}
        <span className="max-sm:sr-only">{t("apps.searchHint")}</span>
        <span aria-live="polite" className="shrink-0 tabular-nums">
          {t("apps.found", { count: found.length })}
        </span>
      </p>
      {found.length > 0 ? (
        <AppList
          ref={list}
          apps={found}
          query={`${shown.category} ${shown.query}`}
          version={version}
          chosen={chosenSet}
          onToggle={onToggle}
          onType={focusSearch}
        />
      ) : (
        <EmptyState
          icon={<Search />}
          title={t("apps.none", { query: shown.query.trim() })}
          action={
            <Button tone="plain" onClick={() => (type(""), focusSearch())}>
              {t("apps.clearSearch")}
            </Button>
          }
        >
          {t("apps.noneText")}
        </EmptyState>
      )}
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
