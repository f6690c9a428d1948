/** The cache of the API's answers, for pages behind the sign-in. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError, hasCode } from "./api-error.ts";
import { onSessionEnd } from "../session/session.ts";

/** A refusal is not retried. A call that was not answered is, unless the user has already waited a minute. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < 2 && !hasCode(error, "timed_out") && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5_000 }, mutations: { retry: false } },
});

/** Query options for an answer that stays fresh for 5 minutes. */
export const cached = { staleTime: 5 * 60_000 } as const;

onSessionEnd(() => queryClient.clear());
