/** The document's title: each page exports its own in its `handle`, with its words. */
import { useLayoutEffect } from "react";
import { useMatches } from "react-router";
import { t } from "../words/frame.ts";

export interface PageHandle {
  title: () => string;
}

const hasTitle = (handle: unknown): handle is PageHandle => typeof handle === "object" && handle !== null && "title" in handle;

/** The document's title for a page; without one, the product's name alone. */
export const documentTitle = (page: string | undefined): string => (page ? t("product.titled", { page }) : t("product.name"));

/** Keeps the document's title equal to that of the innermost route. */
export function usePageTitle(): void {
  const page = useMatches()
    .map((match) => match.handle)
    .findLast(hasTitle)
    ?.title();
  // Runs before the effects of the children: an error page sets its own title.
  useLayoutEffect(() => {
    document.title = documentTitle(page);
  }, [page]);
}
