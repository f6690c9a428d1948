import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

/** A placeholder for content that is loading. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div className={classNames("animate-pulse-soft rounded-md bg-line", className)} aria-hidden="true" />
);

/** Announces once that something is loading; the shapes inside are only visual. Until then everything after it stays hidden (app.css). */
export function SkeletonGroup({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div aria-busy="true" data-waiting className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
