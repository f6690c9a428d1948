import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";

/** Often enough that a mail seems to arrive while one watches. */
const askEveryMs = 2_000;

/** The stored mails, newest first; null if there is no development inbox. */
export const inboxQuery = queryOptions({
  queryKey: ["development-inbox"],
  queryFn: async ({ signal }) => {
    try {
      return (await callApi("developmentInbox", { signal })).messages;
    } catch (error) {
      if (hasCode(error, "not_found")) return null;
      throw error;
    }
  },
  refetchInterval: (query) => (query.state.data === null ? false : askEveryMs),
});
