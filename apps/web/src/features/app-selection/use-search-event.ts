import { useEffect } from "react";
import { analytics } from "../../lib/analytics/analytics.ts";

/** What was typed counts as a search once it stays for a second; each letter on the way to it does not. */
const settledMs = 1000;

/** Records SPEC §7's "search term" with how much it found. */
export function useSearchEvent(query: string, results: number): void {
  const term = query.trim();
  useEffect(() => {
    if (term === "") return;
    const timer = setTimeout(() => analytics.track("search term", { search_string: term, results_count: results }), settledMs);
    return () => clearTimeout(timer);
  }, [term, results]);
}
