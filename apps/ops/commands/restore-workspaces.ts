import { listNewestBackups } from "#domain/backups/restores/newest-backups.ts";
import { restoreForCustomer } from "#domain/journeys/assist-customer/assist-workspace.ts";
import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { listHosts } from "#domain/workspaces/hosts/host-store.ts";
import { AppError } from "#platform/app-error.ts";
import { CommandRefused, type Command } from "../command.ts";

/** After the loss of the only server: its workspaces' files are gone, and their backups are not. */
export const restoreWorkspaces: Command = {
  name: "restore-workspaces",
  options: { yes: { type: "boolean", summary: "do restore them" } },
  summary:
    "Show which backup each running workspace would be restored from after its server was lost, and do so with --yes; no worker may run",
  async run({ db, clock, operator, reason, print }, { options }) {
    // With a worker, the files may be there: everybody would lose what was made since the backup.
    const alive = (await listHosts(db)).filter(({ isHeard, lostAt }) => isHeard && lostAt === null);
    if (alive.length > 0)
      throw new CommandRefused(
        `A worker runs on ${alive.map(({ name }) => name).join(", ")}. This is for a server whose files are lost: stop the worker first. For one workspace there is: workspace NAME --restore ID.`,
      );
    let requested = 0;
    for (const { accountId, accountName, backup } of await listNewestBackups(db)) {
      if (!backup) print(`${accountName}  has no backup: only its owner can delete it and begin again`);
      else if (options["yes"] !== true) print(`${accountName}  ${stamp(backup.createdAt)}  ${backup.id}`);
      else {
        const refused = await restoreForCustomer({ db, clock }, { accountId, accountName }, { operator, reason }, backup.id).then(
          () => null,
          (error: unknown) => {
            if (error instanceof AppError) return error;
            throw error;
          },
        );
        if (refused === null) requested += 1;
        print(
          `${accountName}  ${stamp(backup.createdAt)}  ${refused ? `not restored: ${refused.message}` : "is restored at the next start"}`,
        );
      }
    }
    print(
      options["yes"] === true
        ? `Requested: ${requested}. Start the service: each is restored, and starts.`
        : "Nothing was changed. Whatever was made since these backups is lost; to restore them, add --yes.",
    );
  },
};
