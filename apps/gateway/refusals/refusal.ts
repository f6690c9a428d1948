/** Every response of the gateway itself: status, code and words, for people and programs. */
import { deletionAfterEndDays, deletionAfterPauseDays } from "#contract/billing/plans/plan-days.ts";

export interface Refusal {
  status: number;
  /** Stable, for clients to decide by. */
  code: string;
  title: string;
  detail: string;
  retryAfterSeconds?: number;
  /** The page checks again after this many seconds, later less often, and reloads once the response changes. */
  lookAgainSeconds?: number;
  /** The workspace answers in a moment: the page shows how far it is, offers no action and names no error. */
  isComing?: true;
  /** Progress of the start that it waits for, from 0 to 100; unknown if left out. */
  percent?: number | undefined;
  /** The page's button and its path in the panel; by default the panel's first page. */
  wayOn?: { label: string; path: string };
}

const billing = "/manage/billing";
const choosePlan = "/account/change-plan";
/** Only a payment changes the state, so retrying every few seconds is pointless. */
const stoppedRetrySeconds = 300;

export const refusals = {
  unknown: {
    status: 404,
    code: "workspace_unknown",
    title: "There is no workspace at this URL",
    detail: "Check the spelling, or find your workspace's URL in the panel.",
  },
  notFound: {
    status: 404,
    code: "not_found",
    title: "There is nothing at this URL",
    detail: "Check the spelling of the path.",
  },
  starting: {
    status: 503,
    code: "workspace_starting",
    title: "This workspace is starting",
    detail: "It will be ready in a moment.",
    retryAfterSeconds: 2,
    lookAgainSeconds: 2,
    isComing: true,
  },
  waking: {
    status: 503,
    code: "workspace_waking",
    title: "This workspace is waking up",
    detail: "It was asleep because of inactivity. It will be ready in a few seconds.",
    retryAfterSeconds: 1,
    lookAgainSeconds: 1,
    isComing: true,
  },
  stopped: {
    status: 503,
    code: "workspace_stopped",
    title: "This workspace is stopped",
    detail: "If this is your workspace, the panel shows why.",
    retryAfterSeconds: stoppedRetrySeconds,
  },
  suspended: {
    status: 503,
    code: "workspace_unavailable",
    // Strangers read this, too: why its owner's account is suspended, or that it is, is not for them to know.
    title: "This workspace is not available",
    detail: "If this is your workspace, the panel shows why and whom to write to.",
    retryAfterSeconds: stoppedRetrySeconds,
  },
  paused: {
    status: 503,
    code: "workspace_paused",
    title: "This workspace is paused",
    // Strangers read this, too: whether its owner pays is not for them to know.
    detail: `If this is your workspace, the panel shows why and how to start it again. Your data is kept for ${deletionAfterPauseDays} days.`,
    retryAfterSeconds: stoppedRetrySeconds,
    wayOn: { label: "Open billing", path: billing },
  },
  trialEnded: {
    status: 503,
    code: "workspace_trial_ended",
    title: "The trial of this workspace has ended",
    detail: `If this is your workspace, choose a plan to start it again. Your data is kept for ${deletionAfterEndDays} days after the trial ends.`,
    retryAfterSeconds: stoppedRetrySeconds,
    wayOn: { label: "Choose a plan", path: choosePlan },
  },
  ended: {
    status: 503,
    code: "workspace_subscription_ended",
    title: "The subscription of this workspace has ended",
    detail: "If this is your workspace, resubscribe to bring it back. The panel shows until when that is possible.",
    retryAfterSeconds: stoppedRetrySeconds,
    wayOn: { label: "Open billing", path: billing },
  },
  offline: {
    status: 503,
    code: "workspace_offline",
    title: "This workspace is not responding",
    detail: "It should be running and is being restarted. Try again in a moment. If this is your workspace, the panel shows the cause.",
    retryAfterSeconds: 10,
    lookAgainSeconds: 5,
  },
  brokeOff: {
    status: 502,
    code: "workspace_broke_off",
    title: "The workspace closed the connection",
    detail: "It received the request and disconnected before it answered. The request may have been processed.",
  },
  timedOut: {
    status: 504,
    code: "workspace_timed_out",
    title: "The workspace took too long",
    detail: "It received the request and did not answer within 300 seconds. The request may have been processed.",
  },
  bodyLate: {
    status: 408,
    code: "request_too_slow",
    title: "The request took too long to arrive",
    detail: "Nothing of it arrived for a while, so it was not completed. Send it again.",
  },
  busy: {
    status: 503,
    code: "workspace_busy",
    title: "This workspace is busy",
    detail: "It is handling as many requests as it can. Try again in a moment.",
    retryAfterSeconds: 2,
    lookAgainSeconds: 4,
  },
  tooManyCalls: {
    status: 429,
    code: "workspace_too_many_calls",
    title: "Too many calls at once",
    detail: "This workspace is working on as many calls as it can, and too many are waiting already. Try again in a moment.",
    retryAfterSeconds: 5,
  },
  tooManyListeners: {
    status: 429,
    code: "workspace_too_many_listeners",
    title: "Too many open connections",
    detail: "Too many visitors keep a stream of events or a WebSocket of this workspace open. Try again when some have left.",
    retryAfterSeconds: 30,
  },
  tooManyInTurn: {
    status: 429,
    code: "connection_too_many_requests",
    title: "Too many requests on one connection",
    detail: "Too many requests of this connection are waiting for their turn. Wait for an answer before you send another one.",
    retryAfterSeconds: 1,
  },
  unavailable: {
    status: 503,
    code: "gateway_unavailable",
    title: "The service is busy",
    detail: "We could not look up this workspace. Try again in a moment.",
    retryAfterSeconds: 5,
    lookAgainSeconds: 5,
  },
  cookiesTooLarge: {
    status: 431,
    code: "cookies_too_large",
    title: "Your browser sent too many cookies",
    detail:
      "A page stored more cookies for this site than it accepts. We told your browser to delete them. Reload this page, and sign in again if asked. If you see this again, delete the cookies of this site in your browser's settings.",
  },
  badRequest: {
    status: 400,
    code: "bad_request",
    title: "The request could not be read",
    detail: "It is ambiguous or malformed, and was not passed on.",
  },
} as const satisfies Record<string, Refusal>;

/** The refusal with the workspace's public reason in place of the general text. */
export function withReason(refusal: Refusal, reason: string | undefined): Refusal {
  return reason === undefined || reason === "" ? refusal : { ...refusal, detail: reason };
}
