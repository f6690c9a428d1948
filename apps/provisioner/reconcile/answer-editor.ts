/** Does what a person asked for in the tool's editor and only the control plane can do: a confirmation mail, an event for analytics. */
import { resendConfirmation } from "#domain/journeys/confirm-email/resend-confirmation.ts";
import { readOwner } from "#domain/workspaces/observation-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { EngineRequest } from "../engines/engine.ts";
import type { Scope } from "./step.ts";

/**
 * Does all of them and tells the tool. One that was done and not told, because this process died, comes again: a mail is then held back
 * by the same limit as a second click in the panel.
 */
export async function answerEditor(scope: Scope, requests: readonly EngineRequest[]): Promise<void> {
  const { engine, workspace } = scope;
  if (requests.some(({ kind }) => kind === "confirmation-mail")) await sendConfirmation(scope);
  for (const request of requests) if (request.kind === "event") scope.reportEditorEvent?.(request.name);
  await engine.requestsDone?.(workspace.address!, workspace.id, requests.map(({ id }) => id));
}

async function sendConfirmation({ db, clock, publicUrl, workspace }: Scope): Promise<void> {
  const owner = await readOwner(db, workspace.accountId);
  if (!owner) return;
  await resendConfirmation({ db, clock, publicUrl }, owner).catch((error: unknown) => {
    // The last mail is less than a minute old: it is the one that was asked for.
    if (!(error instanceof AppError) || error.code !== "too_many_requests") throw error;
  });
}
