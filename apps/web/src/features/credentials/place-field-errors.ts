/** Shows the server's problems with single fields at those fields. */
import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { ApiError } from "../../lib/api/api-error.ts";

/** True if every problem found its field, with the first of them focused; otherwise the error is the form's. */
export function placeFieldErrors<Values extends FieldValues>(
  error: unknown,
  names: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
): boolean {
  if (!(error instanceof ApiError) || error.fields.length === 0) return false;
  const known = error.fields.filter(({ path }) => (names as readonly string[]).includes(path));
  known.forEach(({ path, code }, index) => setError(path as Path<Values>, { type: "server", message: code }, { shouldFocus: index === 0 }));
  return known.length === error.fields.length;
}
