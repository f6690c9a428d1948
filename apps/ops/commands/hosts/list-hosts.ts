import { listHosts, listWithoutFiles, type HostView } from "#domain/workspaces/hosts/host-store.ts";
import type { Command } from "../../command.ts";
import { nameSome } from "./missing-files.ts";

/** Lists the hosts and their workspaces. */
export const hostList: Command = {
  name: "hosts",
  summary: "List the hosts with their status, free memory and workspaces",
  async run({ db, print }) {
    const all = await listHosts(db);
    if (all.length === 0) return print("No worker has joined yet.");
    for (const host of all) {
      print(describeHost(host));
      if (host.withoutFiles > 0) print(`  without their files on ${host.name}: ${nameSome(await listWithoutFiles(db, host.name))}`);
    }
  },
};

/** One line for an operator. */
function describeHost(host: HostView): string {
  const seen = `last heartbeat ${Math.round(host.silentSeconds)} s ago`;
  const state = host.lostAt
    ? `declared dead at ${host.lostAt.toISOString()}`
    : `${host.isHeard ? "alive" : "SILENT"}, ${seen}${host.drainingSince ? `, draining since ${host.drainingSince.toISOString()}` : ""}`;
  const lost = host.withoutFiles > 0 ? `, ${host.withoutFiles} WITHOUT THEIR FILES` : "";
  const gateway = host.address ?? "no address for other hosts (HOST_ADDRESS)";
  return `${host.name}: ${state}; ${host.workspaces} workspaces, ${host.online} online${lost}; ${host.freeMb} MB free; gateway ${gateway}`;
}
