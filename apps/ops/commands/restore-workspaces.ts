import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { restoreForCustomer } from "#domain/journeys/assist-customer/restore-for-customer.ts";
import { listLost, NotLost, type LostWorkspace } from "#domain/backups/restores/restore-elsewhere.ts";
import { listHosts } from "#domain/workspaces/hosts/host-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { CommandRefused, type Command } from "../command.ts";

/** After the loss of a server or a disk, where no other host could take its workspaces. */
export const restoreWorkspaces: Command = {
  name: "restore-workspaces",
  options: {
    host: { type: "string", summary: "only those of this host, and all of them if it sends no heartbeat: its server is lost, not stopped" },
    confirm: { type: "string", summary: "how many are restored: do it; without this option, only list them" },
  },
  summary:
    "Restore the newest backup of each workspace whose files are lost with its server, in place: those whose worker found no files, or whose host is named and sends no heartbeat",
  async run(context, { options }) {
    const { db, clock, operator, reason, config, print } = context;
    const all = await listLost(db);
    const host = options["host"] as string | undefined;
    if (host !== undefined) await refuseUnknown(db, host, all);
    // A service that is only stopped is as silent as a lost server: that its files are lost, the operator says.
    const lost = all.filter((each) => (host === undefined ? each.reason === "files-missing" : each.host === host));
    const ready = lost.flatMap(({ backup, ...rest }) => (backup ? [{ ...rest, backup }] : []));
    const again = `${host === undefined ? "" : `--host ${host} `}--confirm ${ready.length}`;
    if (options["confirm"] === undefined) {
      for (const each of lost) print(describe(each));
      if (host === undefined) for (const line of describeSilent(all)) print(line);
      return print(
        ready.length === 0
          ? "No workspace that has lost its files has a backup. Nothing was changed."
          : `Nothing was changed. To restore ${ready.length}, add: ${again} --reason "…"`,
      );
    }
    if (options["confirm"] !== String(ready.length))
      throw new CommandRefused(`Nothing was changed. It is about ${workspacesOf(ready.length)} now: ${again}`);
    if (!reason) throw new CommandRefused('Say why, for the audit log: --reason "ticket 7".');
    let asked = 0;
    for (const { backup, ...each } of ready) {
      const wish = { backupId: backup.id, lastBackupDays: config.lastBackupDays, isTrial: false, lostAs: each };
      try {
        await restoreForCustomer({ db, clock }, each, { operator, reason }, wish);
        asked += 1;
      } catch (error) {
        if (!(error instanceof AppError || error instanceof NotLost)) throw error;
        print(`${each.accountName}: NOT restored: ${error.message}`);
      }
    }
    print(
      `${asked} of ${workspacesOf(ready.length)} ${asked === 1 ? "is" : "are"} being restored, or will be once a worker runs. ${asked === 1 ? "Its journal shows" : "Their journals show"} the result.`,
    );
  },
};

const workspacesOf = (count: number): string => `${count} ${count === 1 ? "workspace" : "workspaces"}`;

function describe({ accountName, host, reason, seenAt, backup }: LostWorkspace): string {
  const why = reason === "files-missing" ? `its files are missing on ${host}` : silence(`host ${host}`, seenAt);
  return backup
    ? `${accountName}: ${why}; from its backup of ${stamp(backup.createdAt)}, later changes are lost`
    : `${accountName}: ${why}; it has no backup. Only its files can bring it back; without them its owner deletes it and creates another`;
}

const silence = (host: string, seenAt: Date | null): string =>
  seenAt ? `${host} is silent since ${stamp(seenAt)}` : `${host} has never sent a heartbeat`;

/** A line for each host without a heartbeat, whose workspaces are left out. */
function describeSilent(all: readonly LostWorkspace[]): string[] {
  const silent = all.filter(({ reason }) => reason === "host-silent");
  return [...new Set(silent.map(({ host }) => host))].map((host) => {
    const of = silent.filter((each) => each.host === host);
    return `${silence(`Host ${host}`, of[0]!.seenAt)}, with ${workspacesOf(of.length)}. If its server is lost, add: --host ${host}`;
  });
}

/** Refuses a name that neither a host nor a lost workspace has. */
async function refuseUnknown(db: Connection, name: string, all: readonly LostWorkspace[]): Promise<void> {
  const known = new Set([...(await listHosts(db)).map((each) => each.name), ...all.map(({ host }) => host)]);
  if (!known.has(name)) throw new CommandRefused(`Unknown host: ${name}. Known hosts: ${[...known].join(", ") || "none"}.`);
}
