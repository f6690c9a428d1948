import { queryOptions } from "@tanstack/react-query";
import type { FirstDays } from "#contract/accounts/onboarding/first-days.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { knownUser } from "../../lib/session/session.ts";

/** This question makes the service ask the workspace within seconds, so the next answer is fresh. */
const askAgainMs = 15_000;

/** What the answer about the user, which each first page waits for, says of it: the list is in its place from the start. */
function asKnown(): FirstDays | undefined {
  const account = knownUser()?.account;
  return account && { steps: account.firstDays ?? [], isOver: account.firstDays === null };
}

/** The steps done so far; no longer requested once the list is over. */
export const firstDaysQuery = queryOptions({
  queryKey: ["first-days"],
  queryFn: ({ signal }) => callApi("getFirstDays", { signal }),
  placeholderData: asKnown,
  refetchInterval: ({ state: { data } }) => (data?.isOver ? false : askAgainMs),
});
