/** The refusal of a call while the database restarts, hangs or fails over: a sentence and a time, never a crash or an "internal error". */
import { AppError } from "../app-error.ts";

/** A restart takes seconds. */
const retryAfterSeconds = 5;

export const databaseUnavailable = (cause: unknown): AppError =>
  new AppError("unavailable", {
    cause,
    retryAfterSeconds,
    internal: "the database did not answer",
    detail: "The database is not available right now. Running workspaces are not affected. Try again in a moment.",
  });
