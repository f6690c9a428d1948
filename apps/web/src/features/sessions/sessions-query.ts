import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** Where one is signed in: this session first. */
export const sessionsQuery = queryOptions({ queryKey: ["sessions"], queryFn: ({ signal }) => callApi("listSessions", { signal }) });
