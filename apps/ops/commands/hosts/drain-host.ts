import { setTimeout as delay } from "node:timers/promises";
import { listHosted } from "#domain/backups/restores/restore-elsewhere.ts";
import { listHosts, listWithoutFiles, setDraining, type HostView } from "#domain/workspaces/hosts/host-store.ts";
import { secondMs } from "#platform/clock.ts";
import { CommandRefused, type Command, type OpsContext } from "../../command.ts";
import { findHost } from "./find-host.ts";
import { explainMissing } from "./missing-files.ts";

const pollMs = 2 * secondMs;

/** Moves every workspace of a living host to the others. */
export const drainHost: Command = {
  name: "drain",
  parameters: ["host"],
  options: {
    yes: { type: "boolean", summary: "do it; without this, only what would be moved is shown" },
    stop: { type: "boolean", summary: "end the draining: what has not left yet stays" },
  },
  summary:
    "Move the workspaces of a host to the others, two at a time, by backup and restore. Safe to interrupt: the host's worker continues",
  async run(context, { arguments: [name = ""], options }) {
    const { db, print } = context;
    const { host, demandAnother } = await findHost(context, name);
    if (options["stop"] === true) {
      await setDraining(db, name, false);
      return print(`Host ${name} is not drained any more. ${host.workspaces} workspaces are on it.`);
    }
    if (!host.isHeard)
      throw new CommandRefused(
        `Host ${name} is silent, and only its own worker can move its workspaces. Start it, or restore them: npm run ops -- restore-host ${name}`,
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
    if (!(await setDraining(db, name, true))) throw new CommandRefused(`Host ${name} was declared dead meanwhile.`);
    await waitUntilEmpty(context, name);
  },
};

async function waitUntilEmpty({ db, print }: OpsContext, name: string): Promise<void> {
  for (let before = -1; ; await delay(pollMs)) {
    const host: HostView | undefined = (await listHosts(db)).find((each) => each.name === name);
    if (!host || host.workspaces === 0)
      return print(`No workspace is left on host ${name}. Stop its processes, and forget it: npm run ops -- restore-host ${name} --yes`);
    if (!host.drainingSince) throw new CommandRefused(`The draining of host ${name} was ended. ${host.workspaces} workspaces stay on it.`);
    if (!host.isHeard)
      throw new CommandRefused(
        `Host ${name} has gone silent with ${host.workspaces} workspaces on it. Start it again, and the draining continues.`,
      );
    if (host.workspaces === host.withoutFiles)
      throw new CommandRefused(`Host ${name} does not get empty. ${explainMissing(name, await listWithoutFiles(db, name))}`);
    if (host.workspaces !== before) print(`${host.workspaces} workspaces are left on host ${name}.`);
    before = host.workspaces;
  }
}
