/** Every reason for which the gateway answers itself: status, code and words, for people and for machines. */

export interface Refusal {
  status: number;
  /** Stable; clients decide by it. */
  code: string;
  title: string;
  detail: string;
  retryAfterSeconds?: number;
  /** The page asks again by itself after this many seconds. */
  reloadSeconds?: number;
}

export const refusals = {
  unknown: {
    status: 404,
    code: "workspace_unknown",
    title: "There is no workspace here",
    detail: "Nobody has a workspace at this address. Check the spelling, or look for the address in your panel.",
  },
  starting: {
    status: 503,
    code: "workspace_starting",
    title: "This workspace is starting",
    detail: "It will be here in a moment. This page asks again by itself.",
    retryAfterSeconds: 2,
    reloadSeconds: 2,
  },
  stopped: {
    status: 503,
    code: "workspace_stopped",
    title: "This workspace is stopped",
    detail: "Its owner can start it again from the panel.",
    retryAfterSeconds: 300,
  },
  offline: {
    status: 503,
    code: "workspace_offline",
    title: "This workspace does not answer",
    detail: "It should be running and is being brought back. Try again in a moment; its owner finds the reason in the panel.",
    retryAfterSeconds: 10,
  },
  brokeOff: {
    status: 502,
    code: "workspace_broke_off",
    title: "The workspace broke off",
    detail: "It took the request and closed the connection before it answered. Whether the request had an effect is not known.",
  },
  timedOut: {
    status: 504,
    code: "workspace_timed_out",
    title: "The workspace took too long",
    detail: "It took the request and gave no answer in time. Whether the request had an effect is not known.",
  },
  busy: {
    status: 503,
    code: "workspace_busy",
    title: "This workspace is busy",
    detail: "It has more requests under way than it may. Try again in a moment.",
    retryAfterSeconds: 2,
  },
  unavailable: {
    status: 503,
    code: "gateway_unavailable",
    title: "The service is busy",
    detail: "We could not find out where this workspace is. Try again in a moment.",
    retryAfterSeconds: 5,
  },
  badRequest: {
    status: 400,
    code: "bad_request",
    title: "The request could not be read",
    detail: "It is ambiguous or malformed, and was not passed on.",
  },
} as const satisfies Record<string, Refusal>;

/** The refusal with the workspace's own public reason in place of the general words. */
export function withReason(refusal: Refusal, reason: string | undefined): Refusal {
  return reason === undefined || reason === "" ? refusal : { ...refusal, detail: reason };
}
