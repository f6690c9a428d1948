/** What a person reads when a call fails: what happened, and what to do next. An error code without words does not compile. */
import { ApiError, type ErrorCode } from "../api/api-error.ts";
import { partOf } from "../../words/words-of.ts";
import { spokenSignInErrors, withWaitingTime, type ErrorWords } from "./sign-in-errors.ts";
import { furtherErrors } from "./words.ts";

const furtherSpoken = partOf("furtherErrors", furtherErrors, { de: () => import("./words.de.ts") });

/** The words for a code. */
export function wordsForCode(code: ErrorCode): ErrorWords {
  const all: Record<ErrorCode, ErrorWords> = { ...spokenSignInErrors(), ...furtherSpoken() };
  return all[code] ?? all.internal_error;
}

/** The words for anything that was thrown; anything but an ApiError is our own fault. */
export const errorWords = (error: unknown): ErrorWords =>
  error instanceof ApiError ? withWaitingTime(wordsForCode(error.code), error) : wordsForCode("internal_error");
