import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../../lib/api/api-client.ts";
import { cached } from "../../../../lib/api/query-client.ts";

/** The versions to choose from; which ones are possible depends on the current version. */
export const versionsQuery = (current: string) =>
  queryOptions({
    queryKey: ["workspace", "versions", current],
    queryFn: ({ signal }) => callApi("listInstanceVersions", { signal }),
    ...cached,
  });
