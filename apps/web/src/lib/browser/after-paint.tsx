import { Suspense, type ReactNode } from "react";
import { useIsPainted } from "./first-paint.ts";

/** For parts of a page with a chunk of their own: it is fetched once the page is painted with `waiting` in their place. */
export function AfterPaint({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  return useIsPainted() ? <Suspense fallback={waiting}>{children}</Suspense> : waiting;
}
