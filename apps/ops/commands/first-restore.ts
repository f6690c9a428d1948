import { and, eq, isNull } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import { workspaces } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import { findOpenRestore } from "#domain/backups/restores/restore-store.ts";
import { nothingArrives } from "#domain/workspaces/hosts/host-names.ts";
import { dueNow } from "#domain/workspaces/observed/due-store.ts";
import { lockWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { beginStory } from "#domain/workspaces/stories/begin-story.ts";
import { announceWorkspace, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { accountOf } from "../account-of.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Nothing else ever starts a workspace empty that comes back from its last backup. */
export const firstRestore: Command = {
  name: "first-restore",
  parameters: ["email or account name"],
  options: {
    "begin-empty": { type: "boolean", summary: "start the workspace without its last backup, which its owner can restore later" },
  },
  summary: "Retry now to restore the last backup with which this customer's workspace comes back",
  async run(context, { arguments: [login = ""], options }) {
    const { db, clock, operator, print } = context;
    const accountId = await accountOf(context, login);
    const isGivenUp = options["begin-empty"] === true;
    await db.transaction(async (tx) => {
      const now = clock.now();
      const workspace = await lockWorkspace(tx, accountId);
      const restore = workspace?.ownerSetUpAt === null && workspace.desiredState !== "deleted" && (await findOpenRestore(tx, workspace.id));
      if (!restore) throw new CommandRefused(`No workspace of ${login} is waiting for its last backup.`);
      if (isGivenUp) {
        await beginStory(tx, workspace.id, "empty-begin", now);
        const message = say("restoreGivenUp");
        await writeJournal(tx, workspace.id, { event: "restore-failed", message, detail: `given up by ${operator}` }, now);
        const after = { workspaceId: workspace.id, backup: restore.backupId, operator };
        await writeAudit(tx, { accountId, userId: null, action: "workspace.first-restore-given-up", after }, now);
      }
      // What a try may have left is removed before it starts empty.
      const empty = isGivenUp ? { arriving: nothingArrives, reason: null, reasonCode: null } : {};
      await tx
        .update(workspaces)
        .set({ ...empty, failures: 0, ...dueNow(now) })
        .where(and(eq(workspaces.id, workspace.id), isNull(workspaces.ownerSetUpAt)));
      await announceWorkspace(tx, workspace.id, (await readForBackup(tx, { workspaceId: workspace.id, life: null }))!.accountName);
    });
    print(isGivenUp ? `The workspace of ${login} starts empty.` : `The restore for ${login} is being retried.`);
  },
};
