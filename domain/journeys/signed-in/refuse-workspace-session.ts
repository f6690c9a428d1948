/**
 * Whoever runs code in a workspace can open a session of its owner (decision 0022), and an operator's look is not the
 * customer's own hand: neither spends the customer's money before the password was typed.
 */
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "./current-user-query.ts";

/** Throws AppError `password_needed`; the caller asks for the password (`POST /auth/confirm-password`) and tries again. */
export function refuseWorkspaceSession({ openedBy }: Pick<CurrentUser, "openedBy">): void {
  if (openedBy === "workspace" || openedBy === "operator") throw new AppError("password_needed");
}
