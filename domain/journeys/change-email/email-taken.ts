/** Two people want one address: the unique index decides, whatever was seen before. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";

/** The refusal; `path` names the field of the form, where there is one. */
export const emailTaken = ({ path, cause }: { path?: "email"; cause?: unknown } = {}): AppError =>
  new AppError("email_taken", {
    cause,
    ...(path ? { errors: [{ path, code: "email.taken", message: fieldMessage("email.taken") }] } : {}),
  });

/** Waits for a transaction that gives a person an address; throws AppError `email_taken` where another one gave it away at the same moment. */
export async function refuseTaken<Result>(move: Promise<Result>, path?: "email"): Promise<Result> {
  try {
    return await move;
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken({ ...(path ? { path } : {}), cause: error }) : error;
  }
}

function isUniqueViolation(error: unknown): boolean {
  return [error, (error as Error).cause].some((each) => (each as { code?: string } | undefined)?.code === "23505");
}
