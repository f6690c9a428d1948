import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from "react";
import { CircleAlert } from "lucide-react";
import { classNames } from "./class-names.ts";

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  /** What is wrong, in words; marks the field as invalid. */
  error?: string | undefined;
  /** Stands in the input's right end, such as a show button. */
  action?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export const inputClass =
  "h-10 w-full rounded-lg border bg-surface px-3 text-base text-ink placeholder:text-ink-soft sm:text-[0.9375rem] focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent";

/** A labelled input whose hint and error are read out with it. */
export function TextField({ label, hint, error, action, className, id: givenId, ref, ...input }: TextFieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const describedBy = classNames(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          ref={ref}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={classNames(inputClass, error ? "border-danger" : "border-line-strong", action ? "pr-11" : null)}
        />
        {action}
      </div>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hint ? (
        <div id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-ink-soft">
          {hint}
        </div>
      ) : null}
    </div>
  );
}

/** What is wrong with a field, beside it. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 text-[0.8125rem] text-danger">
      <CircleAlert className="mt-[3px] size-3.5 shrink-0" aria-hidden="true" />
      {children}
    </p>
  );
}
