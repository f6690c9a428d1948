import type { ReactNode } from "react";

/** A field with words at the end of its label's line, such as whether what is typed is good. */
export function BesideLabel({ words, id, children }: { words: ReactNode; id?: string; children: ReactNode }) {
  return (
    <div className="relative">
      {children}
      <div id={id} className="absolute top-0 right-0 text-[0.8125rem] text-ink-soft">
        {words}
      </div>
    </div>
  );
}
