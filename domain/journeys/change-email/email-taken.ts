/** When two people choose the same address, the unique index decides, whatever earlier checks found. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";

/** The refusal; `path` names the field of the form, where there is one. */
export const emailTaken = ({ path, cause }: { path?: "email"; cause?: unknown } = {}): AppError =>
  new AppError("email_taken", {
    cause,
    ...(path ? { errors: [{ path, code: "email.taken", message: fieldMessage("email.taken") }] } : {}),
  });

/** Waits for a transaction that assigns an address; throws AppError `email_taken` if another one took it at the same moment. */
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
