import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

export type BadgeTone = "success" | "accent" | "warning" | "danger" | "quiet";

const looks: Record<BadgeTone, { box: string; dot: string }> = {
  success: { box: "bg-success-soft text-success", dot: "bg-success" },
  accent: { box: "bg-accent-soft text-accent", dot: "bg-accent" },
  warning: { box: "bg-warning-soft text-warning", dot: "bg-warning" },
  danger: { box: "bg-danger-soft text-danger", dot: "bg-danger" },
  quiet: { box: "bg-sunken text-ink-soft", dot: "bg-ink-soft" },
};

/** A state in a word and a colour; `live` while it is changing. */
export function Badge({ tone, live = false, children }: { tone: BadgeTone; live?: boolean; children: ReactNode }) {
  const { box, dot } = looks[tone];
  return (
    <output
      className={classNames(
        "inline-flex items-center gap-2 rounded-full px-2.5 py-1 text-[0.8125rem] font-semibold whitespace-nowrap",
        box,
      )}
    >
      <span className={classNames("size-2 rounded-full", dot, live && "animate-pulse-soft")} aria-hidden="true" />
      {children}
    </output>
  );
}
