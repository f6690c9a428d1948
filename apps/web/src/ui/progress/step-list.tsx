import type { ReactNode } from "react";
import { Check, Minus, X } from "lucide-react";
import { classNames } from "../class-names.ts";

export type StepState = "done" | "skipped" | "current" | "waiting" | "failed";

export interface Step {
  id: string;
  label: string;
  note?: ReactNode;
  /** At the end of its line, such as how long it took. */
  aside?: string;
  state: StepState;
}

const marks: Record<StepState, string> = {
  done: "border-success bg-success text-surface",
  skipped: "border-line-strong bg-sunken text-ink-soft",
  current: "border-accent bg-accent-soft text-accent",
  waiting: "border-line-strong text-ink-soft",
  failed: "border-danger bg-danger text-surface",
};

const pictures = {
  done: <Check className="size-3.5" strokeWidth={3} />,
  skipped: <Minus className="size-3.5" strokeWidth={3} />,
  failed: <X className="size-3.5" strokeWidth={3} />,
};

/** Steps in order, each with its state in words. */
export function StepList({
  steps,
  label,
  stateWords,
}: {
  steps: Step[];
  label: string;
  stateWords: Record<Exclude<StepState, "skipped">, string> & { skipped?: string };
}) {
  return (
    <ol aria-label={label} className="space-y-0">
      {steps.map((step, index) => (
        <li key={step.id} aria-current={step.state === "current" ? "step" : undefined} className="relative flex gap-3.5 pb-4 last:pb-0">
          {index < steps.length - 1 ? (
            <span
              className={classNames("absolute top-7 bottom-0.5 left-[11px] w-0.5", step.state === "done" ? "bg-success" : "bg-line")}
              aria-hidden="true"
            />
          ) : null}
          <StepMark state={step.state} number={index + 1} />
          <div className={classNames("min-w-0 flex-1 pt-px", step.state === "waiting" && "text-ink-soft")}>
            <p className="flex justify-between gap-4 text-[0.9375rem]">
              <span className={step.state === "current" ? "font-semibold" : undefined}>
                {step.label}
                <span className="sr-only"> ({stateWords[step.state]})</span>
              </span>
              {step.aside ? <span className="text-[0.8125rem] leading-6 text-ink-soft tabular-nums">{step.aside}</span> : null}
            </p>
            {step.note && step.state !== "waiting" ? <div className="text-[0.8125rem] text-ink-soft">{step.note}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

function StepMark({ state, number }: { state: StepState; number: number }) {
  return (
    <span
      className={classNames("grid size-6 shrink-0 place-items-center rounded-full border-2 text-[0.6875rem] font-semibold", marks[state])}
      aria-hidden="true"
    >
      {state in pictures ? pictures[state as keyof typeof pictures] : number}
    </span>
  );
}
