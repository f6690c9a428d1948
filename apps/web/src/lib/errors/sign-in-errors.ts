/**
 * The words of errors that the sign-in page needs: refusals that any call can have, and those of signing in. All others are in ./words.ts.
 */
import { ApiError, type ErrorCode } from "../api/api-error.ts";
import type { Routes } from "../api/calls.ts";
import { t } from "../../words/frame.ts";
import { partOf } from "../../words/words-of.ts";
import { waitWords } from "../wait-words.ts";

export interface ErrorWords {
  /** What happened. */
  sentence: string;
  /** What to do next. */
  next: string;
}

/** An error in English. Without a sentence it reads as the title of the API's answer, so an error that the panel throws itself has one. */
export type EnglishErrorWords = Partial<ErrorWords> & Pick<ErrorWords, "next">;

/** A refusal of the sign-in call without words here does not compile. */
export const signInErrors = {
  validation_failed: { next: "Check the marked fields and try again." },
  invalid_credentials: { next: "Check the account name or email address and the password." },
  login_code_invalid: { next: "Sign in with your password, or request a new link. If the problem persists, contact support." },
  publisher_account: { sentence: "This account only publishes workflows.", next: "To get a workspace, create a new account." },
  too_many_sign_ins: { sentence: "Too many failed sign-in attempts.", next: "Wait a while, or request a sign-in link by email." },
  session_expired: { next: "Sign in again." },
  signed_out: { sentence: "You are not signed in.", next: "Sign in to continue." },
  cross_origin: { next: "Open the panel in its own tab." },
  not_found: { next: "Go to the start page." },
  bad_request: { next: "Reload the page and try again." },
  body_too_large: { next: "Shorten it and try again." },
  body_too_slow: { sentence: "The request took too long to arrive.", next: "Check your connection and try again." },
  unsupported_media_type: { sentence: "The request could not be read.", next: "Reload the page and try again." },
  too_many_requests: { sentence: "Too many attempts.", next: "Wait a moment and try again." },
  internal_error: {
    sentence: "Something went wrong on our side.",
    next: "Try again in a moment. If the problem persists, contact support with the request number.",
  },
  still_in_progress: {
    sentence: "This takes longer than usual and is still in progress.",
    next: "Reload the page in a moment.",
  },
  unavailable: { sentence: "The service is busy.", next: "Try again in a moment." },
  unreachable: { sentence: "We could not reach the service.", next: "Check your connection and try again." },
  timed_out: { sentence: "The service did not answer in time.", next: "Your change may be saved. Check before you try again." },
  unreadable: { sentence: "The service sent an unexpected response.", next: "Reload the page and try again." },
} satisfies Partial<Record<ErrorCode, EnglishErrorWords>> &
  Record<Routes["logIn" | "logInWithCode"]["problems"][number], EnglishErrorWords>;

/** These words in the reader's language. */
export const spokenSignInErrors = partOf("signInErrors", signInErrors, { de: () => import("./sign-in-errors.de.ts") });

const isSignInError = (code: ErrorCode): code is keyof typeof signInErrors => code in signInErrors;

/** The words for anything that was thrown, if only these are loaded: for any other code, the API's own answer is shown. */
export function signInErrorWords(error: unknown): ErrorWords {
  const errors = spokenSignInErrors();
  if (!(error instanceof ApiError)) return errors.internal_error;
  return wordsOfAnswer(isSignInError(error.code) ? errors[error.code] : { next: errors.bad_request.next }, error);
}

/** Completes an error's words with its answer: the title, if that is the sentence, and how long to wait before trying again. */
export function wordsOfAnswer({ sentence, next }: EnglishErrorWords, { title, retryAfterSeconds }: ApiError): ErrorWords {
  return {
    sentence: sentence ?? title ?? spokenSignInErrors().internal_error.sentence,
    next: retryAfterSeconds ? t("error.retryIn", { when: waitWords(retryAfterSeconds) }) : next,
  };
}

/** The number to tell support, if there is one and it helps. */
export function requestNumber(error: unknown): string | null {
  const isOurs = error instanceof ApiError && error.status >= 500 && error.requestId;
  return isOurs ? t("error.requestNumber", { id: error.requestId }) : null;
}
