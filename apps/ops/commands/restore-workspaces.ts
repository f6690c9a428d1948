import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { restoreForCustomer } from "#domain/journeys/assist-customer/restore-for-customer.ts";
import { listLost } from "#domain/backups/restores/restore-elsewhere.ts";
import { AppError } from "#platform/app-error.ts";
import { CommandRefused, type Command } from "../command.ts";

/** After the loss of a server or a disk, where no other host could take its workspaces. */
export const restoreWorkspaces: Command = {
  name: "restore-workspaces",
  options: {
    confirm: { type: "string", summary: "how many are restored: do it; without this option, only list them" },
  },
  summary:
    "Restore the newest backup of each workspace whose files are lost with its server, in place: those whose worker found no files, or whose host sends no heartbeat",
  async run(context, { options }) {
    const { db, clock, operator, reason, config, print } = context;
    const lost = await listLost(db);
    const ready = lost.flatMap(({ backup, ...account }) => (backup ? [{ ...account, backup }] : []));
    if (options["confirm"] === undefined) {
      for (const { accountName, backup } of lost)
        print(
          backup
            ? `${accountName}: from its backup of ${stamp(backup.createdAt)}, later changes are lost`
            : `${accountName}: has no backup. Only its files can bring it back; without them its owner deletes it and creates another`,
        );
      return print(
        ready.length === 0
          ? "No workspace that has lost its files has a backup. Nothing was changed."
          : `Nothing was changed. To restore ${ready.length}, add: --confirm ${ready.length} --reason "…"`,
      );
    }
    if (options["confirm"] !== String(ready.length))
      throw new CommandRefused(`Nothing was changed. It is about ${ready.length} workspaces now: --confirm ${ready.length}`);
    if (!reason) throw new CommandRefused('Say why, for the audit log: --reason "ticket 7".');
    let asked = 0;
    for (const { backup, ...account } of ready) {
      const wish = { backupId: backup.id, lastBackupDays: config.lastBackupDays, isTrial: false };
      try {
        await restoreForCustomer({ db, clock }, account, { operator, reason }, wish);
        asked += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        print(`${account.accountName}: NOT restored: ${error.message}`);
      }
    }
    print(`${asked} of ${ready.length} workspaces are being restored, or will be once a worker runs. Their journals show the result.`);
  },
};
