import { writeAudit } from "#domain/audit/audit-store.ts";
import { giveUpLastBackup } from "#domain/backups/backup-store.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import { lockWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { announceWorkspace } from "#domain/workspaces/workspace-store.ts";
import { accountOf } from "../account-of.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Gives up the last backup of a workspace whose deletion waits for it: nothing else ever deletes one without a verified backup. */
export const deleteWithoutBackup: Command = {
  name: "delete-without-backup",
  parameters: ["email or account name"],
  summary: "Delete this customer's workspace, whose deletion waits because no last backup can be made, without one",
  async run(context, { arguments: [login = ""] }) {
    const { db, clock, operator, print } = context;
    const accountId = await accountOf(context, login);
    await db.transaction(async (tx) => {
      const now = clock.now();
      const workspace = await lockWorkspace(tx, accountId);
      const isWaiting = workspace?.desiredState === "deleted" && workspace.observedState !== "deleted";
      if (!isWaiting || workspace.reasonCode !== "last-backup-failed")
        throw new CommandRefused(`No deletion of a workspace of ${login} is waiting for its last backup.`);
      await giveUpLastBackup(tx, workspace, `given up by ${operator}`, now);
      await writeAudit(
        tx,
        { accountId, userId: null, action: "workspace.last-backup-given-up", after: { workspaceId: workspace.id, operator } },
        now,
      );
      await announceWorkspace(tx, workspace.id, (await readForBackup(tx, { workspaceId: workspace.id, life: null }))!.accountName);
    });
    print(`The workspace of ${login} is being deleted without a last backup.`);
  },
};
