import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";

/** Often enough to notice that the link was opened in another window or on the phone. */
const askEveryMs = 15_000;

/** The pending change of address, if any; polled while there is one. */
export const emailChangeQuery = queryOptions({
  queryKey: ["email-change"],
  queryFn: ({ signal }) => callApi("getEmailChange", { signal }),
  refetchInterval: ({ state }) => (state.data?.pending ? askEveryMs : false),
});
