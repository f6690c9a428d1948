import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** This question makes the service ask the workspace within seconds, so the next answer is fresh. */
const askAgainMs = 15_000;

/** The steps done so far; no longer requested once the list is over. */
export const firstDaysQuery = queryOptions({
  queryKey: ["first-days"],
  queryFn: ({ signal }) => callApi("getFirstDays", { signal }),
  refetchInterval: ({ state: { data } }) => (data?.isOver ? false : askAgainMs),
});
