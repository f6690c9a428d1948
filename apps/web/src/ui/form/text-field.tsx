import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { classNames } from "../class-names.ts";
import { FieldFrame, inputClass, type FieldFrameProps } from "./field-frame.tsx";

export interface TextFieldProps extends FieldFrameProps, Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldFrameProps> {
  /** At the input's right end, such as a show button. */
  action?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled input whose hint and error are read out with it. */
export function TextField({ label, hint, error, className, id, action, ref, ...input }: TextFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={id}>
      {(control) => (
        <>
          <input
            {...input}
            {...control}
            ref={ref}
            className={classNames(inputClass, error ? "border-danger" : "border-line-strong", action ? "pr-11" : null)}
          />
          {action}
        </>
      )}
    </FieldFrame>
  );
}
