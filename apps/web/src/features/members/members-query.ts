import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** Who is in the workspace, by its last answer. */
export const membersQuery = queryOptions({ queryKey: ["members"], queryFn: ({ signal }) => callApi("listMembers", { signal }) });
