import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

const tones = {
  good: "bg-success-soft text-success",
  bad: "bg-danger-soft text-danger",
  waiting: "bg-warning-soft text-warning",
  accent: "bg-accent-soft text-accent-strong",
  plain: "bg-sunken text-ink-soft",
};

/** A state in a word or two. */
export function StateMark({ tone, children, className }: { tone: keyof typeof tones; children: ReactNode; className?: string }) {
  return (
    <span
      className={classNames(
        "inline-block rounded-full px-2.5 py-0.5 text-[0.8125rem] font-medium whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
