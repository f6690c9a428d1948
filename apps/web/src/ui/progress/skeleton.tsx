import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

/** The shape of what is on its way. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div className={classNames("animate-pulse-soft rounded-md bg-line", className)} aria-hidden="true" />
);

/** Says once that something loads; the shapes inside are only for the eye. What follows the page stays unseen meanwhile (app.css). */
export function SkeletonGroup({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div aria-busy="true" data-waiting className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
