/** Fulfils requests from inside the tool that only the control plane can: mails, and events for analytics. */
import { say } from "#contract/sentences/say.ts";
import { countAttempt } from "#domain/attempts/attempt-store.ts";
import { resendConfirmation } from "#domain/journeys/confirm-email/resend-confirmation.ts";
import { mailMemberPassword } from "#domain/journeys/forgot-password/mail-member-password.ts";
import { inviteFromWorkspace } from "#domain/journeys/invite-teammates/invite-from-workspace.ts";
import { readOwner } from "#domain/workspaces/observed/observation-store.ts";
import { readJournal, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { AppError } from "#platform/app-error.ts";
import type { EngineRequest } from "../../../engines/port/engine-usage.ts";
import type { Scope } from "../../step.ts";

/**
 * Handles all of them and tells the tool. If this process dies after handling one and before telling the tool, the request comes again: its
 * mail is then held back by the same limit as a second click in the panel.
 * @param usersLimit people in the plan, including the owner; -1 is unlimited
 */
export async function answerEditor(scope: Scope, requests: readonly EngineRequest[], usersLimit: number): Promise<void> {
  const { engine, workspace, observed } = scope;
  if (requests.some(({ kind }) => kind === "confirmation-mail")) await sendConfirmation(scope);
  await mailPasswords(
    scope,
    requests.filter((request) => request.kind === "password-mail"),
  );
  // Delivered by `invite-members`, later in this pass.
  for (const request of requests)
    if (request.kind === "invitation") await inviteFromWorkspace(scope, workspace.accountId, request.email, usersLimit);
  for (const request of requests) if (request.kind === "event") scope.reportEditorEvent?.(request.name);
  for (const request of requests) if (request.kind === "nodes-held-back") await journalHeldBack(scope, request.nodes);
  for (const request of requests) if (request.kind === "workflows-interrupted") await journalInterrupted(scope, request.workflows);
  await engine.requestsDone?.(
    observed.address!,
    workspace.id,
    requests.map(({ id }) => id),
  );
}

/** A few a day: the tenant controls the workspace, and journal entries are permanent. */
async function journalHeldBack({ db, clock, engine, workspace }: Scope, nodes: readonly string[]): Promise<void> {
  if ("waitSeconds" in (await countAttempt(db, "workspace-held-back", workspace.id, clock.now()))) return;
  const message = say("nodesHeldBack", { nodes: nodes.join(", "), engine: engine.displayName });
  await writeJournal(db, workspace.id, { event: "nodes-held-back", message }, clock.now());
}

const deaths = ["died", "out-of-memory", "hung", "evicted", "host-lost"] as const;

/** Names what ran when the process was killed; after a death by memory, with what to do. As few a day as above. */
async function journalInterrupted({ db, clock, workspace }: Scope, names: readonly string[]): Promise<void> {
  if ("waitSeconds" in (await countAttempt(db, "workspace-interrupted", workspace.id, clock.now()))) return;
  const [death] = await readJournal(db, workspace.id, { most: 1, events: [...deaths] });
  const workflows = names.map((name) => `“${name}”`).join(", ");
  const message = say(death?.event === "out-of-memory" ? "interruptedByMemory" : "interrupted", { workflows });
  await writeJournal(db, workspace.id, { event: "workflows-interrupted", message }, clock.now());
}

async function sendConfirmation({ db, clock, publicUrl, workspace }: Scope): Promise<void> {
  const owner = await readOwner(db, workspace.accountId);
  if (!owner) return;
  await resendConfirmation({ db, clock, publicUrl }, owner).catch((error: unknown) => {
    // The last mail is less than a minute old, so it counts as the requested one.
    if (!(error instanceof AppError) || error.code !== "too_many_requests") throw error;
  });
}

/** Only to the owner and to people who have joined. */
async function mailPasswords(
  { db, clock, publicUrl, engine, workspace, observed }: Scope,
  requests: readonly (EngineRequest & { kind: "password-mail" })[],
): Promise<void> {
  if (requests.length === 0) return;
  const { id, accountId, accountName } = workspace;
  const members = (await engine.members?.list(observed.address!, id)) ?? [];
  const people = new Set(members.filter(({ joined }) => joined).map(({ email }) => email)).add(
    (await readOwner(db, accountId))?.email ?? "",
  );
  for (const { email, path } of requests) {
    if (people.has(email))
      await mailMemberPassword({ db, clock }, { accountId, accountName, workspaceUrl: workspaceUrl(publicUrl, accountName), email, path });
  }
}
