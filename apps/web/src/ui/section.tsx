import { useEffect, useRef, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Card } from "./card.tsx";

interface SectionProps {
  title: string;
  lead?: string;
  /** At the heading's right end. */
  action?: ReactNode;
  children: ReactNode;
  /** What an address ends with that leads straight to it, after a `#`. */
  anchor?: string;
  /** Without padding, for lists that reach from edge to edge. */
  flush?: boolean;
  className?: string;
}

/** A card with a heading. */
export function Section({ title, lead, action, children, anchor, flush = false, className }: SectionProps) {
  const top = useRef<HTMLDivElement>(null);
  // The browser has looked for it before it was there.
  useEffect(() => {
    if (anchor && location.hash === `#${anchor}`) top.current?.scrollIntoView();
  }, [anchor]);
  return (
    <Card label={title} className={classNames("overflow-hidden", className)}>
      <div
        ref={top}
        id={anchor}
        className={classNames(
          "flex flex-wrap justify-between gap-x-4 gap-y-2 px-5 pt-5 sm:px-6",
          lead ? "items-start" : "items-center",
          flush && "border-b border-line pb-4",
        )}
      >
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{title}</h2>
          {lead ? <p className="mt-0.5 max-w-prose text-sm text-ink-soft">{lead}</p> : null}
        </div>
        {action}
      </div>
      {flush ? children : <div className="px-5 pt-4 pb-5 sm:px-6 sm:pb-6">{children}</div>}
    </Card>
  );
}
