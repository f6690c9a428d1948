import { useEffect, useRef, type RefObject } from "react";
import { hasFocusedDialog } from "./focused-dialog.ts";

/**
 * After a move from another place of an area, or through a link from elsewhere in the panel, the keyboard continues at the heading inside
 * the returned element. A document that opens here keeps its focus at its beginning.
 */
export function useFocusOnNewPlace(pathname: string): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);
  const last = useRef<string>(undefined);
  useEffect(() => {
    const isFirst = last.current === undefined;
    if (last.current === pathname) return;
    last.current = pathname;
    if (isFirst && document.activeElement === document.body) return;
    if (!hasFocusedDialog()) content.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [pathname]);
  return content;
}
