import { useId, type ReactNode } from "react";
import { Combobox as Base } from "@base-ui/react/combobox";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Check, ChevronsUpDown } from "lucide-react";
import { FieldError, inputClass } from "./text-field.tsx";
import { classNames } from "./class-names.ts";

interface ComboboxProps {
  label: string;
  items: readonly string[];
  value: string | null;
  onChange: (value: string | null) => void;
  onBlur?: () => void;
  /** Whether an item matches what was typed. */
  matches: (item: string, query: string) => boolean;
  /** Small text at an item's right end. */
  detail?: (item: string) => string;
  placeholder: string;
  openLabel: string;
  emptyText: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** 60 rows are more than anybody scrolls through; typing narrows the rest. */
const shownItems = 60;

/** A long list one searches by typing. */
export function Combobox({ label, items, value, onChange, onBlur, matches, detail, placeholder, openLabel, emptyText, hint, error }: ComboboxProps) {
  const id = useId();
  return (
    <CSPProvider disableStyleElements>
      <Base.Root items={items} value={value} onValueChange={onChange} filter={matches} limit={shownItems} autoHighlight>
        <div>
          <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
            {label}
          </label>
          <Base.InputGroup className="relative">
            <Base.Input
              id={id}
              placeholder={placeholder}
              onBlur={onBlur}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={error ? true : undefined}
              aria-describedby={classNames(error ? `${id}-error` : null, hint ? `${id}-hint` : null) || undefined}
              className={classNames(inputClass, "pr-11", error ? "border-danger" : "border-line-strong")}
            />
            <Base.Trigger
              aria-label={openLabel}
              className="absolute inset-y-1 right-1 grid w-9 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
            >
              <ChevronsUpDown className="size-4" aria-hidden="true" />
            </Base.Trigger>
          </Base.InputGroup>
          {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
          {hint ? (
            <div id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-ink-soft">
              {hint}
            </div>
          ) : null}
        </div>
        <Base.Portal>
          <Base.Positioner className="z-40 outline-none" sideOffset={4}>
            <Base.Popup className="w-(--anchor-width) max-w-(--available-width) overflow-hidden rounded-lg border border-line bg-raised text-ink shadow-pop">
              <Base.Empty>
                <div className="px-3 py-4 text-sm text-ink-soft">{emptyText}</div>
              </Base.Empty>
              <Base.List className="max-h-[min(20rem,var(--available-height))] scroll-py-1 overflow-y-auto overscroll-contain p-1 outline-none data-empty:p-0">
                {(item: string) => (
                  <Base.Item
                    key={item}
                    value={item}
                    className="grid cursor-default grid-cols-[1rem_1fr_auto] items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-accent data-highlighted:text-on-accent"
                  >
                    <Base.ItemIndicator className="col-start-1">
                      <Check className="size-4" aria-hidden="true" />
                    </Base.ItemIndicator>
                    <span className="col-start-2 truncate">{item}</span>
                    {detail ? <span className="col-start-3 text-xs tabular-nums">{detail(item)}</span> : null}
                  </Base.Item>
                )}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
