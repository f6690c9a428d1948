/** The owner rolls back to the version before the last update; apps/provisioner/updates/update-version.ts does it. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { say } from "#contract/sentences/say.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import { StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { refuseOtherLife } from "#domain/workspaces/stories/begin-story.ts";
import { lockWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { canRollBack } from "./update-view.ts";

/** Requests it, once. Refuses a name that is not the account's, and an update that cannot be rolled back. */
export async function rollBackWorkspace(
  { db, clock, instanceOperations }: Services,
  current: CurrentUser,
  { accountName: typedName, life }: { accountName: string; life?: number | undefined },
  address: string,
): Promise<WorkspaceRow> {
  const { accountId, accountName, userId, fullName } = current;
  if (!instanceOperations) throw new AppError("instance_operations_off");
  if (!current.workspace) throw new AppError("workspace_not_found");
  if (typedName !== accountName) {
    throw new AppError("validation_failed", {
      errors: [{ path: "accountName", code: "account_name.confirmation", message: fieldMessage("account_name.confirmation") }],
    });
  }
  const row = await db
    .transaction(async (tx) => {
      const now = clock.now();
      await lockPerson(tx, current);
      const workspace = await lockWorkspace(tx, accountId);
      if (!workspace) throw new AppError("workspace_not_found");
      refuseOtherLife(workspace, life);
      const newest = await newestUpdate(tx, workspace.id);
      if (!newest || !canRollBack(newest, workspace, now)) throw new AppError("roll_back_impossible");
      const { fromVersion, toVersion, backupId } = newest.update;
      const line = {
        event: "roll-back-requested",
        message: say("rollBackRequested", { from: toVersion, to: fromVersion }),
        actor: fullName,
      } as const;
      const asked = await requestUpdate(
        tx,
        { workspaceId: workspace.id, fromVersion: toVersion, toVersion: fromVersion, askedBy: "owner", restoreBackupId: backupId!, line },
        now,
      );
      if (!asked) throw new AppError("roll_back_impossible");
      await writeAudit(
        tx,
        {
          accountId,
          userId,
          action: "workspace.rolled_back",
          before: { version: toVersion },
          after: { version: fromVersion, backup: backupId },
          address,
        },
        now,
      );
      return findWorkspace(tx, accountId);
    })
    .catch((error: unknown) => {
      if (!(error instanceof StoryInTheWay)) throw error;
      throw new AppError(error.open === "restore" ? "restore_under_way" : "roll_back_impossible");
    });
  return row!;
}
