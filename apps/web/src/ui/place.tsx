import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface PlaceProps {
  title: string;
  lead?: string;
  /** At the end of the heading: controls for the whole page. */
  action?: ReactNode;
  children: ReactNode;
  /** As wide as the area allows, for charts and long lines. */
  wide?: boolean;
}

/**
 * A page of an area that lists its pages in a menu. Its heading takes the focus when another page leads to it:
 * lib/browser/focus-new-place.ts.
 */
export function Place({ title, lead, action, children, wide = false }: PlaceProps) {
  return (
    <div className={classNames("space-y-5", !wide && "max-w-3xl")}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-2xl font-semibold outline-none">
            {title}
          </h1>
          {lead ? <p className="mt-1 [overflow-wrap:anywhere] text-ink-soft">{lead}</p> : null}
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}
