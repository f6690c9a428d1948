/** What a person reads when a call fails: what happened, and what to do next. An error code without words does not compile. */
import { ApiError, type ErrorCode } from "../api/api-error.ts";
import { partOf } from "../../words/words-of.ts";
import { spokenSignInErrors, wordsOfAnswer, type EnglishErrorWords, type ErrorWords } from "./sign-in-errors.ts";
import { furtherErrors } from "./words.ts";

const furtherSpoken = partOf("furtherErrors", furtherErrors, { de: () => import("./words.de.ts") });

/** The words for anything that was thrown; anything but an ApiError, and a code that the panel does not know yet, is our own fault. */
export function errorWords(error: unknown): ErrorWords {
  const all: Record<ErrorCode, EnglishErrorWords> & { internal_error: ErrorWords } = { ...spokenSignInErrors(), ...furtherSpoken() };
  return error instanceof ApiError ? wordsOfAnswer(all[error.code] ?? all.internal_error, error) : all.internal_error;
}
