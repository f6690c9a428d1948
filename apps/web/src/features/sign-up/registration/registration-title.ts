/** Why registering failed, as one of three sentences. Invalid input has other messages. */
import { ApiError, type ErrorCode } from "../../../lib/api/api-error.ts";
import { t } from "./words.ts";

/** The service could not be reached, or could not answer. */
const technical: ReadonlySet<ErrorCode> = new Set(["unreachable", "unreadable", "unavailable"]);

/** The title of the notice; empty if the error's own sentence says it. */
export function registrationTitle(error: unknown): { title?: string } {
  if (!(error instanceof ApiError) || technical.has(error.code)) return { title: t("register.technical") };
  if (error.code === "trial_not_started") return { title: t("register.trialFailed") };
  return error.code === "internal_error" ? { title: t("register.accountFailed") } : {};
}
