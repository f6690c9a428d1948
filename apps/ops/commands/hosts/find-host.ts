import { listHosts, type HostView } from "#domain/workspaces/hosts/host-store.ts";
import { CommandRefused, type OpsContext } from "../../command.ts";

/** The host with this name, for a command that moves its workspaces away. Refuses a name that no host has. */
export async function findHost({ config, db }: Pick<OpsContext, "config" | "db">, name: string): Promise<FoundHost> {
  const all = await listHosts(db);
  const host = all.find((each) => each.name === name);
  if (!host) throw new CommandRefused(`Unknown host: ${name}. Known hosts: ${all.map((each) => each.name).join(", ") || "none"}.`);
  return {
    host,
    demandAnother() {
      if (!all.some((each) => each !== host && each.isHeard && !each.drainingSince))
        throw new CommandRefused("No other host is alive to take its workspaces. Start one first.");
      if (!config.backupsUrl)
        throw new CommandRefused("Each host keeps backups in its own folder (BACKUPS_URL is not set), so no other host can read them.");
    },
  };
}

interface FoundHost {
  host: HostView;
  /** Throws CommandRefused unless another host can take its workspaces, from their backups. */
  demandAnother(): void;
}
