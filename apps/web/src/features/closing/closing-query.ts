import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** What stands in the way of closing the account: read again at each visit, because the way to it leads to other pages. */
export const closingQuery = queryOptions({
  queryKey: ["closing"],
  queryFn: ({ signal }) => callApi("getClosing", { signal }),
  staleTime: 0,
});
