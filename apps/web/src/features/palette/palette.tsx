import { Dialog as Base } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { t as workspaceText } from "../workspace/words.ts";
import { useRestart } from "../workspace/use-restart.ts";
import { hasFocusedDialog } from "../../lib/browser/focused-dialog.ts";
import { errorWords } from "../../lib/errors/error-words.ts";
import { notify } from "../../lib/notices/notices.ts";
import { matchScore } from "./match-entry.ts";
import { usePaletteEntries, type PaletteEntry } from "./use-palette-entries.tsx";
import { t } from "./words.ts";

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  onSheet: () => void;
}

/** Without a query, help and versions would hide what is usually wanted. */
const shownAtFirst: readonly PaletteEntry["group"][] = ["actions", "pages"];
/** Few people read more than this; typing narrows the list. */
const mostShown = 40;

/** Pages, actions and answers behind one search field, for keyboard and touch. */
export default function Palette({ open, onClose, onSheet }: PaletteProps) {
  const [isAsking, setIsAsking] = useState(false);
  const hasLed = useRef(false);
  const isOpen = useRef(open);
  useEffect(() => void (isOpen.current = open), [open]);
  const restart = useRestart();
  const { error } = restart;
  useEffect(() => {
    if (error) notify("danger", `${workspaceText("workspace.restartFailed")}: ${errorWords(error).sentence}`);
  }, [error]);
  const entries = usePaletteEntries(open, { askRestart: () => setIsAsking(true), showSheet: onSheet });
  const choose = (entry: PaletteEntry) => {
    hasLed.current = entry.leads ?? false;
    onClose();
    entry.run();
  };
  return (
    <>
      <Base.Root open={open} onOpenChange={(willOpen) => !willOpen && onClose()}>
        <Base.Portal>
          <Base.Backdrop className="fixed inset-0 z-40 bg-black/50" />
          <Base.Popup
            finalFocus={() => {
              const main = hasLed.current ? document.getElementById("main") : null;
              hasLed.current = false;
              // Opened again before it had closed completely, or what was chosen has asked a question: that has the focus.
              return isOpen.current || hasFocusedDialog() ? false : (main ?? true);
            }}
            className="fixed top-[min(12vh,6rem)] left-1/2 z-40 flex max-h-[min(32rem,76dvh)] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-raised text-ink shadow-pop"
          >
            <Base.Title className="sr-only">{t("palette.title")}</Base.Title>
            <Base.Description className="sr-only">{t("palette.keys")}</Base.Description>
            <PaletteSearch entries={entries} onChoose={choose} />
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={workspaceText("workspace.restartTitle")}
        confirmLabel={workspaceText("workspace.restartConfirm")}
        cancelLabel={t("common.cancel")}
        onConfirm={() => void restart.run()}
      >
        {workspaceText("workspace.restartText")}
      </ConfirmDialog>
    </>
  );
}

function PaletteSearch({ entries, onChoose }: { entries: PaletteEntry[]; onChoose: (entry: PaletteEntry) => void }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  // By its id: what arrives later, such as the workspace's actions, does not move the selection.
  const [chosenId, choose] = useState<string>();
  const listed = useDeferredValue(query);
  const found = findEntries(entries, listed);
  const current = found.find(({ id: one }) => one === chosenId) ?? found[0];
  const isListed = listed === query;
  if (isListed && current && current.id !== chosenId) choose(current.id);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [current?.id]);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = found.length - 1;
    const at = current ? found.indexOf(current) : 0;
    const next = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(at + 8, last),
      PageUp: Math.max(at - 8, 0),
    }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      choose(found[Math.max(next, 0)]?.id);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      // The list may still show what matched an earlier query.
      const chosen = isListed ? current : findEntries(entries, query)[0];
      if (!chosen) return;
      event.preventDefault();
      onChoose(chosen);
    }
  };
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <>
      <div className="relative border-b border-line">
        <Search className="pointer-events-none absolute top-1/2 left-4 size-4 -translate-y-1/2 text-ink-soft" aria-hidden="true" />
        <input
          role="combobox"
          aria-label={t("palette.placeholder")}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current ? `${id}-${current.id}` : undefined}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            choose(undefined);
          }}
          onKeyDown={onKeyDown}
          placeholder={t("palette.placeholder")}
          autoComplete="off"
          spellCheck={false}
          className="h-13 w-full bg-transparent pr-4 pl-11 text-base outline-none placeholder:text-ink-soft"
        />
      </div>
      <p role="status" className="sr-only">
        {found.length > 0 ? t("palette.found", { count: found.length }) : t("palette.none", { query })}
      </p>
      {found.length === 0 ? (
        <p className="px-4 py-6 text-sm [overflow-wrap:anywhere] text-ink-soft" aria-hidden="true">
          {t("palette.none", { query })}
        </p>
      ) : null}
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={t("palette.title")} className="overflow-y-auto overscroll-contain p-2">
        {groups.map((group) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} role="presentation" className="px-2 pt-2 pb-1 text-xs font-medium text-ink-soft">
              {t(`palette.groups.${group}`)}
            </div>
            {found
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <Row
                  key={entry.id}
                  id={`${id}-${entry.id}`}
                  entry={entry}
                  isCurrent={entry === current}
                  onPoint={() => choose(entry.id)}
                  onChoose={() => onChoose(entry)}
                />
              ))}
          </div>
        ))}
      </div>
    </>
  );
}

interface RowProps {
  id: string;
  entry: PaletteEntry;
  isCurrent: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Row({ id, entry: { name, icon: Icon, keys }, isCurrent, onPoint, onChoose }: RowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      onPointerMove={isCurrent ? undefined : onPoint}
      onClick={onChoose}
      className="flex min-h-10 cursor-default items-center gap-3 rounded-lg px-2 py-1.5 text-sm select-none aria-selected:bg-accent aria-selected:text-on-accent"
    >
      <Icon className="size-4 shrink-0 opacity-80" aria-hidden="true" />
      <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
      {keys ? (
        <kbd className="font-mono text-xs opacity-75 max-sm:hidden" aria-hidden="true">
          {keys}
        </kbd>
      ) : null}
    </div>
  );
}

/** The entries for a query, with groups ordered by their best match; without a query, the first groups in their usual order. */
function findEntries(entries: PaletteEntry[], query: string): PaletteEntry[] {
  if (query.trim() === "") return entries.filter(({ group }) => shownAtFirst.includes(group));
  const scored = entries
    .map((entry) => ({ entry, score: matchScore(query, entry.name, entry.also) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostShown);
  const groups = [...new Set(scored.map(({ entry }) => entry.group))];
  return groups.flatMap((group) => scored.filter(({ entry }) => entry.group === group).map(({ entry }) => entry));
}
