/**
 * The words of errors that the sign-in page needs: refusals that any call can have, and those of signing in. All others are in ./words.ts.
 */
import { ApiError, type ErrorCode } from "../api/api-error.ts";
import type { Routes } from "../api/calls.ts";
import { t } from "../../words/frame.ts";
import { partOf } from "../../words/words-of.ts";

export interface ErrorWords {
  /** What happened. */
  sentence: string;
  /** What to do next. */
  next: string;
}

/** A refusal of the sign-in call without words here does not compile. */
export const signInErrors = {
  validation_failed: { sentence: "Some fields are not valid.", next: "Check the marked fields and try again." },
  invalid_credentials: {
    sentence: "You entered an invalid sign in combination. Try again.",
    next: "Check the account name or email address and the password.",
  },
  login_code_invalid: {
    sentence: "Could not log in user with authentication code",
    next: "Sign in with your password, or request a new link. If the problem persists, contact support.",
  },
  publisher_account: { sentence: "This account only publishes workflows.", next: "To get a workspace, create a new account." },
  too_many_sign_ins: { sentence: "Too many failed sign-in attempts.", next: "Wait a while, or request a sign-in link by email." },
  session_expired: { sentence: "Session expired", next: "Sign in again." },
  signed_out: { sentence: "You are not signed in.", next: "Sign in to continue." },
  cross_origin: { sentence: "This request came from another site and was refused.", next: "Open the panel in its own tab and try again." },
  not_found: { sentence: "This page could not be found", next: "Go to the start page." },
  bad_request: { sentence: "The request could not be read.", next: "Reload the page and try again." },
  body_too_large: { sentence: "The request is too large.", next: "Shorten what you entered and try again." },
  unsupported_media_type: { sentence: "The request could not be read.", next: "Reload the page and try again." },
  too_many_requests: { sentence: "Too many attempts.", next: "Wait a moment and try again." },
  internal_error: {
    sentence: "Something went wrong on our side.",
    next: "Try again in a moment. If the problem persists, contact support with the request number.",
  },
  unavailable: { sentence: "The service is busy.", next: "Try again in a moment." },
  unreachable: { sentence: "We could not reach the service.", next: "Check your connection and try again." },
  timed_out: { sentence: "The service did not answer in time.", next: "Your change may have been saved. Check before you try again." },
  unreadable: { sentence: "The service sent an unexpected response.", next: "Reload the page and try again." },
} satisfies Partial<Record<ErrorCode, ErrorWords>> & Record<Routes["logIn" | "logInWithCode"]["problems"][number], ErrorWords>;

const spoken = partOf("signInErrors", signInErrors, { de: () => import("./sign-in-errors.de.ts") });

/** These words in the reader's language. */
export const spokenSignInErrors = (): Record<keyof typeof signInErrors, ErrorWords> => spoken();

const isSignInError = (code: ErrorCode): code is keyof typeof signInErrors => code in signInErrors;

/** The words for anything that was thrown, if only these are loaded: for any other code, the API's own answer is shown. */
export function signInErrorWords(error: unknown): ErrorWords {
  const errors = spokenSignInErrors();
  const fault = errors.internal_error;
  if (!(error instanceof ApiError)) return fault;
  const words = isSignInError(error.code) ? errors[error.code] : { sentence: error.title ?? fault.sentence, next: errors.bad_request.next };
  return withWaitingTime(words, error);
}

/** Replaces the next step with how long to wait, if the API said so. */
export function withWaitingTime(words: ErrorWords, { retryAfterSeconds }: ApiError): ErrorWords {
  return retryAfterSeconds ? { ...words, next: t("error.retryIn", { count: retryAfterSeconds }) } : words;
}

/** The number to tell support, if there is one and it helps. */
export function requestNumber(error: unknown): string | null {
  const isOurs = error instanceof ApiError && error.status >= 500 && error.requestId;
  return isOurs ? t("error.requestNumber", { id: error.requestId }) : null;
}
