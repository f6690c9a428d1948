import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** Who is in the workspace, by its last answer. A sleeping one is woken to be asked, but not because its owner returns to the window. */
export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: ({ signal }) => callApi("listMembers", { signal }),
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});
