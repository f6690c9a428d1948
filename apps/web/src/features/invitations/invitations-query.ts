import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** What waits goes out any moment; somebody may join any minute. */
const askEveryMs = { waiting: 3_000, sent: 5_000 } as const;

/** Everybody invited, and how many the plan allows; asked again by itself while something may change. */
export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => callApi("listInvitations", { signal }),
  refetchInterval: ({ state }) => {
    const states = state.data?.invitations.map((invitation) => invitation.state) ?? [];
    if (states.includes("waiting")) return askEveryMs.waiting;
    return states.includes("sent") || states.includes("failed") ? askEveryMs.sent : false;
  },
});
