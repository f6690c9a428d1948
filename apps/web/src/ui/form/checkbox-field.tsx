import { useId, type InputHTMLAttributes } from "react";

interface CheckboxFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type"> {
  label: string;
  hint?: string;
}

/** A labelled checkbox with its explanation below. */
export function CheckboxField({ label, hint, className, ...input }: CheckboxFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-6 cursor-pointer items-start gap-2.5 text-sm font-medium">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="mt-0.5 size-4.5 shrink-0 accent-accent"
        />
        {label}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="mt-0.5 pl-7 text-[0.8125rem] text-ink-soft">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
