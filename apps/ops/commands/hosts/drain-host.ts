import { setTimeout as delay } from "node:timers/promises";
import { listHosted } from "#domain/backups/restores/restore-elsewhere.ts";
import { listHosts, listWithoutFiles, setDraining, type HostView } from "#domain/workspaces/hosts/host-store.ts";
import { secondMs } from "#platform/clock.ts";
import { CommandRefused, type Command, type OpsContext } from "../../command.ts";
import { findHost } from "./find-host.ts";
import { explainMissing } from "./missing-files.ts";

const pollMs = 2 * secondMs;

/** Moves every workspace of a running host to the others. */
export const drainHost: Command = {
  name: "drain",
  parameters: ["host"],
  options: {
    yes: { type: "boolean", summary: "move them; without this option, only show what would be moved" },
    stop: { type: "boolean", summary: "stop draining; workspaces that have not left yet stay" },
  },
  summary:
    "Move a host's workspaces to the other hosts, two at a time, by backup and restore. Safe to interrupt: the host's worker continues",
  async run(context, { arguments: [name = ""], options }) {
    const { db, print } = context;
    const { host, demandAnother } = await findHost(context, name);
    if (options["stop"] === true) {
      await setDraining(db, name, false);
      return print(`Host ${name} is no longer being drained. It has ${host.workspaces} workspaces.`);
    }
    if (!host.isHeard)
      throw new CommandRefused(
        `Host ${name} is silent, and only its own worker can move its workspaces. Start the worker, or restore them: npm run ops -- restore-host ${name}`,
      );
    demandAnother();
    if (options["yes"] !== true) {
      const withoutFiles = await listWithoutFiles(db, name);
      for (const { accountName } of await listHosted(db, name))
        print(
          withoutFiles.includes(accountName)
            ? `${accountName}: would stay, ITS FILES ARE MISSING`
            : `${accountName}: would be stopped, backed up, and started on another host`,
        );
      if (withoutFiles.length > 0) print(explainMissing(name, withoutFiles));
      return print(`Host ${name}: ${host.workspaces} workspaces. Nothing was changed. Add --yes to move them.`);
    }
    if (!(await setDraining(db, name, true))) throw new CommandRefused(`Host ${name} was declared dead in the meantime.`);
    await waitUntilEmpty(context, name);
  },
};

async function waitUntilEmpty({ db, print }: OpsContext, name: string): Promise<void> {
  for (let before = -1; ; await delay(pollMs)) {
    const host: HostView | undefined = (await listHosts(db)).find((each) => each.name === name);
    if (!host || host.workspaces === 0)
      return print(`No workspace is left on host ${name}. Stop its processes and remove it: npm run ops -- restore-host ${name} --yes`);
    if (!host.drainingSince) throw new CommandRefused(`Host ${name} is no longer being drained. ${host.workspaces} workspaces stay on it.`);
    if (!host.isHeard)
      throw new CommandRefused(
        `Host ${name} has gone silent with ${host.workspaces} workspaces on it. Start it again to continue draining.`,
      );
    if (host.workspaces === host.withoutFiles)
      throw new CommandRefused(`Host ${name} cannot be emptied. ${explainMissing(name, await listWithoutFiles(db, name))}`);
    if (host.workspaces !== before) print(`${host.workspaces} workspaces are left on host ${name}.`);
    before = host.workspaces;
  }
}
