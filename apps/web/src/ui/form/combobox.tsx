import { lazy, startTransition, Suspense, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { ChevronsUpDown } from "lucide-react";
import { usePrefetch } from "../../lib/first-view/when-idle.ts";
import { loadPage } from "../../lib/faults/load-page.ts";
import { classNames } from "../class-names.ts";
import { FieldNotes, inputClass } from "./field-frame.tsx";

const load = () => import("./opened-combobox.tsx");
const OpenedCombobox = lazy(() => loadPage(load));

export interface ComboboxProps {
  label: string;
  items: readonly string[];
  value: string | null;
  onChange: (value: string | null) => void;
  onBlur?: () => void;
  /** Whether an item matches the query. */
  matches: (item: string, query: string) => boolean;
  /** The displayed text, if it is not the item itself. */
  nameOf?: (item: string) => string;
  /** Small text at an item's right end. */
  detail: (item: string) => string;
  placeholder: string;
  searchLabel: string;
  emptyText: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/**
 * A long list that is searched by typing: the field shows the choice, and opens a box with the search and the list. The list is prefetched;
 * until it is first opened, a plain button of the same look takes its place.
 */
export function Combobox(props: ComboboxProps) {
  usePrefetch(load);
  const [wasOpened, setWasOpened] = useState(false);
  // As a transition, so that the button stays, with its focus, until the list is there.
  const openFirst = () => startTransition(() => setWasOpened(true));
  return <Suspense>{wasOpened ? <OpenedCombobox {...props} /> : <ClosedCombobox {...props} onOpen={openFirst} />}</Suspense>;
}

function ClosedCombobox({ label, value, nameOf, placeholder, hint, error, onBlur, onOpen }: ComboboxProps & { onOpen: () => void }) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    onOpen();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- as a label of an input: the keyboard reaches the field itself */}
      <div id={`${id}-label`} className="mb-1.5 block text-sm font-medium" onClick={() => trigger.current?.focus()}>
        {label}
      </div>
      <button
        ref={trigger}
        type="button"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a closed one controls nothing yet
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={false}
        aria-labelledby={`${id}-label`}
        aria-invalid={error ? true : undefined}
        aria-describedby={classNames(error ? `${id}-error` : null, hint ? `${id}-hint` : null) || undefined}
        onBlur={onBlur}
        onClick={onOpen}
        onKeyDown={openByArrow}
        className={classNames(
          inputClass,
          "flex items-center justify-between gap-3 text-left",
          error ? "border-danger" : "border-line-strong",
        )}
      >
        {value === null ? placeholder : (nameOf?.(value) ?? value)}
        <ChevronsUpDown className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      </button>
      <FieldNotes id={id} hint={hint} error={error} />
    </>
  );
}
