import type { ReactNode } from "react";
import { dateFormat } from "../../lib/formats.ts";

const exact = dateFormat({ dateStyle: "full", timeStyle: "long" });

/** A time as people say it, with the exact one and its timezone on hover. */
export function TimeText({ at, className, children }: { at: string; className?: string; children: ReactNode }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))} className={className}>
      {children}
    </time>
  );
}
