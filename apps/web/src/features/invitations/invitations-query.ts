import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** Waiting invitations are sent soon; invited people may join at any time. */
const askEveryMs = { waiting: 3_000, sent: 5_000 } as const;

/** All invitations and the plan's limit; reloaded while something may change. */
export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => callApi("listInvitations", { signal }),
  refetchInterval: ({ state }) => {
    const states = state.data?.invitations.map((invitation) => invitation.state) ?? [];
    if (states.includes("waiting")) return askEveryMs.waiting;
    return states.includes("sent") || states.includes("failed") ? askEveryMs.sent : false;
  },
});
