import type { SelectHTMLAttributes } from "react";
import { ChevronDown } from "lucide-react";
import { classNames } from "../class-names.ts";
import { FieldFrame, inputClass, type FieldFrameProps } from "./field-frame.tsx";

interface SelectFieldProps extends FieldFrameProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof FieldFrameProps> {
  options: readonly { value: string; label: string }[];
}

/** A short list in the browser's own select, which works with every keyboard, phone and screen reader. */
export function SelectField({ label, hint, error, className, id, options, ...select }: SelectFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={id}>
      {(control) => (
        <>
          <select
            {...select}
            {...control}
            className={classNames(inputClass, "appearance-none pr-9", error ? "border-danger" : "border-line-strong")}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft" aria-hidden="true" />
        </>
      )}
    </FieldFrame>
  );
}
