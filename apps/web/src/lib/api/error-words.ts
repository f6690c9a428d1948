/** What a person reads when a call fails: what happened, and what to do next. An error code without words does not compile. */
import { t } from "../../words/words-of.ts";
import { ApiError, type ErrorCode } from "./api-error.ts";

export interface ErrorWords {
  sentence: string;
  next: string;
}

/** The words for a code. */
export const wordsForCode = (code: ErrorCode): ErrorWords => ({ sentence: t(`errors.${code}.sentence`), next: t(`errors.${code}.next`) });

/** The words for anything that was thrown; what is not an ApiError is a fault of ours. */
export function errorWords(error: unknown): ErrorWords {
  if (!(error instanceof ApiError)) return wordsForCode("internal_error");
  const words = wordsForCode(error.code);
  if (!error.retryAfterSeconds) return words;
  return { ...words, next: t("error.retryIn", { count: error.retryAfterSeconds }) };
}

/** The number to tell support, where there is one and it helps. */
export function requestNumber(error: unknown): string | null {
  const isOurs = error instanceof ApiError && error.status >= 500 && error.requestId;
  return isOurs ? t("error.requestNumber", { id: error.requestId }) : null;
}
