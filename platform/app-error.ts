/** The base of all expected refusals: a stable code with a public sentence, and private details for the log. */
import { problems, type FieldProblem, type ProblemCode } from "#contract/api/problem.ts";

export interface AppErrorDetails {
  /** A public sentence more precise than the code's own. */
  detail?: string;
  /** For the log only. */
  internal?: string;
  retryAfterSeconds?: number;
  errors?: FieldProblem[];
  cause?: unknown;
}

export class AppError extends Error {
  readonly code: ProblemCode;
  readonly details: AppErrorDetails;

  constructor(code: ProblemCode, details: AppErrorDetails = {}) {
    super(details.internal ?? problems[code].title, { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}
