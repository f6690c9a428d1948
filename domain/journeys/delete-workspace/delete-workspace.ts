/**
 * The owner deletes their workspace. The provisioner does the rest: apps/provisioner/reconcile/stop-steps.ts closes the
 * gateway, removes what the workspace stored, and reports it.
 */
import { fieldMessage } from "#contract/api/field-words.ts";
import { say } from "#contract/sentences/say.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { revokeAll } from "#domain/invitations/invitation-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { workspaceDeletedMail } from "#domain/mail/templates/workspaces/workspace-deleted-mail.ts";
import { refuseOtherLife } from "#domain/workspaces/stories/begin-story.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { announceWorkspace, findWorkspace, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * Requests the deletion, once: repeating the request changes nothing and sends no mail. Refuses a name that is not exactly the account's,
 * and an already deleted workspace.
 */
export async function deleteWorkspace(
  services: Services,
  current: CurrentUser,
  { accountName: typedName, life }: { accountName: string; life?: number | undefined },
  address: string,
): Promise<WorkspaceRow> {
  const { db, clock, publicUrl, instanceOperations } = services;
  const { accountId, accountName, userId, fullName, language, email } = current;
  if (!instanceOperations) throw new AppError("instance_operations_off");
  if (!current.workspace) throw new AppError("workspace_not_found");
  if (typedName !== accountName)
    throw new AppError("validation_failed", {
      errors: [{ path: "accountName", code: "account_name.confirmation", message: fieldMessage("account_name.confirmation") }],
    });
  const mail = await workspaceDeletedMail({
    to: email,
    fullName,
    language,
    accountName,
    workspaceUrl: workspaceUrl(publicUrl, accountName),
    dashboardUrl: mailLinks(publicUrl).dashboard,
    hasLastBackup: (await findWorkspace(db, accountId))?.ownerSetUpAt !== null,
  });
  const row = await db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    const asked = await requestDeletion(tx, accountId, now, life);
    if (!asked) return findWorkspace(tx, accountId);
    await revokeAll(tx, accountId, now);
    await writeJournal(tx, asked.id, { event: "deletion-requested", message: say("deletionRequested"), actor: fullName }, now);
    await writeAudit(
      tx,
      { accountId, userId, action: "workspace.deleted", before: { workspaceId: asked.id, version: asked.observedVersion }, address },
      now,
    );
    await queueMail(tx, mail, now);
    await announceWorkspace(tx, asked.id, accountName);
    return asked;
  });
  if (!row) throw new AppError("workspace_not_found");
  refuseOtherLife(row, life);
  return row;
}
