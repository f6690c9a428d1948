import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** The workspace is asked within seconds of this question, so the next answer is fresh. */
const askAgainMs = 15_000;

/** What was done so far; not asked again once it is over. */
export const firstDaysQuery = queryOptions({
  queryKey: ["first-days"],
  queryFn: ({ signal }) => callApi("getFirstDays", { signal }),
  refetchInterval: ({ state: { data } }) => (data?.isOver ? false : askAgainMs),
});
