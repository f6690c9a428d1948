import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** A sample comes each minute. */
export const memoryQuery = queryOptions({
  queryKey: ["workspace", "memory"],
  queryFn: ({ signal }) => callApi("getInstanceMemory", { signal }),
  refetchInterval: 60_000,
});
