/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select element shows no pictures, and can't stand below its own search */
import { memo, useCallback, useEffect, useRef, useState, type KeyboardEvent, type Ref } from "react";
import { Check } from "lucide-react";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../sign-up/words.ts";
import { AppIcon } from "./app-icon.tsx";
import type { App } from "./apps-of-nodes.ts";
import { iconUrl } from "./apps-query.ts";
import { moveInGrid } from "./move-in-grid.ts";

interface AppListProps {
  apps: readonly App[];
  /** The search and the category that the apps were found with. */
  query: string;
  version: string;
  chosen: ReadonlySet<string>;
  onToggle: (name: string) => void;
  /** A letter typed in the list belongs to the search. */
  onType: () => void;
  ref: Ref<HTMLDivElement>;
}

const optionId = (name: string): string => `app-${name}`;

/** Hundreds of apps to choose from: a single tab stop, arrow keys within, and only visible rows are drawn. */
export function AppList({ apps, query, version, chosen, onToggle, onType, ref }: AppListProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [{ active, searched }, setState] = useState({ active: "", searched: query });
  // A new search makes its best match the current one. Kept by name, so that a refreshed list does not move the selection.
  const at = Math.max(0, searched === query ? apps.findIndex(({ name }) => name === active) : 0);
  const activeName = apps[at]?.name;
  const setActive = useCallback((name: string) => setState({ active: name, searched: query }), [query]);
  useEffect(() => {
    // In a block: newer browsers return a promise from scrollTo, which would be taken for a clean-up.
    void grid.current?.parentElement?.scrollTo({ top: 0 });
  }, [query]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (activeName) onToggle(activeName);
      return;
    }
    const columns = getComputedStyle(grid.current!).gridTemplateColumns.split(" ").length;
    const next = moveInGrid(event.key, { at, count: apps.length, columns });
    if (next !== null) {
      event.preventDefault();
      const { name } = apps[next]!;
      setActive(name);
      document.getElementById(optionId(name))?.scrollIntoView({ block: "nearest" });
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) onType();
  };

  return (
    <div
      ref={ref}
      role="listbox"
      aria-multiselectable="true"
      aria-label={t("apps.list")}
      aria-activedescendant={activeName ? optionId(activeName) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="group h-[46dvh] sm:h-[clamp(13rem,100dvh-40rem,26rem)] overflow-y-auto overscroll-contain rounded-lg border border-line bg-sunken p-2"
    >
      <div ref={grid} role="presentation" className="grid gap-1.5 sm:grid-cols-2 lg:grid-cols-3">
        {apps.map((app) => (
          <AppOption
            key={app.name}
            app={app}
            version={version}
            isChosen={chosen.has(app.name)}
            isActive={app.name === activeName}
            onToggle={onToggle}
            onActivate={setActive}
          />
        ))}
      </div>
    </div>
  );
}

interface AppOptionProps {
  app: App;
  version: string;
  isChosen: boolean;
  isActive: boolean;
  onToggle: (name: string) => void;
  onActivate: (name: string) => void;
}

const AppOption = memo(function AppOption({ app, version, isChosen, isActive, onToggle, onActivate }: AppOptionProps) {
  return (
    // The list handles the keys for all its options: they are not tab stops.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={optionId(app.name)}
      role="option"
      aria-selected={isChosen}
      aria-labelledby={`${optionId(app.name)}-name`}
      aria-describedby={`${optionId(app.name)}-does`}
      onClick={() => {
        onActivate(app.name);
        onToggle(app.name);
      }}
      className={classNames(
        "relative flex min-h-13 cursor-pointer items-center gap-3 rounded-lg border py-1.5 pr-8 pl-2 text-sm font-medium select-none [contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]",
        isChosen ? "border-accent bg-accent-soft text-accent-strong" : "border-transparent bg-surface hover:border-line-strong",
        isActive && "group-focus-visible:outline-2 group-focus-visible:-outline-offset-1 group-focus-visible:outline-accent",
      )}
    >
      <AppIcon name={app.name} displayName={app.displayName} url={app.iconData ? iconUrl(app.name, version) : null} />
      <span className="min-w-0 flex-1 leading-snug">
        <span id={`${optionId(app.name)}-name`} className="[overflow-wrap:anywhere]">
          {app.displayName}
        </span>
        <span id={`${optionId(app.name)}-does`} className="block text-xs font-normal text-ink-soft">
          {t(`apps.does.${app.does}`)}
        </span>
      </span>
      {/* Outside the text's space, because a name that wraps would move the rows below. */}
      {isChosen ? <Check className="absolute right-2.5 size-4" strokeWidth={2.5} aria-hidden="true" /> : null}
    </div>
  );
});
