import {
  declareLost,
  forgetLostHost,
  listHosted,
  restoreElsewhere,
  type HostedWorkspace,
} from "#domain/backups/restores/restore-elsewhere.ts";
import { CommandRefused, type Command, type OpsContext } from "../../command.ts";
import { findHost } from "./find-host.ts";

/** Declares a host dead and restores its workspaces on the others. */
export const restoreHost: Command = {
  name: "restore-host",
  parameters: ["host"],
  options: { yes: { type: "boolean", summary: "restore them; without this option, only show what would be restored and lost" } },
  summary: "Declare a silent host dead and restore its workspaces' newest backups on the others. Run it again to continue where it stopped",
  async run(context, { arguments: [name = ""], options }) {
    const { db, print } = context;
    const { host, demandAnother } = await findHost(context, name);
    if (host.isHeard)
      throw new CommandRefused(
        `Host ${name} is alive: its last heartbeat was ${Math.round(host.silentSeconds)} s ago. Move its workspaces with npm run ops -- drain ${name}, or stop its worker first.`,
      );
    const hosted = await listHosted(db, name);
    if (hosted.length > 0) demandAnother();
    if (options["yes"] !== true) {
      for (const workspace of hosted) print(foretell(workspace));
      print(`Host ${name}: ${hosted.length} workspaces. Nothing was changed.`);
      print(
        "Make sure that the machine is off or disconnected from the network; workspaces still running there would otherwise run twice. Then add --yes.",
      );
      return;
    }
    if (!(await declareLost(db, name))) throw new CommandRefused(`Host ${name} has come back. Nothing was changed.`);
    await restoreAll(context, name, hosted);
  },
};

async function restoreAll({ db, clock, print }: OpsContext, host: string, hosted: readonly HostedWorkspace[]): Promise<void> {
  let restored = 0;
  let kept = 0;
  for (const { id, accountName, desiredState, isInUse: wasInUse } of hosted) {
    const result = await restoreElsewhere(db, { id, host }, clock.now());
    if (result.outcome === "restored") {
      restored += 1;
      print(
        result.backupAt
          ? `${accountName}: restored from its backup of ${result.backupAt.toISOString()}, later changes are lost`
          : `${accountName}: ${wasInUse && desiredState === "deleted" ? "was being deleted; its newest backup, if any, is kept" : "nothing was lost"}`,
      );
    } else if (result.outcome === "no backup") {
      kept += 1;
      print(`${accountName}: NOT restored because it has no backup. It stays on ${host} and runs again if that host returns`);
    } else print(`${accountName}: skipped because it is no longer on ${host} or the host has come back`);
  }
  const isForgotten = await forgetLostHost(db, host);
  print(
    `${restored} workspaces are being restored on the other hosts, ${kept} have no backup.${isForgotten ? ` Host ${host} was removed.` : ""}`,
  );
}

function foretell({ accountName, isInUse, desiredState, backupAt }: HostedWorkspace): string {
  if (!isInUse) return `${accountName}: nothing would be lost`;
  if (desiredState === "deleted")
    return backupAt
      ? `${accountName}: is being deleted, its last copy would be the backup of ${backupAt.toISOString()}`
      : `${accountName}: is being deleted and has no backup, its data would be lost`;
  return backupAt
    ? `${accountName}: would be restored from its backup of ${backupAt.toISOString()}, later changes would be lost`
    : `${accountName}: has no backup and would stay on this host`;
}
