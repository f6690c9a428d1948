import { useId, type ReactNode } from "react";
import { CircleAlert } from "lucide-react";
import { classNames } from "../class-names.ts";

export interface FieldFrameProps {
  label: string;
  hint?: ReactNode;
  /** The problem in words; marks the field as invalid. */
  error?: string | undefined;
  className?: string | undefined;
  /** Generated if absent. */
  id?: string | undefined;
}

/** What the control inside must use, so that label, hint and error are read out with it. */
interface FramedControl {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** Classes of a control; `border-danger` or `border-line-strong` is added. */
export const inputClass =
  "h-10 w-full rounded-lg border bg-surface px-3 text-base text-ink placeholder:text-ink-soft sm:text-[0.9375rem] focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent";

/** A control with its label above, and its error and hint below. */
export function FieldFrame({
  label,
  hint,
  error,
  className,
  id: givenId,
  children,
}: FieldFrameProps & { children: (control: FramedControl) => ReactNode }) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const describedBy = classNames(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">{children({ id, "aria-invalid": error ? true : undefined, "aria-describedby": describedBy })}</div>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** The ids of what is below a control: `${id}-error` and `${id}-hint`. */
export function FieldNotes({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  return (
    <>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hint ? (
        <div id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-ink-soft">
          {hint}
        </div>
      ) : null}
    </>
  );
}

/** The problem of a field, beside it. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 text-[0.8125rem] text-danger">
      <CircleAlert className="mt-[3px] size-3.5 shrink-0" aria-hidden="true" />
      {children}
    </p>
  );
}
