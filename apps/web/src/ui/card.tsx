import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A bordered surface with padding. */
export function Card({ children, className, label }: { children: ReactNode; className?: string; label?: string }) {
  const Tag = label ? "section" : "div";
  return (
    <Tag aria-label={label} className={classNames("rounded-xl border border-line bg-surface shadow-card", className)}>
      {children}
    </Tag>
  );
}
