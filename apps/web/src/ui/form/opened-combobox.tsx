import { useId } from "react";
import { Combobox as Base } from "@base-ui/react/combobox";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Check, ChevronsUpDown, Search } from "lucide-react";
import { classNames } from "../class-names.ts";
import type { ComboboxProps } from "./combobox.tsx";
import { FieldNotes, inputClass } from "./field-frame.tsx";

/** Few people scroll through more than 60 rows; typing narrows the list. */
const shownItems = 60;

/** Replaces ./combobox.tsx from its first opening on. */
export default function OpenedCombobox({
  label,
  value,
  onBlur,
  placeholder,
  hint,
  error,
  items,
  matches,
  nameOf = itself,
  onChange,
  ...popup
}: ComboboxProps) {
  const id = useId();
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        items={items}
        value={value}
        onValueChange={onChange}
        filter={matches}
        itemToStringLabel={nameOf}
        limit={shownItems}
        defaultOpen
        autoHighlight
      >
        <Base.Label className="mb-1.5 block text-sm font-medium">{label}</Base.Label>
        <Base.Trigger
          onBlur={onBlur}
          aria-invalid={error ? true : undefined}
          aria-describedby={classNames(error ? `${id}-error` : null, hint ? `${id}-hint` : null) || undefined}
          className={classNames(
            inputClass,
            "flex items-center justify-between gap-3 text-left",
            error ? "border-danger" : "border-line-strong",
          )}
        >
          <Base.Value placeholder={placeholder} />
          <ChevronsUpDown className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
        </Base.Trigger>
        <FieldNotes id={id} hint={hint} error={error} />
        <SearchPopup label={label} nameOf={nameOf} {...popup} />
      </Base.Root>
    </CSPProvider>
  );
}

const itself = (item: string): string => item;

function SearchPopup({
  label,
  searchLabel,
  emptyText,
  nameOf,
  detail,
}: Pick<ComboboxProps, "label" | "searchLabel" | "emptyText" | "detail"> & Required<Pick<ComboboxProps, "nameOf">>) {
  return (
    <Base.Portal>
      <Base.Positioner className="z-40 outline-none" sideOffset={4} align="start">
        <Base.Popup
          aria-label={label}
          className="w-(--anchor-width) max-w-(--available-width) overflow-hidden rounded-lg border border-line bg-raised text-ink shadow-pop outline-none"
        >
          <div className="relative border-b border-line">
            <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft" aria-hidden="true" />
            <Base.Input
              aria-label={searchLabel}
              placeholder={searchLabel}
              autoComplete="off"
              spellCheck={false}
              className="h-11 w-full bg-transparent pr-3 pl-9 text-base outline-none placeholder:text-ink-soft sm:text-[0.9375rem]"
            />
          </div>
          <Base.Empty>
            <div className="px-3 py-4 text-sm text-ink-soft">{emptyText}</div>
          </Base.Empty>
          <Base.List
            aria-label={label}
            className="max-h-[min(20rem,calc(var(--available-height)-3rem))] scroll-py-1 overflow-y-auto overscroll-contain p-1 outline-none data-empty:p-0"
          >
            {(item: string) => <Row key={item} item={item} name={nameOf(item)} detail={detail(item)} />}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

function Row({ item, name, detail }: { item: string; name: string; detail: string }) {
  return (
    <Base.Item
      value={item}
      className="grid cursor-default grid-cols-[1rem_1fr_auto] items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-accent data-highlighted:text-on-accent"
    >
      <Base.ItemIndicator className="col-start-1">
        <Check className="size-4" aria-hidden="true" />
      </Base.ItemIndicator>
      <span className="col-start-2 truncate">{name}</span>
      <span className="col-start-3 text-xs tabular-nums">{detail}</span>
    </Base.Item>
  );
}
