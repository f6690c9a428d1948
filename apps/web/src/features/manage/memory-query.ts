import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** There is a new sample each minute. */
export const memoryQuery = queryOptions({
  queryKey: ["workspace", "memory"],
  queryFn: ({ signal }) => callApi("getInstanceMemory", { signal }),
  refetchInterval: 60_000,
});
