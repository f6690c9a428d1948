import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** What the workspace uses now. There is a new measurement each minute. */
export const loadQuery = queryOptions({
  queryKey: ["workspace", "load"],
  queryFn: ({ signal }) => callApi("getInstanceLoad", { signal }),
  refetchInterval: 60_000,
});

export type Load = Awaited<ReturnType<typeof callApi<"getInstanceLoad">>>;
