import type { FieldProblem, Problem, ProblemCode } from "#contract/api/problem.ts";

/** What can go wrong before there is an answer of the API. */
export type ErrorCode = ProblemCode | "unreachable" | "timed_out" | "unreadable";

/** A call that was refused or never answered; `code` identifies the error, and `error-words.ts` has its words. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The API's own sentence; absent if there was no answer. */
  readonly title: string | undefined;
  readonly fields: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;
  /** For programs; in a few cases an address at which to continue. */
  readonly detail: string | undefined;

  constructor(code: ErrorCode, status: number, answer?: Partial<Problem>, options?: ErrorOptions) {
    super(answer?.title ?? code, options);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.title = answer?.title;
    this.fields = answer?.errors ?? [];
    this.retryAfterSeconds = answer?.retryAfterSeconds;
    this.requestId = answer?.requestId;
    this.detail = answer?.detail;
  }
}

export const hasCode = (error: unknown, code: ErrorCode): error is ApiError => error instanceof ApiError && error.code === code;
